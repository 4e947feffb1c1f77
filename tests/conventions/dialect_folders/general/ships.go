package ships

func find(db *sql.DB, name string) (*sql.Rows, error) {
	return db.Query("SELECT id, mark FROM ships WHERE name = ?", name)
}
