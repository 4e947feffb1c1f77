#include <sqlite3.h>

struct step { const char *sql; void (*fn)(sqlite3 *db); };

/* Stands above the list, runs behind it. */
static void move_notes(sqlite3 *db)
{
	sqlite3_exec(db, "CREATE TABLE notes_new (id INTEGER PRIMARY KEY, author TEXT, body TEXT)", NULL, NULL, NULL);
	sqlite3_exec(db, "INSERT INTO notes_new SELECT id, author, body FROM notes", NULL, NULL, NULL);
	sqlite3_exec(db, "DROP TABLE notes", NULL, NULL, NULL);
	sqlite3_exec(db, "ALTER TABLE notes_new RENAME TO notes", NULL, NULL, NULL);
}

static struct step steps[] = {
	{ "CREATE TABLE notes (id INTEGER PRIMARY KEY, author TEXT, body TEXT, extra TEXT)", NULL },
	{ "CREATE INDEX notes_author ON notes (author)", NULL },
	{ NULL, move_notes },
	{ "CREATE TABLE tags (note INTEGER, tag TEXT)", NULL },
};

void upgrade(sqlite3 *db)
{
	int version = read_version(db);
	for (int i = version; i < 4; i++) {
		if (steps[i].sql)
			sqlite3_exec(db, steps[i].sql, NULL, NULL, NULL);
		if (steps[i].fn)
			steps[i].fn(db);
	}
}

void list(sqlite3 *db, const char *who)
{
	sqlite3_stmt *stmt;
	sqlite3_prepare_v2(db, "SELECT body FROM notes WHERE author = ?", -1, &stmt, NULL);
}
