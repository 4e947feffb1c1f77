package harbour

import "database/sql"

func createVessels(db *sql.DB) error {
	_, err := db.Exec("CREATE TABLE IF NOT EXISTS ships (id INTEGER PRIMARY KEY, name TEXT)")
	return err
}

func named(db *sql.DB, name string) *sql.Row {
	return db.QueryRow("SELECT berths.id FROM ships JOIN berths ON berths.ship = ships.id WHERE ships.name = ?", name)
}
