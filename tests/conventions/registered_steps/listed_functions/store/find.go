package store

import "database/sql"

func From(db *sql.DB, sender string) (*sql.Rows, error) {
	return db.Query("SELECT id FROM letters WHERE sender = ? UNION ALL SELECT letter FROM stamps", sender)
}
