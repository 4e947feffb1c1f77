# What callers hand to a method of the file that makes text of it.
def index(db, table, columns, unique = false)
  kind = unique ? "UNIQUE " : ""
  db.execute("CREATE #{kind}INDEX by_#{columns.join("_")} ON #{table} (#{columns.join(", ")})")
end

def indexes(db)
  index(db, "book", ["author"])
  index(db, "book", ["isbn"], true)
  index(db, "author", ["name", "born"])
end
