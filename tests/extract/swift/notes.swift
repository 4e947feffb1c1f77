// Texts with expressions, raw texts, functions, loops, closures.
import GRDB

let table = "notes"

struct Store {
    static let create = """
        CREATE TABLE \(table) (
            id INTEGER PRIMARY KEY,
            title TEXT
        )
        """

    func find(_ db: Database, id: Int64) throws -> Row? {
        try Row.fetchOne(db, sql: "SELECT title FROM \(table) WHERE id = ?", arguments: [id])
    }

    func strings(_ db: Database, newest: Bool, ids: [Int64]) throws {
        try db.execute(sql: "SELECT \"id\" FROM notes WHERE title = 'a'")
        try db.execute(sql: #"SELECT "id" FROM notes WHERE title = '\(raw)'"#)
        try db.execute(sql: #"""
            SELECT "id" FROM notes
            """#)
        try db.execute(sql: "SELECT id FROM notes ORDER BY id \(newest ? "DESC" : "ASC")")
        try db.execute(sql: "SELECT id FROM notes WHERE id IN (\(ids.map { _ in "?" }.joined(separator: ",")))")
        try db.execute(sql: "SELECT id FROM notes " + "WHERE title = ?", arguments: ["a"])
    }

    mutating func saveAll(_ rows: [Note]) throws {
        try queue.write { db in
            for row in rows where row.isNew {
                try db.execute(sql: "INSERT INTO notes (title) VALUES (?)", arguments: [row.title])
            }
            rows.forEach { row in
                try? db.execute(sql: "DELETE FROM tags WHERE note = ?", arguments: [row.id])
            }
            try db.execute(sql: "DELETE FROM tags WHERE note IS NULL")
        }
    }
}

extension Store: Searching {
    var count: Int {
        get { database.executeQuery("SELECT count(*) FROM notes", withArgumentsIn: []) }
    }
}

migrator.registerMigration("v2") { db in
    try db.execute(sql: "ALTER TABLE notes ADD COLUMN body TEXT")
}
