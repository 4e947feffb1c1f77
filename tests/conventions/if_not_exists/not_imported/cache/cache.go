package cache

import "database/sql"

func Init(db *sql.DB) { db.Exec(`CREATE TABLE IF NOT EXISTS entries (id INTEGER PRIMARY KEY, body TEXT)`) }
func Start() {
	db, _ := sql.Open("sqlite3", "cache.db")
	Init(db)
}
