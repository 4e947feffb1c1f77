package steps

func init() { register(9, "DROP TABLE berths", "") }
