package store

import "database/sql"

const createProps = "CREATE TABLE props (id INTEGER PRIMARY KEY, value TEXT)"
const createEventsV1 = "CREATE TABLE events (id INTEGER PRIMARY KEY, at INTEGER NOT NULL)"
const createEventsIndex = "CREATE INDEX events_at ON events (at)"

func Create(db *sql.DB) {
	db.Exec(createEventsV1)
	db.Exec(createEventsIndex)
	db.Exec(createProps)
}

func Since(db *sql.DB, at int64) {
	db.Query("SELECT id FROM events WHERE at > ?", at)
}
