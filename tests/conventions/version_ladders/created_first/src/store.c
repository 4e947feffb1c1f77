#include "sqlite3.h"

static int create_ships(sqlite3 *db)
{
    sqlite3_exec(db, "CREATE TABLE ships (id INTEGER PRIMARY KEY, name TEXT NOT NULL)", 0, 0, 0);
    return set_version(db, 1);
}

static int create_ports(sqlite3 *db)
{
    sqlite3_exec(db, "CREATE TABLE ports (id INTEGER PRIMARY KEY, name TEXT NOT NULL)", 0, 0, 0);
    return set_version(db, 2);
}

static int add_index(sqlite3 *db)
{
    sqlite3_exec(db, "CREATE INDEX ships_name ON ships (name)", 0, 0, 0);
    return set_version(db, 3);
}

void open_store(const char *path)
{
    if (!file_exists(path))
    {
        log_info("none found, a new one is made");
        if (!create_ships(db))
        {
            log_info("that failed");
            return;
        }
    }
    int version = version_of(db);
    if (version < 1)
    {
        return;
    }
    if (version < 2)
    {
        if (!create_ports(db))
        {
            return;
        }
        version = version_of(db);
    }
    if (version < 3)
        add_index(db);
}
