static std::string kShelf = "shelf";

void renew(soci::session &sess) {
    sess << "DROP TABLE IF EXISTS author";
    sess << "CREATE TABLE author (id INTEGER)";
}

void sort(soci::session &sess, int year) {
    sess << "INSERT INTO book VALUES (1)";
    sess << "DELETE FROM book WHERE year = :y", soci::use(year);
    auto prepared = (sess.prepare << "SELECT id FROM book WHERE year = :y ORDER BY id", soci::use(year));
}

void make(Database &db, bool plain) {
    std::string collation = plain ? "" : " COLLATE NOCASE";
    db.getSession() << "CREATE TABLE reader ("
                    << "name TEXT " << collation << " NOT NULL,"
                    << "seen INT);";
}

void told(std::ostream &log) {
    log << "DELETE FROM book failed";
}

void written(SqlLog &sqlLog) {
    sqlLog << "DELETE FROM book failed";
}

void kept(Database &db, int id) {
    std::ostringstream out;
    out << "SELECT id FROM book";
    out << " WHERE author = " << id;
    db.prepare(out.str());
}

void formatted(Database &db) {
    db.prepare(fmt::format("SELECT id FROM {} WHERE row = :n", kShelf));
}

void braced(Database &db, bool newest) {
    auto sql = std::string{"DELETE FROM book WHERE author = ?"};
    if (newest) {
        sql += " AND year > 2000";
    }
    db.prepare(sql);
}
