package search

import _ "embed"

//go:embed fleet.sql
var fleet string

//go:embed sql/*.sql
var others embed.FS

func ships(db *sql.DB, marks string) {
	db.Query(fmt.Sprintf(fleet, marks))
}

func mine(db *sql.DB, fleet string) {
	db.Query(fmt.Sprintf(fleet, 1))
}
