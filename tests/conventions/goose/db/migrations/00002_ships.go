package migrations

import (
	"context"
	"database/sql"

	"github.com/pressly/goose/v3"
)

func init() {
	goose.AddMigrationContext(upShips, downShips)
}

func upShips(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, `CREATE TABLE ships (id INTEGER PRIMARY KEY, harbour INTEGER NOT NULL)`)
	return err
}

func downShips(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, `DROP TABLE ships`)
	return err
}
