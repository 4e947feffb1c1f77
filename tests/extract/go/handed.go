// Package books has functions that make text of what callers hand to them.
package books

import (
	"database/sql"
	"fmt"
	"strings"
)

func index(db *sql.DB, name, table string, columns []string) error {
	list := strings.Join(columns, ", ")
	_, err := db.Exec(fmt.Sprintf("CREATE INDEX IF NOT EXISTS %s ON %s (%s)", name, table, list))
	return err
}

func indexes(db *sql.DB) {
	index(db, "by_author", "book", []string{"author"})
	index(db, "by_name", "author", []string{"name", "born"})
}
