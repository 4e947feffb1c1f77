package main

import "database/sql"

func find(db *sql.DB, boat int) (*sql.Rows, error) {
	return db.Query("SELECT at FROM sightings WHERE boat = ?", boat)
}
