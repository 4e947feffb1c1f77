package main

import "database/sql"

type order func(db *sql.DB, owner string)

var orders map[string]order

func init() {
	orders = map[string]order{"release": release}
}

func release(db *sql.DB, owner string) {
	db.Exec("UPDATE berth SET owner = NULL WHERE owner = ?", owner)
}

func scuttle(db *sql.DB) {
	db.Exec("DELETE FROM berth")
}

func main() {
	db, _ := sql.Open("sqlite3", "harbour.db")
	db.Exec("INSERT INTO berth (owner) VALUES (?)", "a")
	orders["release"](db, "a")
}
