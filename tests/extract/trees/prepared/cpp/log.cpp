void Log::open() {
    const std::vector<std::pair<sqlite3_stmt**, const char*>> statements{
        {&m_put, "INSERT INTO entry (key, value) VALUES (?, ?)"},
        {&m_get, "SELECT value FROM entry WHERE key = ?"},
    };
    for (const auto& [statement, text] : statements) {
        sqlite3_prepare_v2(m_db, text, -1, statement, nullptr);
    }
    sqlite3_prepare_v2(m_db, "DELETE FROM entry WHERE key = ?", -1, &m_drop, nullptr);
}

void Log::putAll(const std::vector<Entry>& entries) {
    for (const Entry& entry : entries) {
        sqlite3_bind_text(m_put, 1, entry.key.c_str(), -1, SQLITE_STATIC);
        sqlite3_bind_text(m_put, 2, entry.value.c_str(), -1, SQLITE_STATIC);
        sqlite3_step(m_put);
        sqlite3_reset(m_put);
    }
}

std::string Log::get(const std::string& key) {
    sqlite3_bind_text(m_get, 1, key.c_str(), -1, SQLITE_STATIC);
    return sqlite3_step(m_get) == SQLITE_ROW ? text(m_get) : "";
}

void Log::drop(const std::string& key) {
    bind(m_drop, key);
    sqlite3_step(m_drop);
}
