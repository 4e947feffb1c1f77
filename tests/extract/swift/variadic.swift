// Parameters that take all arguments which remain.
func index(_ db: Connection, table: String, columns: String...) throws {
    let name = table + "_" + columns.joined(separator: "_")
    try db.execute("CREATE INDEX IF NOT EXISTS \(name) ON \(table) (\(columns.joined(separator: ", ")))")
}

func indexes(_ db: Connection) throws {
    try index(db, table: "mine", columns: "shaft")
    try index(db, table: "mine", columns: "owner", "opened")
}
