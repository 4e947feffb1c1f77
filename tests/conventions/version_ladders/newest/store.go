package harbour

import "database/sql"

const (
	newest = `
		BEGIN;
		CREATE TABLE IF NOT EXISTS harbours (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
		CREATE UNIQUE INDEX harbours_by_name ON harbours (name);
		CREATE TABLE IF NOT EXISTS ships (id INTEGER PRIMARY KEY, harbour INTEGER NOT NULL REFERENCES harbours (id), crew INTEGER);
		CREATE INDEX IF NOT EXISTS ships_by_harbour ON ships (harbour);
		CREATE TABLE IF NOT EXISTS totals (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
		INSERT INTO totals VALUES ('ships', 0);
		COMMIT;
	`
	from1To2 = `
		ALTER TABLE harbours RENAME TO harbours_old;
		CREATE TABLE IF NOT EXISTS harbours (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
		CREATE UNIQUE INDEX harbours_by_name ON harbours (name);
		INSERT INTO harbours SELECT id, name FROM harbours_old;
		DROP TABLE harbours_old;
	`
	from2To3 = `CREATE TABLE IF NOT EXISTS totals (name TEXT PRIMARY KEY, value INTEGER NOT NULL); INSERT INTO totals VALUES ('ships', 0);`
	from3To4 = `CREATE INDEX IF NOT EXISTS ships_by_harbour ON ships (harbour);`
	from4To5 = `ALTER TABLE ships ADD COLUMN crew INTEGER;`
)

func open(db *sql.DB) error {
	version, err := version(db)
	if err != nil {
		return create(db)
	}
	for at, text := range []string{from1To2, from2To3, from3To4, from4To5} {
		if version > at {
			continue
		}
		if _, err := db.Exec(text); err != nil {
			return err
		}
	}
	return nil
}

func create(db *sql.DB) error {
	_, err := db.Exec(newest)
	return err
}

func version(db *sql.DB) (int, error) {
	var version int
	err := db.QueryRow(`PRAGMA user_version`).Scan(&version)
	return version, err
}

func find(db *sql.DB, name string) *sql.Row {
	return db.QueryRow(`SELECT id FROM harbours WHERE name = ?`, name)
}
