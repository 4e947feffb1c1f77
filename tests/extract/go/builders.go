package builders

func appended(db *sql.DB, newest bool) {
	query := "SELECT id FROM book"
	query += " WHERE author = ?"
	if newest {
		query += " AND year > 2000"
	}
	db.Query(query)
}

func written(db *sql.DB, newest bool) {
	var sb strings.Builder
	sb.WriteString("SELECT id FROM book WHERE author = ?")
	if newest {
		sb.WriteString(" AND year > 2000")
	}
	fmt.Fprintf(&sb, " LIMIT %d", 10)
	db.Query(sb.String())
}

func listed(db *sql.DB, find *Find) {
	where, args := []string{"1 = 1"}, []any{}
	if v := find.ID; v != nil {
		where, args = append(where, "id = ?"), append(args, *v)
	}
	if v := find.Author; v != nil {
		where = append(where, "author = ?")
	}
	query := "SELECT id FROM book WHERE " + strings.Join(where, " AND ") + " ORDER BY id"
	if find.Limit != nil {
		query = fmt.Sprintf("%s LIMIT %d", query, *find.Limit)
		if find.Offset != nil {
			query = fmt.Sprintf("%s OFFSET %d", query, *find.Offset)
		}
	}
	db.Query(query, args...)
}

func inserted(db *sql.DB) {
	fields := []string{"title", "author"}
	placeholder := []string{"?", "?"}
	stmt := "INSERT INTO book (" + strings.Join(fields, ", ") + ") VALUES (" + strings.Join(placeholder, ", ") + ")"
	db.Exec(stmt)
}

func switched(db *sql.DB, order int) {
	query := "SELECT id FROM book"
	switch order {
	case 1:
		query += " ORDER BY year"
	case 2:
		query += " ORDER BY title"
	default:
		query += " ORDER BY id"
	}
	db.Query(query)
}

func ofShelf(d *sql.DB, label string) (*sql.Rows, error) {
	var text strings.Builder
	text.WriteString("SELECT id FROM book WHERE lent = ?")
	values := []any{1}
	if label != "" {
		text.WriteString(" AND label = ?")
		values = append(values, label)
	}
	return d.Query(text.String(), values...)
}

func ofMade(d *sql.DB, label string) (*sql.Rows, error) {
	text := strings.Builder{}
	text.WriteString("SELECT id FROM mark WHERE lent = ?")
	text.WriteString(" AND label = ?")
	return d.Query(text.String(), 1, label)
}

func ofPointer(d *sql.DB, label string) (*sql.Rows, error) {
	text := &strings.Builder{}
	text.WriteString("SELECT id FROM note WHERE lent = ?")
	text.WriteString(" AND label = ?")
	return d.Query(text.String(), 1, label)
}

// What is given back with more behind it is one text.
func (s *Shelf) begun(rest string) string {
	begin := "SELECT j.id FROM jar j"
	return begin + " " + rest
}

func (s *Shelf) byLabel(label string) {
	query := s.begun(`WHERE j.label = ?`)
	s.db.Query(query, label)
}

func (s *Shelf) printed(rest string) string {
	begin := "SELECT j.label FROM jar j"
	return fmt.Sprintf("%s %s", begin, rest)
}

func (s *Shelf) byAge(age int) {
	s.db.Query(s.printed(`WHERE j.age > ?`), age)
}
