package harbour

const berthsSchema = `CREATE TABLE IF NOT EXISTS berth (id INTEGER PRIMARY KEY, ship TEXT, quay TEXT)`

const insertBerthSQL = "INSERT INTO berth (ship, quay) VALUES ($1, $2)"
const berthOfShipSQL = "SELECT id FROM berth WHERE ship = $1"
const neverRunSQL = "SELECT quay FROM berth"

type berths struct {
	insertStmt *sql.Stmt
	ofShipStmt *sql.Stmt
	neverStmt  *sql.Stmt
}

func NewBerths(db *sql.DB) (*berths, error) {
	if _, err := db.Exec(berthsSchema); err != nil {
		return nil, err
	}
	b := &berths{}
	return b, sqlutil.StatementList{
		{&b.insertStmt, insertBerthSQL},
		{&b.ofShipStmt, berthOfShipSQL},
		{&b.neverStmt, neverRunSQL},
	}.Prepare(db)
}

func (b *berths) InsertAll(ctx context.Context, txn *sql.Tx, ships []Ship) error {
	stmt := sqlutil.TxStmt(txn, b.insertStmt)
	for _, ship := range ships {
		if _, err := stmt.ExecContext(ctx, ship.Name, ship.Quay); err != nil {
			return err
		}
	}
	return nil
}

func (b *berths) OfShips(ctx context.Context, txn *sql.Tx, ships []string) (ids []int64, err error) {
	for _, ship := range ships {
		var id int64
		if err = sqlutil.TxStmt(txn, b.ofShipStmt).QueryRowContext(ctx, ship).Scan(&id); err != nil {
			return
		}
		ids = append(ids, id)
	}
	return
}
