// Classes, constructors with lists, methods outside of their class, tests.
class Store : public Base {
public:
    explicit Store(const std::string &path) : m_db(path), m_name{"notes"}, m_size(0) {
        m_db.exec("PRAGMA foreign_keys = ON");
    }
    int count() const noexcept override { return m_db.execAndGet("SELECT count(*) FROM notes").getInt(); }
    template <typename T> auto find(T id) -> std::optional<T>;

private:
    SQLite::Database m_db;
};

template <typename T> auto Store::find(T id) -> std::optional<T> {
    SQLite::Statement query(m_db, "SELECT title FROM notes WHERE id = ?");
    query.bind(1, id);
    return std::nullopt;
}

void notes::Store::saveAll(const std::vector<Row> &rows)
{
    for (const auto &row : rows) {
        SQLite::Statement insert(m_db, "INSERT INTO notes (title) VALUES (?)");
        insert.exec();
    }
    auto each = [this](int id) { m_db.exec("DELETE FROM tags"); };
}

TEST_F(StoreTest, FindsRows) {
    m_db.exec("INSERT INTO notes (title) VALUES ('a')");
}
