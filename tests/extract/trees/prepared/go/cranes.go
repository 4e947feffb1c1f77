package harbour

type cranes struct {
	insertStmt *sql.Stmt
	oldest     *sql.Stmt
}

func (c *cranes) prepare(db *sql.DB) (err error) {
	if c.insertStmt, err = db.Prepare("INSERT INTO crane (name) VALUES (?)"); err != nil {
		return
	}
	c.oldest, err = db.PrepareContext(ctx, "SELECT name FROM crane ORDER BY built LIMIT 1")
	return
}

func (c *cranes) insert(name string) error {
	_, err := c.insertStmt.Exec(name)
	return err
}
