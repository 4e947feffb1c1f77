package ports

import "database/sql"

func Since(db *sql.DB, mooring int) (*sql.Rows, error) {
	return db.Query("SELECT berths.since, moorings.length FROM berths JOIN moorings ON moorings.id = berths.mooring WHERE mooring = ?", mooring)
}
