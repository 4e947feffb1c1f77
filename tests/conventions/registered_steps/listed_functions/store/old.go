package store

import "database/sql"

func keepOld(tx *sql.Tx) error {
	if _, err := tx.Exec("ALTER TABLE letters RENAME TO old_letters"); err != nil {
		return err
	}
	_, err := tx.Exec("CREATE TABLE letters (id INTEGER PRIMARY KEY, sender TEXT)")
	return err
}
