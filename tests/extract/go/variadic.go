// Package mines has functions that take all arguments which remain.
package mines

import (
	"database/sql"
	"fmt"
	"strings"
)

func index(db *sql.DB, table string, columns ...string) error {
	name := table + "_" + strings.Join(columns, "_")
	list := strings.Join(columns, ", ")
	_, err := db.Exec(fmt.Sprintf("CREATE INDEX IF NOT EXISTS %s ON %s (%s)", name, table, list))
	return err
}

func indexes(db *sql.DB, more []string) {
	ores := []string{"vein", "depth"}
	index(db, "mine", "shaft")
	index(db, "mine", "owner", "opened")
	index(db, "ore", ores...)
	index(db, "cart", more...)
}

func named(db *sql.DB, table, columns string) {
	name := table + "_" + strings.ReplaceAll(columns, ", ", "_")
	db.Exec(fmt.Sprintf("CREATE INDEX IF NOT EXISTS %s ON %s (%s)", name, table, columns))
}

func names(db *sql.DB) {
	named(db, "mine", "opened, closed")
	named(db, "mine", "closed")
}
