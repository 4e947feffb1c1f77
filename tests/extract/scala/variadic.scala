// Parameters that take all arguments which remain.
class Mines(db: Statement) {
  def index(table: String, columns: String*): Unit = {
    val name = table + "_" + columns.mkString("_")
    db.execute(s"CREATE INDEX IF NOT EXISTS $name ON $table (${columns.mkString(", ")})")
  }

  def indexes(more: Seq[String]): Unit = {
    val ores = Seq("vein", "depth")
    index("mine", "shaft")
    index("mine", "owner", "opened")
    index("ore", ores: _*)
    index("cart", more: _*)
  }
}
