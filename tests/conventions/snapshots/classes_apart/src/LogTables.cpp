LogTables::LogTables()
{
    m_create = "CREATE TABLE entry (id INTEGER PRIMARY KEY, text TEXT); CREATE TABLE meta (key TEXT, value TEXT)";
}
