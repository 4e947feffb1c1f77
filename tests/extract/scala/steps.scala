// A ladder of versions: functions that are named by number, and the schema of a new database.
package harbour

object Ships {
  val CurrentVersion = 3
}

class Ships(val db: Connection) {
  import Ships._

  using(db.createStatement(), inTransaction = true) { statement =>

    def migration12(statement: Statement): Unit = {
      statement.executeUpdate("ALTER TABLE ship ADD COLUMN flag TEXT")
    }

    def migration23(statement: Statement): Unit = {
      statement.executeUpdate("CREATE INDEX ship_flag ON ship (flag)")
    }

    getVersion(statement) match {
      case None =>
        statement.executeUpdate("CREATE TABLE ship (name TEXT PRIMARY KEY, flag TEXT)")
        statement.executeUpdate("CREATE INDEX ship_flag ON ship (flag)")
      case Some(v@(1 | 2)) =>
        if (v < 2) {
          migration12(statement)
        }
        if (v < 3) {
          migration23(statement)
        }
      case Some(CurrentVersion) => ()
    }
  }
}
