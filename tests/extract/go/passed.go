package passed

func columns() string {
	return "id, title"
}

func (d *DB) remove(table string, id int) {
	d.db.Exec("DELETE FROM "+table+" WHERE id = ?", id)
}

func (d *DB) both(id int) {
	d.remove("book", id)
	d.remove("author", id)
	d.db.Query("SELECT " + columns() + " FROM book")
}
