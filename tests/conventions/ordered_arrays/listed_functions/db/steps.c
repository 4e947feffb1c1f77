#include "store.h"

struct step {
	const char *sql;
	void (*run)(struct store *store);
};

static void paint(struct store *store);

static const struct step storemigrations[] = {
	{ "CREATE TABLE hulls (id INTEGER PRIMARY KEY, steel REAL)", NULL },
	{ "ALTER TABLE hulls ADD COLUMN colour TEXT", paint },
	{ NULL, paint },
};

static void paint(struct store *store)
{
	store_exec(store, "ALTER TABLE hulls ADD COLUMN painted INTEGER");
	store_exec(store, "CREATE INDEX hulls_painted ON hulls (painted)");
}

static void climb(struct store *store, int at)
{
	while (at < COUNT(storemigrations)) {
		if (storemigrations[at].sql)
			store_exec(store, storemigrations[at].sql);
		if (storemigrations[at].run)
			storemigrations[at].run(store);
		at++;
	}
}

struct store *store_open(const char *path)
{
	struct store *store = store_connect(path);

	store_begin_transaction(store);
	climb(store, store_version(store));
	store_commit_transaction(store);
	return store;
}

int heavy(struct store *store)
{
	return store_exec(store, "SELECT id FROM hulls WHERE steel > 9000");
}
