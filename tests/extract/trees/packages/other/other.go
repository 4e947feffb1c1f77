package other

func all(db *sql.DB) {
	db.Query("SELECT id FROM " + berths + " WHERE id = 1")
	db.Query(base + " WHERE id = 2")
}
