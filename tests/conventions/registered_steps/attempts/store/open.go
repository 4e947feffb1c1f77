package store

import (
	"database/sql"
	"time"
)

const boats = "CREATE TABLE IF NOT EXISTS boats (id INTEGER PRIMARY KEY, name TEXT, sail TEXT)"
const sightings = "CREATE TABLE sightings (boat INTEGER, at INTEGER)"
const forget = "DROP TABLE IF EXISTS sightings"
const byBoat = "CREATE INDEX sightings_boat ON sightings(boat)"

// The numbers say how often to try, so that the texts run as they stand.
func Open(db *sql.DB) {
	try(db, 2, forget)
	try(db, 6, boats)
	try(db, 1, sightings)
	try(db, 3, byBoat)
}

func try(db *sql.DB, often int, text string) {
	for ; often > 0; often-- {
		if _, err := db.Exec(text); err == nil {
			return
		}
		time.Sleep(time.Second)
	}
}
