package depot

import "fmt"

const (
	tableCrates = "crates"
	fmtHeaviest = `SELECT label FROM %s ORDER BY kilos DESC LIMIT 1`
)

type Depot struct {
	heaviest string
}

func newDepot() *Depot {
	return &Depot{
		heaviest: fmt.Sprintf(fmtHeaviest, tableCrates),
	}
}

func shelfClause(shelf string) (string, []any, error) {
	if len(shelf) > 40 {
		return "", nil, fmt.Errorf("no such shelf: %s", shelf)
	}
	if shelf == "" {
		return "WHERE shelf IS NULL", nil, nil
	}
	return "WHERE shelf = ?", []any{shelf}, nil
}

func onShelf(db *sql.DB, shelf string) {
	clause, values, err := shelfClause(shelf)
	if err != nil {
		return
	}
	db.Query("SELECT label FROM crates "+clause, values...)
}

func ordered(preferredOrder []any) (string, []any) {
	return "ORDER BY kilos", preferredOrder
}

func inOrder(db *sql.DB, preferredOrder []any) {
	clause, values := ordered(preferredOrder)
	db.Query("SELECT kilos FROM crates "+clause, values...)
}
