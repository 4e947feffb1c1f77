package store

func Setup(mux *http.ServeMux, db *sql.DB) {
	Prepare(db)
	mux.HandleFunc("/recent", func(w http.ResponseWriter, r *http.Request) {
		Recent(db, r.URL.Path)
	})
	mux.Handle("/all", answer("all", func(w http.ResponseWriter, r *http.Request) {
		All(db)
	}))
	newest := wrap("newest", func(req *http.Request, user *User) Response {
		return Newest(db)
	})
	mux.Handle("/newest", newest)
	run(func(name string) Response { return Seldom(db) })
	watch(dir("/var"), Later(db))
}

func Prepare(db *sql.DB) {
	db.Exec("DELETE FROM events WHERE done = 1")
}

func Recent(db *sql.DB, room string) (*sql.Rows, error) {
	return db.Query("SELECT id, body FROM events WHERE room = $1", room)
}

func All(db *sql.DB) (*sql.Rows, error) {
	return db.Query("SELECT id FROM events")
}

func Later(db *sql.DB) (*sql.Rows, error) {
	return db.Query("SELECT body FROM events WHERE id = 1")
}

func Newest(db *sql.DB) (*sql.Rows, error) {
	return db.Query("SELECT id FROM events ORDER BY id DESC LIMIT 1")
}

func Seldom(db *sql.DB) (*sql.Rows, error) {
	return db.Query("SELECT min(id) FROM events")
}
