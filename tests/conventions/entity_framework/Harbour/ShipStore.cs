//! The statements of a harbour.
using Microsoft.Data.Sqlite;

namespace Harbour
{
    public class ShipStore
    {
        public void Load(SqliteConnection connection, string port)
        {
            var command = connection.CreateCommand();
            command.CommandText = "UPDATE Ships SET Load = Load + 1 WHERE PortCode = $port";
            command.Parameters.AddWithValue("$port", port);
            command.ExecuteNonQuery();
        }
    }
}
