package store

const berths = "berths"
const base = `SELECT name FROM ships`
const one = base + " WHERE id = $1"
const many = `SELECT name FROM ships WHERE id IN (%s)`
const put = `INSERT INTO ships (id, %[1]s) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET %[1]s = excluded.%[1]s`
const rows = `INSERT INTO ships (id, name) VALUES `
const whole = `SELECT id FROM crews`

var crews string
var either string

func name() {
	crews = "crews"
	either = "port"
}

func rename(either string) {
	either = "none"
}

func again() { either = "starboard" }

const (
	open = 0
	late = -1
)
