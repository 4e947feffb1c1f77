static const char *const tides[] = {"high", "low", NULL};

enum { DAY, NIGHT };

static const char *watches[2] = {
	[DAY] = "day_watch",
	[NIGHT] = "night_watch",
};

static const struct sail { const char *name; int size; } sails[] = {{"jib", 1}, {"main", 2}};

struct query { const char *front; const char *table; };

int each_tide(sqlite3 *db)
{
	char sql[128];
	for (int i = 0; tides[i]; i++) {
		snprintf(sql, sizeof(sql), "DELETE FROM %s WHERE gone = 1", tides[i]);
		sqlite3_exec(db, sql, 0, 0, 0);
	}
	return 0;
}

int first_tide(sqlite3 *db)
{
	char sql[128];
	snprintf(sql, sizeof(sql), "SELECT height FROM %s", tides[0]);
	return sqlite3_exec(db, sql, 0, 0, 0);
}

int watch(sqlite3 *db, int which)
{
	const char *names[] = {"bell", "log"};
	char sql[128];
	snprintf(sql, sizeof(sql), "SELECT mate FROM %s JOIN %s USING (hour)", watches[which], names[1]);
	return sqlite3_exec(db, sql, 0, 0, 0);
}

int furl(sqlite3 *db, int which)
{
	char sql[128];
	struct query one = {"SELECT size", "sails"};
	snprintf(sql, sizeof(sql), "UPDATE sails SET furled = 1 WHERE name = '%s'", sails[which].name);
	return sqlite3_exec(db, sql, 0, 0, 0);
}
