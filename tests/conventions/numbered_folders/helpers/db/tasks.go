package db

import "database/sql"

func Leased(db *sql.DB, before int) (*sql.Rows, error) {
	return db.Query("SELECT id FROM tasks WHERE lease < ?", before)
}
