void Crane::add(const Load& load) {
    sqlite3_prepare_v2(m_db, "INSERT INTO load (weight) VALUES (?)", -1, &m_one, nullptr);
    sqlite3_bind_int(m_one, 1, load.weight);
    sqlite3_step(m_one);
}

void Crane::drain(const std::vector<int>& ids) {
    for (int id : ids) {
        sqlite3_prepare_v2(m_db, "DELETE FROM load WHERE id = ?", -1, &m_one, nullptr);
        sqlite3_bind_int(m_one, 1, id);
        sqlite3_step(m_one);
    }
}
