package main

import "database/sql"

func ships(db *sql.DB) { db.Exec(`CREATE TABLE IF NOT EXISTS ships (id INTEGER PRIMARY KEY, port INTEGER)`) }
