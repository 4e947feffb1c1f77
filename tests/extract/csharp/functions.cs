// Methods, expression bodies, constructors, commands, loops, tests.
using System;

namespace Notes
{
    public class Store<T> : IStore where T : Row, new()
    {
        private readonly SqliteConnection m_connection;

        public Store(string path) : base(path, new Options(path))
        {
            using (var command = new SqliteCommand("PRAGMA foreign_keys = ON", m_connection))
                command.ExecuteNonQuery();
        }

        public string Title { get; set; } = "Select a title from the list";

        public long Count() => m_connection.ExecuteScalar<long>("SELECT count(*) FROM notes");

        public async Task<T?> FindAsync<R>(long id, CancellationToken token) where R : struct
        {
            await using var command = m_connection.CreateCommand();
            command.CommandText = "SELECT Title FROM notes WHERE Id = @id";
            command.Parameters.AddWithValue("@id", id);
            return await command.ExecuteScalarAsync(token) as T;
        }

        public void SaveAll(IEnumerable<T> rows)
        {
            using var transaction = m_connection.BeginTransaction();
            foreach (var row in rows)
            {
                m_connection.Execute("INSERT INTO notes (Title) VALUES (@Title)", row, transaction);
            }
            foreach (var row in rows)
                m_connection.Execute("UPDATE notes SET Title = @Title WHERE Id = @Id", row, transaction);
            m_connection.Execute("DELETE FROM tags WHERE Note IS NULL");
            for (var i = 0; i < 3; i++)
            {
                if (i > 1)
                {
                    m_connection.Execute("DELETE FROM tags WHERE Note = @i", new { i });
                }
            }
            rows.ToList().ForEach(row => m_connection.Execute("DELETE FROM tags WHERE Tag = @Title", row));
            var options = new Options(1) { Text = "x" };
        }
    }

    [TestFixture]
    public class Checks
    {
        [Test]
        public void RowsAreFound()
        {
            m_connection.Execute("INSERT INTO notes (Title) VALUES ('a')");
        }
    }
}
