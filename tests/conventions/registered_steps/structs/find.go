package ships

import "database/sql"

func Of(db *sql.DB, master string) (*sql.Rows, error) {
	return db.Query("SELECT vessels.name FROM ships JOIN vessels ON vessels.id = ships.vessel WHERE ships.master = ?", master)
}
