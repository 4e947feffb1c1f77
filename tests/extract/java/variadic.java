// Parameters that take all arguments which remain.
class Mines {
    private void index(String table, String... columns) {
        String name = table + "_" + String.join("_", columns);
        db.execute("CREATE INDEX IF NOT EXISTS " + name + " ON " + table + " (" + String.join(", ", columns) + ")");
    }

    void indexes(String[] more) {
        index("mine", "shaft");
        index("mine", "owner", "opened");
        index("ore", new String[] {"vein", "depth"});
    }
}
