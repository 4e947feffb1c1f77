package store

import "database/sql"

func indexLetters(tx *sql.Tx) error {
	_, err := tx.Exec("CREATE INDEX letters_sender ON letters(sender)")
	return err
}
