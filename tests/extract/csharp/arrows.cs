class Depot
{
    string Table() => "crates";

    (string, object) Clause(string shelf) => shelf == null ? ("WHERE shelf IS NULL", null) : ("WHERE shelf = @shelf", shelf);

    void OnShelf(SqliteConnection db, string shelf)
    {
        var (clause, values) = Clause(shelf);
        db.Query($"SELECT label FROM {Table()} {clause}", values);
    }
}
