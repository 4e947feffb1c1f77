package store

var migrations = []string{
	`CREATE TABLE harbours (id INTEGER PRIMARY KEY, name TEXT NOT NULL)`,
	`CREATE TABLE ships (id INTEGER PRIMARY KEY, harbour INTEGER NOT NULL)`,
	`ALTER TABLE ships ADD COLUMN name TEXT`,
}

func ships(db *sql.DB, name string) (*sql.Rows, error) {
	return db.Query("SELECT id FROM ships WHERE name = ?", name)
}
