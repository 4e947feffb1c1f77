class Books
{
    void Appended(Connection db, bool newest)
    {
        var sql = "SELECT id FROM book";
        sql += " WHERE author = @author";
        if (newest)
            sql += " AND year > 2000";
        db.Execute(sql);
    }

    void Built(Connection db, bool newest)
    {
        var sql = new StringBuilder("SELECT id FROM book");
        sql.Append(" WHERE author = @author");
        if (newest)
        {
            sql.Append(" AND year > 2000").AppendLine(" AND pages > 10");
        }
        sql.AppendFormat(" LIMIT {0}", 10);
        db.Execute(sql.ToString());
    }

    void Command(SqliteCommand command, bool newest)
    {
        command.CommandText = "SELECT id FROM book";
        if (newest)
        {
            command.CommandText += " WHERE year > 2000";
        }
        command.ExecuteNonQuery();
    }

    void Listed(Connection db, string author)
    {
        var conditions = new List<string> { "1 = 1" };
        if (author != null)
            conditions.Add("author = @author");
        db.Execute($"SELECT id FROM book WHERE {string.Join(" AND ", conditions)}");
    }
}
