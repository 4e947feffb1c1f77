// Literals side by side, raw literals, macros, formats.
#include <sqlite3.h>
#include "notes.h"

#define TABLE "notes"
#define COLUMNS "id, title"
#define CREATE_NOTES \
    "CREATE TABLE " TABLE " (" \
    "id INTEGER PRIMARY KEY, " \
    "title TEXT)"
#define MAX_ROWS 20
#define SQL(x) x

static const char *const steps[] = {
    "ALTER TABLE notes ADD COLUMN body TEXT",
    "CREATE INDEX notes_title ON " TABLE " (title)",
    nullptr,
};
constexpr char kRecent[] = R"sql(
    SELECT "id" FROM notes WHERE title <> ')' LIMIT 20
)sql";
const std::string kAll = "SELECT " COLUMNS " FROM notes";
const char quote = '"', slash = '\'', number = 1'000;

int strings(sqlite3 *db, const char *title, sqlite3_int64 id, bool newest) {
    sqlite3_exec(db, "SELECT \"id\" FROM notes "
                     "WHERE title = 'a'"
                     /* the oldest first */
                     " ORDER BY id", nullptr, nullptr, nullptr);
    sqlite3_exec(db, u8"SELECT id FROM notes WHERE body = 'u8'", 0, 0, 0);
    sqlite3_exec(db, "SELECT id \
FROM notes WHERE body = 'line'", 0, 0, 0);
    char *sql = sqlite3_mprintf("SELECT id FROM %w WHERE title = %Q AND id > %lld", TABLE, title, id);
    sqlite3_exec(db, sql, 0, 0, 0);
    char other[256];
    snprintf(other, sizeof(other), "SELECT id FROM notes WHERE id = %" PRId64 " LIMIT 1", id);
    sqlite3_exec(db, other, 0, 0, 0);
    sqlite3_exec(db, newest ? "SELECT max(id) FROM notes" : "SELECT min(id) FROM notes", 0, 0, 0);
    QSqlQuery query(QStringLiteral("SELECT id FROM notes WHERE title = ?"));
    query.prepare(QString("SELECT id FROM %1").arg(TABLE));
    query.prepare("SELECT id FROM notes "_L1 "WHERE title = ?"_L1);
    return sqlite3_exec(db, CREATE_NOTES, 0, 0, 0);
}
