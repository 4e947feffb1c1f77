// Texts, text blocks, constants and formats.
package notes;

import java.util.List;

final class Schema {
    static final String TABLE = "notes";
    private static final String ID = "_id", TITLE = "title";
    static final String CREATE = "CREATE TABLE " + TABLE + " (" +
            ID + " INTEGER PRIMARY KEY, " + TITLE + " TEXT)";
    static final String[] STEPS = {
        "ALTER TABLE notes ADD COLUMN body TEXT",
        "CREATE INDEX notes_title ON notes (" + TITLE + ")",
    };
    static final List<String> MORE = List.of("CREATE INDEX notes_body ON notes (body)", CREATE);
    static final char QUOTE = '"', SLASH = '\'';

    Cursor recent(SQLiteDatabase db, boolean newest) {
        return db.rawQuery("""
                SELECT "_id"
                FROM notes
                WHERE title <> ''
                """, null);
    }

    void formats(Connection connection, String column) throws SQLException {
        connection.prepareStatement(String.format("SELECT %s FROM %2$s", column, TABLE));
        connection.prepareStatement("SELECT title FROM %s".formatted(TABLE).trim());
        connection.prepareStatement("SELECT title FROM notes ORDER BY " + (column == null ? "_id" : "title"));
        StringBuilder sql = new StringBuilder("SELECT title FROM notes");
        if (column != null) sql.append(" WHERE title = ?");
        connection.prepareStatement(sql.toString());
    }
}

@Dao
interface NoteDao {
    @Query("SELECT * FROM notes WHERE title = :title")
    List<Note> byTitle(String title);

    @Query("DELETE FROM notes " +
            "WHERE " + Schema.ID + " = :id")
    void delete(long id);
}
