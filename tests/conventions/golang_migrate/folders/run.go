package harbour

import (
	"database/sql"

	"harbour/ports"
	"harbour/ships"
)

var between = []step{
	{Version: 1700000004, Run: addFlags},
}

var all = []set{{ports.Names(), ports.Asset}, {ships.Names(), ships.Asset}}

func addFlags(tx *sql.Tx) error {
	_, err := tx.Exec("ALTER TABLE ships ADD COLUMN flag TEXT")
	return err
}

func Flying(db *sql.DB, flag string) (*sql.Rows, error) {
	return db.Query("SELECT ships.id FROM ships JOIN ports ON ports.id = ships.port WHERE flag = ?", flag)
}
