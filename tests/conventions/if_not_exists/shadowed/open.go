package main

import "database/sql"

func open(cache int) {
	db, _ := sql.Open("sqlite3", "ships.db")
	ships(db)
	limit("kb", cache)
}

func openCache() {
	db, _ := sql.Open("sqlite3", "cache.db")
	cache(db)
}
