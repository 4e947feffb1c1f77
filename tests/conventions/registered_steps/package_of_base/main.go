// A base that is embedded, and a package that goes on with it.
package main

import (
	"database/sql"
	_ "embed"

	"example.org/harbour/steps"
)

//go:embed base.sql
var base string

func open() *sql.DB {
	db, _ := sql.Open("sqlite3", "harbour.db")
	db.Exec(base)
	steps.Run(db)
	return db
}

func inPort(db *sql.DB, port int) (*sql.Rows, error) {
	return db.Query("SELECT name FROM ship WHERE port = ?", port)
}

func main() { inPort(open(), 1) }
