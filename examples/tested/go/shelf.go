// Package shelf keeps books on shelves.
package shelf

import "database/sql"

const schema = `CREATE TABLE IF NOT EXISTS books (id INTEGER PRIMARY KEY, isbn TEXT NOT NULL UNIQUE, title TEXT NOT NULL, shelf INTEGER NOT NULL)`

// Open makes the table where there is none yet.
func Open(db *sql.DB) error {
	_, err := db.Exec(schema)
	return err
}

// Put puts a book on a shelf.
func Put(db *sql.DB, isbn, title string, shelf int) error {
	_, err := db.Exec("INSERT INTO books (isbn, title, shelf) VALUES (?, ?, ?)", isbn, title, shelf)
	return err
}

// Find finds a book by its number.
func Find(db *sql.DB, isbn string) (title string, err error) {
	err = db.QueryRow("SELECT title FROM books WHERE isbn = ?", isbn).Scan(&title)
	return title, err
}
