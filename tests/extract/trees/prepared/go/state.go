package harbour

func (s *state) Load(id string) error {
	return s.db.Get(&s.mark, "SELECT mark FROM state WHERE id = ?", id)
}

func (s *state) SaveAll(ids []string) {
	for _, id := range ids {
		s.db.Exec("INSERT INTO state (id, mark) VALUES (?, ?)", id, s.mark)
	}
}
