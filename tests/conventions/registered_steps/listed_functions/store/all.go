package store

import "database/sql"

var all = []func(*sql.Tx) error{
	makeLetters,
	keepOld,
	indexLetters,
}

func Run(db *sql.DB, reached int) error {
	for _, one := range all[reached:] {
		tx, err := db.Begin()
		if err != nil {
			return err
		}
		if err := one(tx); err != nil {
			return err
		}
		if err := tx.Commit(); err != nil {
			return err
		}
	}
	return nil
}
