package search

const everyShip = "SELECT id FROM ship"
const someShips = "SELECT name %s FROM ship"

type search struct {
	text *bytes.Buffer
	args []interface{}
}

func newSearch() *search {
	one := &search{text: bytes.NewBuffer(nil)}
	one.text.WriteString(everyShip)
	return one
}

func newNames() *search {
	one := &search{text: bytes.NewBuffer(nil)}
	names := fmt.Sprintf(someShips, "")
	one.text.WriteString(names)
	return one
}

func (one *search) byOwner(owner int) *search {
	one.text.WriteString(" WHERE owner = ?")
	return one
}

func whole(db *sql.DB) {
	var text strings.Builder
	text.WriteString("SELECT owner FROM ship")
	db.Query(text.String())
}
