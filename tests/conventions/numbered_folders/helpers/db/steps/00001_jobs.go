package steps

import "database/sql"

func up1(tx *sql.Tx) error {
	for _, text := range []string{
		"CREATE TABLE jobs (id INTEGER PRIMARY KEY, kind TEXT)",
		"CREATE TABLE locks (job INTEGER, owner TEXT)",
	} {
		if _, err := tx.Exec(text); err != nil {
			return err
		}
	}
	return nil
}
