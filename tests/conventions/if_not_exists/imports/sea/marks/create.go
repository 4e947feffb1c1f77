package marks

import "database/sql"

func Create(db *sql.DB) error {
	_, err := db.Exec("CREATE TABLE IF NOT EXISTS sea_marks (id INTEGER PRIMARY KEY, name TEXT)")
	return err
}
