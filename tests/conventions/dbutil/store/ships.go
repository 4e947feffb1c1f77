package store

func Ships(ctx context.Context, db *dbutil.Database, depth int) (dbutil.Rows, error) {
	return db.Query(ctx, "SELECT ships.id FROM ships JOIN harbours ON harbours.id = harbour WHERE depth > $1", depth)
}
