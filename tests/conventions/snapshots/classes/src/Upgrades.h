const std::vector<std::string> upgradeQueries = {
    // to version 1
    "ALTER TABLE berth ADD COLUMN depth INTEGER",
    // to version 2
    R"(
        CREATE TABLE IF NOT EXISTS buoy (id INTEGER PRIMARY KEY, light TEXT);
        CREATE TABLE IF NOT EXISTS beacon (id INTEGER PRIMARY KEY, height INTEGER);
    )",
    // to version 3
    "ALTER TABLE pilot ADD COLUMN since TEXT",
    // to version 4
    R"(
        CREATE TABLE berth_by_name (name TEXT NOT NULL);
        INSERT INTO berth_by_name SELECT quay FROM berth;
        DROP TABLE berth_by_name;
    )",
};
