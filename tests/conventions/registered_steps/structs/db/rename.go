package db

import "database/sql"

func init() {
	steps.Add(&Step{
		ID:   2,
		Name: "vessels, 1 of 2",
		Up: func(tx *sql.Tx) error {
			for _, text := range []string{
				"ALTER TABLE ships RENAME TO vessels",
				"DROP INDEX ships_flag",
				"CREATE TABLE ships (vessel INTEGER, master TEXT)",
			} {
				if _, err := tx.Exec(text); err != nil {
					return err
				}
			}
			return nil
		},
	})
}
