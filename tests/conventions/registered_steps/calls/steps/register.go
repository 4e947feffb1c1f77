package steps

import (
	"database/sql"
	"sort"
)

type step struct {
	number int
	text   string
}

var known []step

func register(number int, text, back string) {
	known = append(known, step{number, text})
}

func Run(db *sql.DB, reached int) error {
	sort.Slice(known, func(a, b int) bool { return known[a].number < known[b].number })
	for _, one := range known {
		if one.number <= reached {
			continue
		}
		if _, err := db.Exec(one.text); err != nil {
			return err
		}
	}
	return nil
}
