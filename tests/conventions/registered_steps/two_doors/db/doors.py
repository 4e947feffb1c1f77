class Door:
    def __init__(self):
        self.steps = {}

    def register(self, number, step):
        self.steps[number] = step


blocks = Door()
peers = Door()
