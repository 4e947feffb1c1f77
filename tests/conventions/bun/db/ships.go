package db

func Ships(db *sql.DB, name string) (*sql.Rows, error) {
	return db.Query("SELECT id FROM ships WHERE name = ?", name)
}
