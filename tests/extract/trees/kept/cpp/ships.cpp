ShipTable::ShipTable() {
    m_select = "SELECT id, name FROM ship";
    m_count = "SELECT count(*) FROM ship";
    m_recent = "SELECT id FROM ship WHERE launched > 1950";
}

void ShipTable::all(Database& db) {
    String m_select;
    m_select = "SELECT name FROM ship";
    show(db, m_select);
}
