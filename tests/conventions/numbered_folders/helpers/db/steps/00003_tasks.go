package steps

import "database/sql"

func up3(tx *sql.Tx) error {
	_, err := tx.Exec("ALTER TABLE jobs RENAME TO tasks")
	return err
}
