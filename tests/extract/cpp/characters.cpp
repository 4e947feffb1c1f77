// Characters that are put behind a text, and texts that are declared empty.
#include <string>

void free_berths(sqlite3* db) {
    std::string sql = "SELECT id FROM berths WHERE ";
    sql += '(';
    sql += "ship IS NULL";
    sql.push_back(')');
    sql.push_back(';');
    sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr);
}

void find(sqlite3* db, bool by_name, bool by_flag) {
    std::string where, sep;
    if (by_name) {
        where += sep + "name = ?";
        sep = " AND ";
    }
    if (by_flag) {
        where += sep + "flag = ?";
        sep = " AND ";
    }
    std::string sql = "SELECT id FROM ships WHERE " + where;
    sqlite3_prepare_v2(db, sql.c_str(), -1, &statement, nullptr);
}

void read(sqlite3* db) {
    std::string table;
    std::cin >> table;
    std::string sql = "DELETE FROM " + table;
    sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr);
}
