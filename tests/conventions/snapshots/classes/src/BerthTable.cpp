BerthTable::BerthTable()
{
    m_create = "CREATE TABLE berth (id INTEGER PRIMARY KEY, quay TEXT NOT NULL, depth INTEGER)";
}
