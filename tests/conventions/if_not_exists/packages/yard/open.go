package yard

import "database/sql"

func Open(path string) (*sql.DB, error) {
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		return nil, err
	}
	if err := createVessels(db); err != nil {
		return nil, err
	}
	if err := createPlaces(db); err != nil {
		return nil, err
	}
	return db, nil
}
