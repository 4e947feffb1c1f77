void upgrade1_2(Database* db)
{
    db->exec("ALTER TABLE cabins ADD beds INTEGER");
}

void upgrade2_3(Database* db)
{
    db->exec("CREATE TABLE guests (id INTEGER PRIMARY KEY, cabin INTEGER)");
    db->exec("ALTER TABLE cabins ADD view TEXT");
}

void upgrade(Database* db, int version)
{
    switch (version) {
    case 1:
        upgrade1_2(db);
    case 2:
        upgrade2_3(db);
    }
}

void book(Database* db)
{
    db->exec("SELECT id FROM cabins WHERE beds = 2 AND view = 'sea'");
}
