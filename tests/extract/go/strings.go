// Package shelf shows ways of writing a string.
package shelf

import "database/sql"

const (
	table   = "shelf"
	Columns = "id, label"
	selectAll = `SELECT id FROM shelf`
	deleteOne = "DELETE FROM " + table + " WHERE id = ?"
)

const single = "SELECT 'it''s' FROM shelf"

var insertSQL = `
	INSERT INTO shelf (id, label)
	VALUES (?, '\n')
`

var typed string = "SELECT label FROM shelf"

var queries = []string{
	"CREATE TABLE shelf (id INTEGER)",
	`CREATE INDEX shelf_id ON shelf (id)`,
	selectAll,
}

var byName = map[string]string{
	"all": "SELECT * FROM shelf",
}

// db.Exec("SELECT 1 FROM a_comment")
/* db.Exec("SELECT 2 FROM a_comment") */
func ways(db *sql.DB) error {
	db.Exec("DELETE FROM shelf WHERE label = 'a\tb' AND note = \"x\\y\"")
	db.Exec("DELETE FROM shelf WHERE label = '\u00e9\x41'")
	db.Exec("DELETE FROM regał WHERE 名前 = '日本' -- 😀")
	db.Exec(`DELETE FROM shelf WHERE label = "back\slash"`)
	quote, tick, slash := '"', '\'', '\\'
	db.Exec("SELECT '// no comment', '/* nor this' FROM shelf", quote, tick, slash)
	db.Exec("SELECT a -- of SQL\nFROM shelf") // db.Exec("SELECT 3 FROM a_comment")
	return nil
}

func named(db *sql.DB) {
	db.Query(selectAll)
	db.Exec(deleteOne, 1)
	db.Exec(insertSQL, 1)
	db.QueryRow(single)
	db.QueryRow(typed)
	query := "SELECT label FROM shelf WHERE id = ?"
	db.QueryRow(query, 1)
	var other = "SELECT id FROM shelf WHERE label = ?"
	db.QueryRow(other, "x")
	runAll(db, queries)
}

func pieces(db *sql.DB, column string, limit int) {
	db.Query(fmt.Sprintf("SELECT %s FROM %s LIMIT %d", column, table, limit))
	db.Query(fmt.Sprintf("SELECT %[2]s FROM %[1]s WHERE x LIKE '%%y'", table, "id"))
	db.Query(fmt.Sprintf(`SELECT "id" FROM %q`, column))
	db.Query("SELECT " + Columns + " FROM " + table)
	db.Query("SELECT id " +
		"FROM shelf " +
		"WHERE id = " + strconv.Itoa(limit))
	db.Query(fmt.Sprintf("SELECT id FROM shelf WHERE id IN (%s)", strings.Repeat("?,", limit)))
	db.Query("SELECT id FROM shelf WHERE id IN (" + strings.Repeat("?,", limit) + "?)")
	db.Query("SELECT label FROM shelf WHERE id IN (" + strings.Join(marks, ",") + ")")
	sql := "SELECT id FROM shelf"
	if limit > 0 {
		sql = "SELECT id FROM shelf LIMIT 1"
	}
	db.Query(sql)
}
