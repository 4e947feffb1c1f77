package db

import "database/sql"

type Step struct {
	ID   int
	Name string
	Up   func(tx *sql.Tx) error
	Down func(tx *sql.Tx) error
}

type runner struct{ steps map[int]*Step }

var steps = &runner{steps: map[int]*Step{}}

func (r *runner) Add(one *Step) { r.steps[one.ID] = one }

func (r *runner) run(db *sql.DB, number int) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	if err := r.steps[number].Up(tx); err != nil {
		tx.Rollback()
		return err
	}
	return tx.Commit()
}
