package sea

import (
	"database/sql"

	"example.org/charts/changes"
	"example.org/charts/sea/deltas"
	"example.org/charts/sea/marks"
)

func Open(path string) (*sql.DB, error) {
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		return nil, err
	}
	if _, err := db.Exec("CREATE TABLE IF NOT EXISTS sea_depths (id INTEGER PRIMARY KEY, mark INTEGER, depth REAL)"); err != nil {
		return nil, err
	}
	if err := marks.Create(db); err != nil {
		return nil, err
	}
	later := changes.Of(db)
	later.Add(changes.Change{
		Name: "marks with lights",
		Up:   deltas.UpLights,
	})
	return db, later.Run()
}

func deep(db *sql.DB) *sql.Row {
	return db.QueryRow("SELECT sea_marks.name FROM sea_depths JOIN sea_marks ON sea_marks.id = mark WHERE depth > 100")
}
