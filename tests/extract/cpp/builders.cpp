void appended(Database &db, bool newest) {
    std::string sql = "SELECT id FROM book";
    sql += " WHERE author = ?";
    if (newest) {
        sql += " AND year > 2000";
    }
    db.prepare(sql);
}

void streamed(Database &db, bool newest) {
    std::ostringstream sql;
    sql << "SELECT id FROM book" << " WHERE author = ?";
    if (newest)
        sql << " AND year > 2000";
    db.prepare(sql.str());
}

void listed(Database &db, bool newest) {
    QStringList conditions;
    conditions << "author = ?";
    if (newest) {
        conditions.append("year > 2000");
    }
    db.prepare("SELECT id FROM book WHERE " + conditions.join(" AND "));
}
