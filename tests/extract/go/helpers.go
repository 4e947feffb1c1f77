package store

func quoted(name string, plain bool) string {
	if plain {
		return fmt.Sprintf("`%s`", name)
	}
	return fmt.Sprintf(`"%s"`, name)
}

func wrapped(name string) string {
	return fmt.Sprintf(`"%s"`, name)
}

func find(db *sql.DB) {
	db.Query(fmt.Sprintf(`SELECT id FROM %s WHERE name = ?`, wrapped("groups")))
	db.Query(fmt.Sprintf(`SELECT id FROM %s WHERE name = ?`, quoted("groups", false)))
	db.Query(fmt.Sprintf(`SELECT id FROM %s_link WHERE %s = ?`, fields["table"], fields["column"]))
}
