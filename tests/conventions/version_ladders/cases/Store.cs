class Store
{
    void Upgrade(SqliteConnection db, int version)
    {
        switch (version)
        {
            case 0:
                db.Execute("CREATE TABLE harbours (id INTEGER PRIMARY KEY, name TEXT NOT NULL)");
                goto case 1;
            case 1:
                db.Execute("CREATE TABLE ships (id INTEGER PRIMARY KEY, harbour INTEGER NOT NULL)");
                goto case 2;
            case 2:
                db.Execute("ALTER TABLE ships ADD COLUMN name TEXT");
                break;
        }
    }

    object Ships(SqliteConnection db, string name)
    {
        return db.Query("SELECT id FROM ships WHERE name = @name", new { name });
    }
}
