#include <sqlite3.h>

struct migration {
	const char *name;
	const char *up;
	const char *down;
};

static struct migration migrations[] = {
	{ "harbours", "CREATE TABLE harbours (id INTEGER PRIMARY KEY, name TEXT NOT NULL)", NULL },
	{ "ships", "CREATE TABLE ships (id INTEGER PRIMARY KEY, harbour INTEGER NOT NULL)", "DROP TABLE ships" },
	{ "name", "ALTER TABLE ships ADD COLUMN name TEXT", "ALTER TABLE ships RENAME TO gone" },
};

int find(sqlite3 *db, sqlite3_stmt **found)
{
	return sqlite3_prepare_v2(db, "SELECT id FROM ships WHERE name = ?", -1, found, NULL);
}
