package harbour

const newestCraneSQL = "SELECT name FROM crane ORDER BY built DESC LIMIT 1"

func (c *cranes) Oldest() (name string, err error) {
	err = c.oldest.QueryRow().Scan(&name)
	return
}

func (c *cranes) Newest(db *sql.DB) (name string, err error) {
	err = db.QueryRow(newestCraneSQL).Scan(&name)
	return
}
