// Texts that a constructor begins, and what is put behind them.
void Shelf::rename(const std::string &shelf) {
    std::string query("UPDATE jar SET shelf = 'old' WHERE shelf <> 'new' ");
    query.append("AND label = ");
    query.append("'plum'");
    run(query);
}

void Shelf::clear(const std::string &shelf, bool all) {
    std::string query{"DELETE FROM jar WHERE shelf = 'low'"};
    if (!all) {
        query += " AND label <> 'plum'";
    }
    run(query);
}

QString Shelf::count(const QString &label) {
    QString query("SELECT count(*) FROM " + table());
    query += QString(" WHERE label = ?");
    return query;
}

std::string named(const std::string &label) {
    throw std::string("SELECT nothing FROM jar");
}
