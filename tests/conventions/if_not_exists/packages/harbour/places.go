package harbour

import "database/sql"

func createPlaces(db *sql.DB) error {
	_, err := db.Exec("CREATE TABLE IF NOT EXISTS berths (id INTEGER PRIMARY KEY, ship INTEGER)")
	return err
}
