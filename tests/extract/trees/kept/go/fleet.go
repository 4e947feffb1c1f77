package search

import _ "embed"

//go:embed fleet.sql
var fleet string
var owners = "SELECT owner FROM ship"

//go:embed sql/*.sql
var others embed.FS

func ships(db *sql.DB, marks string) {
	db.Query(fmt.Sprintf(fleet, marks))
}

func mine(db *sql.DB, fleet string) {
	db.Query(fmt.Sprintf(fleet, 1))
}

func some(db *sql.DB, ids []int) {
	marks := strings.Repeat("?, ", len(ids)-1) + "?"
	db.Query(fmt.Sprintf(owners+" WHERE id IN (%s) AND name = ?", marks), ids, "x")
}
