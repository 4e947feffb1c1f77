#include <sqlite3.h>

#define SQL(x) x

typedef void (*step)(sqlite3 *db);

struct migration {
	const char *up;
	step up_fn;
	const char *down;
	step down_fn;
};

static void fill_names(sqlite3 *db)
{
	sqlite3_exec(db, "UPDATE ships SET name = 'unnamed' WHERE name IS NULL", NULL, NULL, NULL);
}

static struct migration migrations[] = {
	{ SQL("CREATE TABLE harbours (id INTEGER PRIMARY KEY, name TEXT NOT NULL)"), NULL },
	{ SQL("CREATE TABLE ships (id INTEGER PRIMARY KEY, harbour INTEGER NOT NULL)"), NULL,
	  SQL("DROP TABLE ships"), NULL },
	/* 1) harbours, 2) ships; "}" ends neither */
	{ SQL("ALTER TABLE ships ADD COLUMN name TEXT"), fill_names,
	  SQL("ALTER TABLE ships DROP COLUMN name"), NULL },
};

int find(sqlite3 *db, sqlite3_stmt **found)
{
	return sqlite3_prepare_v2(db, "SELECT id FROM ships WHERE name = ?", -1, found, NULL);
}
