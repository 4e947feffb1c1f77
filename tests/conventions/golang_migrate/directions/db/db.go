package db

import (
	"database/sql"
	"embed"

	"github.com/golang-migrate/migrate/v4"
	"github.com/golang-migrate/migrate/v4/database/sqlite3"
)

//go:embed migrations/*.sql
var files embed.FS

func Ships(db *sql.DB, name string) (*sql.Rows, error) {
	return db.Query("SELECT id FROM ships WHERE name = ?", name)
}
