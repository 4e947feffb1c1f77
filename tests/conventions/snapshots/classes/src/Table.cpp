void Table::ensure()
{
    if (!m_db->TableExists(m_name))
        m_db->ExecuteUpdate(m_create);
}
