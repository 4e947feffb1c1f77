class Books
  def appended(db, newest)
    sql = "SELECT id FROM book"
    sql << " WHERE author = ?"
    sql << " AND year > 2000" if newest
    db.execute(sql)
  end

  def listed(db, author)
    conditions = ["1 = 1"]
    if author
      conditions << "author = ?"
    end
    db.execute("SELECT id FROM book WHERE #{conditions.join(' AND ')}")
  end
end
