PilotTable::PilotTable()
{
    m_create = "CREATE TABLE pilot (id INTEGER PRIMARY KEY, name TEXT NOT NULL, since TEXT)";
}
