package yard

import "database/sql"

func createPlaces(db *sql.DB) error {
	_, err := db.Exec("CREATE TABLE IF NOT EXISTS slips (id INTEGER PRIMARY KEY, hull INTEGER)")
	return err
}

func heavy(db *sql.DB) *sql.Row {
	return db.QueryRow("SELECT slips.id FROM slips JOIN hulls ON hulls.id = slips.hull WHERE hulls.steel > 9000")
}
