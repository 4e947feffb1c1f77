// Package work does the same in Go.
package work

func Load(db *sql.DB, id int) error {
	_, err := db.Exec("UPDATE leaf SET seen = 1 WHERE id = ?", id)
	return err
}

func (w *Worker) Run(db *sql.DB, limit int) {
	for id := range w.ids {
		Load(db, id)
		Load(db, limit)
	}
	last := 0
	for last < 10 {
		last = Next(db, last)
	}
	Load(db, 7)
}

func Next(db *sql.DB, after int) int {
	db.QueryRow("SELECT min(id) FROM leaf WHERE id > ?", after)
	return 0
}
