// Package shelf shows functions, methods and loops around a text.
package shelf

func one(db *sql.DB) error { _, err := db.Exec("DELETE FROM a1"); return err }

func (s *Store) Put(ctx context.Context, rows []Row) (err error) {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	for row := range rows {
		if _, err := tx.ExecContext(ctx, "INSERT INTO a2 VALUES (?)", row.ID); err != nil {
			return err
		}
	}
	for i < 10 {
		for {
			tx.QueryRowContext(ctx, `SELECT id FROM a3 WHERE id = ?`, i)
			break
		}
	}
	return tx.Commit()
}

func (Store) Unnamed() {
	stmt, err := db.Prepare("SELECT id FROM a4")
}

func Generic[T any, U fmt.Stringer](db *sql.DB, value T, f func(int) error) (n int) {
	db.Get(&value, "SELECT id FROM a5 WHERE id = ?", 1)
	inner := func(id int) {
		db.Select(&value, "SELECT id FROM a6")
	}
	go func() {
		for id := range ids {
			db.NamedExec("UPDATE a7 SET id = :id", id)
		}
	}()
	inner(1)
	return 1
}

func init() {
	register("a8", "CREATE TABLE a8 (id)")
}

type Store interface {
	Put(ctx context.Context) error
}

func switching(kind int) string {
	switch kind {
	case 1:
		return "SELECT id FROM a9"
	default:
		return `SELECT id FROM a10`
	}
}

func anything(db *sql.DB, value interface{}, other struct{ id int }, more ...interface{}) (interface{}, error) {
	return db.Exec("UPDATE a11 SET id = ?", value)
}
