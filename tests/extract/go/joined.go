// Names that are declared empty, characters, labels, arms that leave, a name that is joined twice.
package harbour

import (
	"database/sql"
	"fmt"
	"strings"
)

func rename(db *sql.DB, id int, name, flag *string) {
	var set, sep string
	if name != nil {
		set += sep + "name = ?"
		sep = ", "
	}
	if flag != nil {
		set += sep + "flag = ?"
		sep = ", "
	}
	set += sep + "seen = 1"
	db.Exec("UPDATE ships SET "+set+" WHERE id = ?", id)
}

func count(db *sql.DB, kind int) (*sql.Rows, error) {
	var table string
	switch kind {
	case 1:
		table = "ships"
	case 2:
		table = "boats"
	default:
		return nil, fmt.Errorf("unknown kind")
	}
	return db.Query(fmt.Sprintf("SELECT %s.id FROM %s WHERE %s.seen = 1", table, table, table))
}

func filled(db *sql.DB, line string) {
	var table string
	fmt.Sscanf(line, "%s", &table)
	db.Query("SELECT id FROM " + table)
}

func built(db *sql.DB) {
	var sb strings.Builder
	sb.WriteString("SELECT id FROM ships")
	sb.WriteByte(' ')
	sb.WriteString("WHERE flag = 'x'")
	db.Query(sb.String())
}

func where(db *sql.DB, condition string) {
	var clause string
	if condition != "" {
		clause = fmt.Sprintf("WHERE %s", condition)
	}
	db.Query(fmt.Sprintf("SELECT id FROM piers %s", clause))
}

func free(db *sql.DB)  { where(db, "ship IS NULL") }
func taken(db *sql.DB) { where(db, "ship IS NOT NULL") }
