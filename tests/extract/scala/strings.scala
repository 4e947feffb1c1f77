// Raw and interpolated texts, margins, constants of an object.
package harbour

object Berths {
  val Table = "berth"
  val Columns = Seq("pier", "length")
}

class Berths(val db: Connection) {
  import Berths._

  private val free = s"SELECT pier FROM $Table WHERE ship IS NULL"

  def find(pier: String, sort: Boolean): ResultSet = {
    val statement = db.prepareStatement("SELECT \"length\" FROM berth WHERE pier = ?")
    db.prepareStatement(s"SELECT length FROM ${Berths.Table} WHERE pier = '${pier.map(x => "}")}'")
    db.prepareStatement(
      """SELECT pier, length
        |FROM berth
        |WHERE note = '\d'
        |ORDER BY length""".stripMargin)
    db.prepareStatement(
      s"""
        | SELECT pier
        | FROM $Table
        | WHERE length > ?
        |""".stripMargin
    )
    val direction = if (sort) "ASC" else "DESC"
    db.prepareStatement("SELECT pier FROM berth ORDER BY length " + direction)
    db.prepareStatement("UPDATE berth SET ship = NULL " +
      "WHERE pier = ?")
    db.prepareStatement("SELECT pier FROM berth WHERE length IN (%s)".format(List.fill(3)("?").mkString(",")))
    db.prepareStatement(raw"SELECT pier FROM berth WHERE note LIKE '\%'")
    val mark = '"'
    statement.executeQuery()
  }

  def count: Int = db.prepareStatement("SELECT count(*) FROM berth").executeQuery().getInt(1)

  def release(piers: Seq[String]): Unit = piers.foreach { pier =>
    db.prepareStatement("DELETE FROM berth WHERE pier = ?")
  }

  def moor(piers: Seq[String]): Unit = {
    for (pier <- piers) {
      db.prepareStatement("INSERT INTO berth (pier) VALUES (?)")
    }
  }

  /* outer /* inner */ db.execute("SELECT 1 FROM berth") */
}
