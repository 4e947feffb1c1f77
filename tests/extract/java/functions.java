// Methods without a keyword, loops with and without braces, tests.
package notes;

public class Store<T extends Row> extends SQLiteOpenHelper {
    private final SQLiteDatabase db;

    public Store(Context context) {
        super(context, "notes.db", null, 3);
        this.db = getWritableDatabase();
        db.execSQL("PRAGMA foreign_keys = ON");
    }

    @Override
    public void onCreate(SQLiteDatabase db) {
        db.execSQL(Schema.CREATE);
        db.execSQL("CREATE TABLE tags (note INTEGER, tag TEXT)");
    }

    static <R> R find(SQLiteDatabase db, long id) throws SQLException, IOException {
        try (Cursor cursor = db.rawQuery("SELECT title FROM notes WHERE _id = ?", new String[] { "" + id })) {
            return cursor.moveToFirst() ? read(cursor) : null;
        }
    }

    public void saveAll(List<T> rows) {
        db.beginTransaction();
        for (T row : rows) {
            db.execSQL("INSERT INTO notes (title) VALUES (?)", new Object[] { row.title() });
        }
        for (int i = 0; i < rows.size(); i++)
            db.execSQL("UPDATE notes SET title = ? WHERE _id = ?", new Object[] { rows.get(i).title(), i });
        db.execSQL("DELETE FROM tags WHERE note IS NULL");
        rows.forEach(row -> db.execSQL("DELETE FROM tags WHERE note = ?", new Object[] { row.id() }));
        do {
            db.execSQL("DELETE FROM notes WHERE title IS NULL");
        } while (rows.isEmpty());
        new Thread(new Runnable() {
            @Override
            public void run() {
                db.execSQL("ANALYZE");
            }
        }).start();
        switch (rows.size()) {
            case 1 -> db.execSQL("DELETE FROM notes WHERE _id = 1");
            default -> throw new IllegalStateException("Select another from the list");
        }
    }

    @Test
    public void rowsAreFound() {
        db.execSQL("INSERT INTO notes (title) VALUES ('a')");
    }

    void saveByHand(Connection db, List<Book> books) throws SQLException {
        db.setAutoCommit(false);
        for (Book book : books) {
            PreparedStatement insert = db.prepareStatement("INSERT INTO book (title) VALUES (?)");
            insert.setString(1, book.title);
            insert.executeUpdate();
        }
        db.commit();
    }

    void saveEach(Connection db, List<Book> books) throws SQLException {
        db.setAutoCommit(true);
        for (Book book : books) {
            db.prepareStatement("INSERT INTO book (title, year) VALUES (?, 0)").executeUpdate();
        }
    }
}
