pub const MIGRATIONS: EmbeddedMigrations = diesel_migrations::embed_migrations!();

pub fn deep(db: &mut SqliteConnection) -> QueryResult<Vec<Harbour>> {
    diesel::sql_query("SELECT id, name FROM harbours WHERE depth > 20").load(db)
}
