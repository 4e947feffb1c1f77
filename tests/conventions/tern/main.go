package main

func deep(db *sql.DB) (*sql.Rows, error) {
	return db.Query("SELECT id, name FROM harbours WHERE depth > ?", 20)
}
