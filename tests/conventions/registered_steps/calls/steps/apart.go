package steps

// What was a berth is a mooring from here on.
func init() {
	register(2, `ALTER TABLE berths RENAME TO moorings; DROP INDEX berths_harbour`, `ALTER TABLE moorings RENAME TO berths`)
}
