#include "sqlite3.h"

static const char CREATE_SHIPS[] = "CREATE TABLE ships (id INTEGER PRIMARY KEY, name TEXT NOT NULL)";
static const char SHIPS_NAME[] = "CREATE INDEX ships_name ON ships (name)";

const char *table_list[] = {
    CREATE_SHIPS,
    "CREATE TABLE crews (id INTEGER PRIMARY KEY)",
};

const char *index_list[] = {
    SHIPS_NAME,
};

int open_in_memory(void)
{
    int rc = sqlite3_open_v2(":memory:", &memory, SQLITE_OPEN_READWRITE, NULL);
    for (unsigned int i = 0; i < 2; i++)
        rc = sqlite3_exec(memory, table_list[i], NULL, NULL, NULL);
    for (unsigned int i = 0; i < 1; i++)
        rc = sqlite3_exec(memory, index_list[i], NULL, NULL, NULL);
    return rc;
}

int create(sqlite3 *db)
{
    return sqlite3_exec(db, "CREATE TABLE ships (id INTEGER PRIMARY KEY, name TEXT NOT NULL, port TEXT)", 0, 0, 0);
}

int add_crews(sqlite3 *db)
{
    return sqlite3_exec(db, "CREATE TABLE crews (id INTEGER PRIMARY KEY, ship INTEGER)", 0, 0, 0);
}

sqlite3 *open_on_disk(const char *path)
{
    if (!file_exists(path))
        create(open_file(path));
    sqlite3 *db = open_file(path);
    if (version_of(db) < 2)
        add_crews(db);
    return db;
}
