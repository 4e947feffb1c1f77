package migrations

import (
	"context"

	"github.com/uptrace/bun"
)

func init() {
	up := func(ctx context.Context, db *bun.DB) error {
		return db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
			_, err := tx.ExecContext(ctx, `CREATE INDEX ships_name ON ships (name)`)
			return err
		})
	}
	down := func(ctx context.Context, db *bun.DB) error {
		_, err := db.ExecContext(ctx, `DROP INDEX ships_name`)
		return err
	}
	if err := Migrations.Register(up, down); err != nil {
		panic(err)
	}
}
