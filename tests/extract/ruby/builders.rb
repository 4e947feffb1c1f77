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

class Kept
  def self.watched
    after_create do |record|
      table = "#{record.class.table}_kept"
      db.execute("DELETE FROM #{table} WHERE crate = 1")
    end

    after_update do |record|
      table = "#{record.class.table}_moved"
      db.execute("DELETE FROM #{table} WHERE crate = 2")
    end
  end
end
