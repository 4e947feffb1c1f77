package main

import (
	"database/sql"

	"example.org/charts/ships"
	"example.org/other/lru"
)

func open() {
	db, _ := sql.Open("sqlite3", "ships.db")
	ships.Create(db)
	cache := lru.New()
	cache.Init(db, 1, 2)
}
