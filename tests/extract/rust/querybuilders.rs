//! Query builders, whose texts are put together by calls.

use sqlx::{QueryBuilder, Sqlite};

fn page(after: Option<i64>) {
    let mut query: QueryBuilder<Sqlite> = QueryBuilder::new("SELECT id FROM book WHERE author = 1");
    if let Some(after) = after {
        query.push(" AND year > ");
        query.push_bind(after);
    }
    query.push(" ORDER BY year LIMIT 10");
    query.build_query_as::<Row>().fetch_all(&mut db);
}

fn several(ids: &[i64]) {
    let mut query = QueryBuilder::<Sqlite>::new("SELECT year FROM book WHERE id IN (");
    let mut separated = query.separated(", ");
    for id in ids {
        separated.push_bind(id);
    }
    separated.push_unseparated(") AND author = ");
    query.push_bind(1);
    query.build().fetch_all(&mut db);
}

fn either(lent: bool) {
    let mut query = sqlx::QueryBuilder::<Sqlite>::new("SELECT x.id, x.year FROM ");
    query.push(if lent { "loan" } else { "book" }).push(" AS x WHERE x.author = ").push_bind(1);
    query.build().fetch_all(&mut db);
}

fn rows(all: &[Row]) {
    let mut query = QueryBuilder::new("INSERT INTO book (id, year) ");
    query.push_values(all, |mut row, one| {
        row.push_bind(one.id).push_bind(one.year);
    });
    query.build().execute(&mut db);
}

fn helped(filter: &Filter) {
    let mut query = QueryBuilder::new("SELECT id FROM book WHERE id = 1");
    filter.add_to(&mut query);
    query.build().fetch_all(&mut db);
}

fn listed(words: &[&str]) {
    let mut all = Vec::new();
    all.push("SELECT id FROM book");
    all.push("WHERE year = 1");
    db.query(&all.join(" "));
}
