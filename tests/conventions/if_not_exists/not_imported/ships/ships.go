package ships

import "database/sql"

func Create(db *sql.DB) { db.Exec(`CREATE TABLE IF NOT EXISTS ships (id INTEGER PRIMARY KEY, port INTEGER)`) }
