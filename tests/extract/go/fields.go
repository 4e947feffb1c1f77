package depot

type Shelf struct {
	table string
}

func newShelf() *Shelf {
	return &Shelf{table: "crates"}
}

func (s *Shelf) labels(db *sql.DB) {
	db.Query(fmt.Sprintf("SELECT label FROM %s", s.table))
}

type Query struct {
	where string
}

func newQuery() *Query { return &Query{where: "WHERE kilos > 1"} }

func (q *Query) narrow() { q.where += " AND shelf = ?" }

func (q *Query) run(db *sql.DB) {
	db.Query("SELECT kilos FROM crates " + q.where)
}
