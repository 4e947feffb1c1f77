void upgrade1_2(Database* db)
{
    db->exec("CREATE TABLE cabins (id INTEGER PRIMARY KEY, name TEXT)");

}

void upgrade2_3(Database* db)
{
    db->exec("ALTER TABLE cabins ADD depth INTEGER");
}

void upgrade3_4(Database* db)
{
    db->exec("ALTER TABLE log ADD note_ship TEXT");
}

void upgrade(Database* db, int version)
{
    switch (version) {
    case 1:
        upgrade1_2(db);
    case 2:
        upgrade2_3(db);
    case 3:
        upgrade3_4(db);
    }
}

void find(Database* db)
{
    db->exec("SELECT id FROM cabins WHERE depth = 2");
}
