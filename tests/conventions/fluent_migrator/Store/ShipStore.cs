namespace Store
{
    public class ShipStore
    {
        public void Owned(SqliteConnection db, string owner)
        {
            db.Query<Ship>("SELECT Name FROM Ships WHERE Owner = @owner", new { owner });
        }
    }
}
