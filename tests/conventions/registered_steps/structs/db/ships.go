package db

import "database/sql"

func init() {
	steps.Add(&Step{ID: 1, Name: "ships", Up: makeShips, Down: func(tx *sql.Tx) error {
		_, err := tx.Exec("DROP TABLE ships")
		return err
	}})
}

func makeShips(tx *sql.Tx) error {
	if _, err := tx.Exec("CREATE TABLE ships (id INTEGER PRIMARY KEY, name TEXT, flag TEXT)"); err != nil {
		return err
	}
	return indexShips(tx)
}

func indexShips(tx *sql.Tx) error {
	_, err := tx.Exec("CREATE INDEX ships_flag ON ships(flag)")
	return err
}
