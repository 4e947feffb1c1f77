const std::vector<std::string> shipSteps = {
    "CREATE TABLE ship (id INTEGER PRIMARY KEY, name TEXT)",
    "CREATE TABLE meta (key TEXT PRIMARY KEY)",
    "ALTER TABLE meta ADD COLUMN value TEXT",
    "ALTER TABLE entry ADD COLUMN ship INTEGER",
};
