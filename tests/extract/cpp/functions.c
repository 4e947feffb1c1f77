/* Functions, prototypes, loops, structs. */
#include <sqlite3.h>

struct store {
    sqlite3 *db;
    sqlite3_stmt *find;
};

static int find_note(struct store *store, int id);

static int find_note(struct store *store, int id)
{
    if (sqlite3_prepare_v2(store->db, "SELECT title FROM notes WHERE id = ?", -1, &store->find, NULL) != SQLITE_OK)
        return -1;
    sqlite3_bind_int(store->find, 1, id);
    return sqlite3_step(store->find);
}

struct store *
open_store(const char *path)
{
    struct store *store = calloc(1, sizeof(*store));
    sqlite3_open(path, &store->db);
    sqlite3_exec(store->db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);
    return store;
}

void save_all(struct store *store, const int *ids, size_t count) {
    const char *sql = "INSERT INTO notes (id) VALUES (?)";
    sqlite3_stmt *insert;
    sqlite3_prepare_v2(store->db, sql, -1, &insert, NULL);
    for (size_t i = 0; i < count; i++) {
        sqlite3_bind_int(insert, 1, ids[i]);
        sqlite3_step(insert);
        find_note(store, ids[i]);
    }
    for (size_t i = 0; i < count; i++)
        sqlite3_exec(store->db, "DELETE FROM tags WHERE note = 1", NULL, NULL, NULL);
    sqlite3_exec(store->db, "DELETE FROM tags WHERE note IS NULL", NULL, NULL, NULL);
    while (find_note(store, 1) == SQLITE_ROW) {
        sqlite3_exec(store->db, "DELETE FROM notes WHERE id = 1", NULL, NULL, NULL);
    }
}

int put_kind(sqlite3 *db, const char *name)
{
    const char *kind = "chest";
    char *sql = sqlite3_mprintf("INSERT INTO crates (name, kind) SELECT %Q, %Q WHERE %Q IS NOT NULL", name, kind, name);
    return sqlite3_exec(db, sql, 0, 0, 0);
}
