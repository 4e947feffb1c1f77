package store

func all(db *sql.DB, marks, values []string) {
	db.Query(one, 1)
	db.Query(fmt.Sprintf(many, strings.Join(marks, ",")))
	db.Exec(fmt.Sprintf(put, "name"), 1, 2)
	db.Exec(fmt.Sprintf(put, "load"), 1, 2)
	db.Exec(rows + strings.Join(values, ","))
	db.Query("SELECT id FROM " + berths)
	db.Query("SELECT name FROM " + crews)
	db.Query("SELECT side FROM " + either)
	db.Query(whole)
}

func own(db *sql.DB, crews string) {
	db.Query("SELECT id FROM " + crews)
}

func some(db *sql.DB, late int) {
	db.Query(fmt.Sprintf("SELECT id FROM ships WHERE state = %d", open))
	db.Query(fmt.Sprintf("SELECT id FROM ships WHERE late = %d", late))
}
