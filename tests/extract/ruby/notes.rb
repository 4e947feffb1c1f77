# Texts, heredocs, methods, blocks, calls without parentheses.
require "sqlite3"

TABLE = "notes".freeze

class Store
  CREATE = <<~SQL
    CREATE TABLE notes (
      id INTEGER PRIMARY KEY,
      title TEXT
    )
  SQL
  STEPS = [
    "ALTER TABLE notes ADD COLUMN body TEXT",
    'CREATE INDEX notes_title ON notes (title)',
  ].freeze

  def initialize(path)
    @db = SQLite3::Database.new(path)
    @db.execute "PRAGMA foreign_keys = ON"
  end

  def find(id)
    @db.get_first_row(<<~SQL, [id]) || raise("none")
      SELECT title
      FROM #{TABLE}
      WHERE id = ?
    SQL
  end

  def strings(order, newest, ids)
    @db.execute("SELECT \"id\" FROM notes WHERE title = 'it''s'")
    @db.execute('SELECT "id" FROM notes')
    @db.execute(%q(SELECT id FROM notes WHERE (title = 'a')))
    @db.execute %{SELECT id FROM #{TABLE}}
    @db.execute("SELECT id FROM notes ORDER BY id #{newest ? "DESC" : 'ASC'}")
    @db.execute("SELECT id FROM notes WHERE id IN (#{ids.map { "?" }.join(",")})", ids)
    words = %w[select "from notes]
    rest = words.size % (3)
    quote = words.first =~ /["']/
    list << "SELECT id FROM notes " + "WHERE title = ?"
    sql = "SELECT id FROM notes"
    sql << " WHERE title = ?" if order
    @db.execute(sql)
    @db.execute(<<-'SQL')
      SELECT '#{none}' FROM notes
    SQL
  end

  def self.save_all(db, rows)
    rows.each do |row|
      db.execute("INSERT INTO notes (title) VALUES (?)", [row.title])
    end
    rows.each { |row| db.execute("DELETE FROM tags WHERE note = ?", [row.id]) }
    db.execute("DELETE FROM tags WHERE note IS NULL")
    for row in rows
      db.execute "UPDATE notes SET title = ? WHERE id = ?", [row.title, row.id]
    end
  end
end
