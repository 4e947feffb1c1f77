# Parameters that take all arguments which remain.
class Mines
  def index(table, *columns, unique: false)
    kind = unique ? "UNIQUE " : ""
    @db.execute("CREATE #{kind}INDEX #{table}_#{columns.join("_")} ON #{table} (#{columns.join(", ")})")
  end

  def indexes(more)
    ores = ["vein", "depth"]
    index("mine", "shaft")
    index("mine", "owner", "opened", unique: true)
    index("ore", *ores)
    index("cart", *more)
  end
end
