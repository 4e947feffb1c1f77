package main

import "database/sql"

func cache(db *sql.DB) { db.Exec(`CREATE TABLE IF NOT EXISTS cache (id INTEGER PRIMARY KEY, body TEXT)`) }
