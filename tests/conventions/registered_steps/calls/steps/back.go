package steps

func init() {
	register(10, "CREATE TABLE berths (mooring INTEGER, ship TEXT, since INTEGER); CREATE INDEX berths_harbour ON berths(mooring)", "")
}
