def deep(db)
  db.execute("SELECT id, name FROM harbours WHERE depth > ?", [20])
end
