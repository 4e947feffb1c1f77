package db

import "database/sql"

func init() {
	steps.Add(&Step{ID: 10, Name: "masters", Up: func(tx *sql.Tx) error {
		if _, err := tx.Exec("CREATE INDEX ships_flag ON ships(master)"); err != nil {
			return err
		}
		_, err := tx.Exec("ALTER TABLE vessels DROP COLUMN flag")
		return err
	}})
}
