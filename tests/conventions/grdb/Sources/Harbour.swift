import GRDB

struct Harbour: Codable, FetchableRecord {
    static let databaseTableName = "harbours"
    var code: String
}

func calls(_ db: Database, harbour: String) throws -> [Row] {
    try Row.fetchAll(db, sql: "SELECT ship.name FROM port_call JOIN ship ON ship.id = port_call.ship WHERE port_call.harbour = ?", arguments: [harbour])
}
