package lake

import (
	"database/sql"

	"example.org/charts/lake/marks"
)

func Open(path string) (*sql.DB, error) {
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		return nil, err
	}
	if _, err := db.Exec("CREATE TABLE IF NOT EXISTS lake_depths (id INTEGER PRIMARY KEY, mark INTEGER, depth REAL)"); err != nil {
		return nil, err
	}
	return db, marks.Create(db)
}

func deep(db *sql.DB) *sql.Row {
	return db.QueryRow("SELECT lake_marks.name FROM lake_depths JOIN lake_marks ON lake_marks.id = mark WHERE depth > 100")
}
