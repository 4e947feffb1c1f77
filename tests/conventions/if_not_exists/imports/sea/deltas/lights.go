package deltas

import "database/sql"

func UpLights(tx *sql.Tx) error {
	_, err := tx.Exec("CREATE TABLE lights (id INTEGER PRIMARY KEY, mark INTEGER, colour TEXT)")
	return err
}
