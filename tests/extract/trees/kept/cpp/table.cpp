void Table::find(const Clauses& clauses) {
    String sql;
    sql += clauses.columns.empty() ? m_select : "SELECT " + clauses.columns;
    if (!clauses.empty()) {
        sql += " WHERE " + clauses.text();
    }
    m_db->prepare(sql);
}

void Table::recent(const Clauses& clauses) {
    String sql;
    sql += m_recent;
    sql += clauses.text();
    sql += m_count;
    m_db->prepare(sql);
}

void Table::count() {
    m_db->execute(m_count);
}
