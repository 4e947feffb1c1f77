// Parameters that take all arguments which remain.
class Mines
{
    void Index(string table, params string[] columns)
    {
        var name = table + "_" + string.Join("_", columns);
        db.Execute($"CREATE INDEX IF NOT EXISTS {name} ON {table} ({string.Join(", ", columns)})");
    }

    void Indexes(string[] more)
    {
        Index("mine", "shaft");
        Index("mine", "owner", "opened");
        Index("ore", new[] { "vein", "depth" });
    }
}
