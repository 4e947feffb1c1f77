import GRDB

func migrate(_ queue: DatabaseQueue) throws {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("v1") { db in
        try db.create(table: "ship") { t in
            t.autoIncrementedPrimaryKey("id")
            t.column("name", .text).notNull().unique()
            t.column("flag", .text).indexed()
            t.column("load", .integer).notNull().defaults(to: 0)
        }
        try db.create(table: Harbour.databaseTableName) { t in
            t.column("code", .text).primaryKey()
            t.column("old", .boolean)
        }
        try db.create(virtualTable: "ship_text", using: FTS5()) { t in
            t.synchronize(withTable: "ship")
            t.column("name")
        }
        try db.create(table: "computed") { t in
            t.column(Column.owner.name, .text)
        }
    }
    migrator.registerMigration("v2") { db in
        try db.create(table: "call") { t in
            t.column("ship", .integer).notNull().references("ship", onDelete: .cascade)
            t.column("harbour", .text)
            t.column("day", .datetime)
            t.primaryKey(["ship", "day"])
        }
        try db.create(index: "call_by_harbour", on: "call", columns: ["harbour", "day"], options: .unique)
        try db.alter(table: "ship") { t in
            t.add(column: "owner", .text)
            t.rename(column: "load", to: "cargo")
        }
        try db.alter(table: "harbours") { t in
            t.drop(column: "old")
        }
        try db.rename(table: "call", to: "port_call")
        try db.drop(index: "ship_on_flag")
    }
    try migrator.migrate(queue)
}
