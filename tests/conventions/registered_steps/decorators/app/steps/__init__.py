STEPS = {}


def step(number):
    def keep(function):
        STEPS[number] = function
        return function

    return keep


def run(db, reached):
    for number in sorted(STEPS):
        if number > reached:
            STEPS[number](db)
