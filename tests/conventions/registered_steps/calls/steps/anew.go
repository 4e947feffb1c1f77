package steps

func init() {
	register(3, "CREATE TABLE berths (mooring INTEGER, ship TEXT)", "DROP TABLE berths")
}
