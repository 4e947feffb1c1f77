// Package store holds the marks.
package store

type DB struct{ db *sql.DB }

func (s *DB) ByOwner(owner string) { s.db.Query("SELECT id FROM mark WHERE owner = ?", owner) }

func (s *DB) ByUrl(url string) { s.db.Query("SELECT id FROM mark WHERE url = ?", url) }

func (s *DB) Taken() { s.db.Query("SELECT id FROM mark WHERE taken = 1") }

func (s *DB) Held() { s.db.Query("SELECT id FROM mark WHERE held = 1") }

func (s *DB) Watched() { s.db.Query("SELECT id FROM mark WHERE watched = 1") }

func (s *DB) Pending() { s.db.Query("SELECT id FROM mark WHERE pending = 1") }

func (s *DB) Due() { s.db.Query("SELECT id FROM mark WHERE due = 1") }

func (s *DB) Late() { s.db.Query("SELECT id FROM mark WHERE late = 1") }

func (s *DB) Lost() { s.db.Query("SELECT id FROM mark WHERE lost = 1") }

func (s *DB) Exported() { s.db.Query("SELECT id FROM mark WHERE exported = 1") }

// Forgotten is what nothing asks for.
func (s *DB) Forgotten() { s.db.Query("SELECT id FROM mark WHERE forgotten = 1") }

// Querier lists what nobody calls: the second type that has it is for another engine.
type Querier interface {
	Listed()
	Drop()
}

func (s *DB) Listed() { s.db.Query("SELECT id FROM mark WHERE listed = 1") }

type Other struct{ db *sql.DB }

func (s *Other) Listed() { s.db.Query("SELECT id FROM mark WHERE listed = 2") }

func (s *DB) Dropped() { s.db.Exec("DELETE FROM mark WHERE dropped = 1") }

func (s *DB) Drop() { s.Dropped() }
