class CrateOrder {
    static String of(Sort sort) {
        switch (sort) {
            case HEAVIEST:
                return "kilos DESC";
            default:
                return "label ASC";
        }
    }
}

class Crates {
    void all(Database db, Sort sort) {
        db.rawQuery("SELECT label FROM crates ORDER BY " + CrateOrder.of(sort), null);
    }
}
