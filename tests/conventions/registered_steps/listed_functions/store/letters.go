package store

import "database/sql"

func makeLetters(tx *sql.Tx) error {
	texts := []string{
		"CREATE TABLE letters (id INTEGER PRIMARY KEY, body TEXT)",
		"CREATE TABLE stamps (letter INTEGER, value INTEGER)",
	}
	for _, text := range texts {
		if _, err := tx.Exec(text); err != nil {
			return err
		}
	}
	return nil
}
