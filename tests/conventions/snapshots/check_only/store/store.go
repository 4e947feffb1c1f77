package store

//go:embed schema.sql
var wanted string

var migrations = []string{
	"CREATE TABLE harbours (id INTEGER PRIMARY KEY, name TEXT NOT NULL)",
	"ALTER TABLE harbours ADD COLUMN depth INTEGER",
	"CREATE TABLE migrations (id TEXT)",
}

func open(db *sql.DB) error {
	for _, step := range migrations {
		if _, err := db.Exec(step); err != nil {
			return err
		}
	}
	return squibble.Validate(db, wanted)
}

func deep(db *sql.DB) (*sql.Rows, error) {
	return db.Query("SELECT id FROM harbours WHERE depth > 20")
}
