package store

import "database/sql"

type step struct {
	sql string
	run func(*sql.Tx) error
}

func splitNames(tx *sql.Tx) error {
	if _, err := tx.Exec("CREATE TABLE people_next (id INTEGER PRIMARY KEY, first TEXT, last TEXT)"); err != nil {
		return err
	}
	if _, err := tx.Exec("INSERT INTO people_next SELECT id, name, name FROM people"); err != nil {
		return err
	}
	if _, err := tx.Exec("DROP TABLE people"); err != nil {
		return err
	}
	_, err := tx.Exec("ALTER TABLE people_next RENAME TO people")
	return err
}

var steps = []step{
	{sql: "CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT)"},
	{sql: "CREATE INDEX people_by_name ON people (name)"},
	{run: splitNames},
	{sql: "CREATE TABLE visits (person INTEGER, day TEXT)"},
}

func upgrade(tx *sql.Tx, version int) error {
	for _, one := range steps[version:] {
		if one.sql != "" {
			if _, err := tx.Exec(one.sql); err != nil {
				return err
			}
		}
		if one.run != nil {
			if err := one.run(tx); err != nil {
				return err
			}
		}
	}
	return nil
}

func find(db *sql.DB, last string) *sql.Row {
	return db.QueryRow("SELECT id FROM people WHERE last = ?", last)
}
