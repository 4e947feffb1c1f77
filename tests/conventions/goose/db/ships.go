package db

func Ships(db *sql.DB, name string) (*sql.Rows, error) {
	return db.Query("SELECT ships.id FROM ships JOIN buoys ON buoys.ship = ships.id WHERE name = ?", name)
}
