package store

// Clauses are put behind what callers hand over, and behind constants under another name.

import "database/sql"

const base = "SELECT id FROM berths WHERE pier = $1 AND id > $2"

const schema = `CREATE TABLE IF NOT EXISTS berths (id INTEGER PRIMARY KEY, pier TEXT, owner TEXT)`

func A(db *sql.DB) {
	query := base
	query += " ORDER BY id DESC LIMIT 5"
	db.Prepare(query)
}

func B(db *sql.DB) {
	query := base
	query = query + " ORDER BY id DESC LIMIT 6"
	db.Prepare(query)
}

func q(db *sql.DB, query string) { db.Query(query+" ORDER BY id DESC LIMIT 7", 1, 2) }

func C(db *sql.DB) {
	q(db, "SELECT pier FROM berths WHERE owner = $1 AND id > $2")
}

func r(db *sql.DB, query string, desc bool) {
	query += " AND id > 99"
	if desc {
		query += " ORDER BY id DESC LIMIT 8"
	}
	db.Query(query, 1, 2)
}

func D(db *sql.DB) {
	r(db, base, true)
}

func s(query string, desc bool) string {
	if desc {
		query += " ORDER BY id DESC LIMIT 9"
	}
	return query
}

func E(db *sql.DB) {
	db.Query(s("SELECT id FROM berths WHERE owner = $1", true), 1, 2)
}
func F(db *sql.DB) {
	const local = "SELECT id FROM berths WHERE owner > $1"
	q := local + " LIMIT 10"
	db.Query(q, 1, 2)
	z := s(local, true)
	db.Query(z, 1, 2)
}
