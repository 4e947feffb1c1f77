package yard

import "database/sql"

func createVessels(db *sql.DB) error {
	_, err := db.Exec("CREATE TABLE IF NOT EXISTS hulls (id INTEGER PRIMARY KEY, steel REAL)")
	return err
}
