// Steps in the order of a list.
package steps

import "database/sql"

type step struct {
	name string
	fn   func(db *sql.DB) error
}

var steps = []step{
	{"tides", addTides},
	{"ports", addIndex},
}

func Run(db *sql.DB) error {
	done := 0
	db.QueryRow("PRAGMA user_version").Scan(&done)
	for _, one := range steps[done:] {
		if err := one.fn(db); err != nil {
			return err
		}
	}
	return nil
}

func addTides(db *sql.DB) error {
	_, err := db.Exec("CREATE TABLE tide (port INTEGER, height REAL)")
	return err
}

func addIndex(db *sql.DB) error {
	_, err := db.Exec("CREATE INDEX ship_port ON ship (port)")
	return err
}
