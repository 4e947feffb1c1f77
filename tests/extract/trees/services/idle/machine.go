// Package idle has states that a machine of another module asks.
package idle

type Idle struct{ db *store.DB }

type Busy struct{ db *store.DB }

func (i *Idle) ProcessEvent(event string) { i.db.Taken() }

func (b *Busy) ProcessEvent(event string) { b.db.Taken() }

func run(db *store.DB) {
	machine.New(&Idle{db}, &Busy{db}).Run()
	held := db.Held
	held()
	go watch(db)
}

func watch(db *store.DB) { db.Watched() }
