package harbour

class Ships(val db: Connection) {

  using(db.createStatement(), inTransaction = true) { statement =>

    def migration12(statement: Statement): Unit = {
      statement.executeUpdate("ALTER TABLE ship ADD COLUMN quay TEXT")
    }

    def migration23(statement: Statement): Unit = {
      statement.executeUpdate("CREATE TABLE ship_v3 (name TEXT PRIMARY KEY, arrived INTEGER NOT NULL)")
      statement.executeUpdate("INSERT INTO ship_v3 SELECT name, arrived FROM ship")
      statement.executeUpdate("DROP TABLE ship")
      statement.executeUpdate("ALTER TABLE ship_v3 RENAME TO ship")
      statement.executeUpdate("CREATE INDEX ship_arrived ON ship (arrived)")
    }

    getVersion(statement) match {
      case None =>
        statement.executeUpdate("CREATE TABLE ship (name TEXT PRIMARY KEY, arrived INTEGER NOT NULL)")

        statement.executeUpdate("CREATE INDEX ship_arrived ON ship (arrived)")
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

  def since(time: Long): Seq[String] =
    using(db.prepareStatement("SELECT name FROM ship WHERE arrived > ?")) { statement =>
      statement.executeQuery().map(_.getString(1))
    }
}
