// Texts, verbatim texts, texts with expressions, raw texts.
namespace Notes;

internal static class Schema
{
    private const string Table = "notes";
    public static readonly string Create = @"
        CREATE TABLE ""notes"" (
            ""Id"" INTEGER PRIMARY KEY,
            ""Title"" TEXT
        )";
    public static readonly string[] Steps = new[]
    {
        "ALTER TABLE notes ADD COLUMN Body TEXT",
        $"CREATE INDEX NotesTitle ON {Table} (Title)",
    };
    static string Recent => "SELECT Id FROM notes LIMIT 20";
    const char Quote = '"', Other = '\'';

    public static void Strings(IDbConnection connection, string order, bool newest, IEnumerable<long> ids)
    {
        connection.Execute("SELECT \"Id\" FROM notes");
        connection.Execute($@"SELECT ""Id"" FROM ""{Table}"" WHERE Title = '{{x}}'");
        connection.Execute(@$"SELECT Id FROM {Table} WHERE Path = 'C:\notes'");
        connection.Execute($"SELECT Id FROM notes ORDER BY Id {(newest ? "DESC" : "ASC")}");
        connection.Execute($"SELECT Id FROM notes WHERE Id IN ({string.Join(",", ids)}) LIMIT {ids.Count():D2}");
        connection.Execute("""SELECT "Id" FROM notes WHERE Title = 'raw'""");
        connection.Execute($"""
            SELECT Id
            FROM {Table}
            """);
        connection.Execute($$"""
            SELECT Id, '{' || Title || '}'
            FROM {{Table}}
            WHERE Id IN ({{string.Join(",", ids)}})
            """);
        connection.Execute(string.Format("SELECT {0} FROM {1}", order, Table));
        connection.Execute("SELECT Id FROM notes " + "WHERE Title = @title");
        connection.Execute(Recent);
    }
}
