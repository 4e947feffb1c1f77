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
