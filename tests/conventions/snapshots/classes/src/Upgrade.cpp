bool Upgrade::to(Database* db, int version)
{
    try
    {
        Statement stmt = db->PrepareStatement(upgradeQueries[version]);
        stmt.ExecuteUpdate();
    }
    catch (const DatabaseError& e)
    {
        return false;
    }
    return true;
}
