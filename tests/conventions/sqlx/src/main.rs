pub async fn open(pool: &SqlitePool) -> Result<()> {
    sqlx::migrate!().run(pool).await?;
    Ok(())
}

pub async fn ships(pool: &SqlitePool, harbour: i64) -> Result<Vec<i64>> {
    sqlx::query_scalar("SELECT id FROM ships WHERE harbour = ?").bind(harbour).fetch_all(pool).await
}
