class Store {
    Cursor search(String[] words) {
        String query = "SELECT * FROM book WHERE author = 1";
        StringBuilder sql = new StringBuilder(query);
        for (String word : words) {
            sql.append(" AND title LIKE ?");
        }
        sql.append(" ORDER BY title LIMIT 300");
        return db.rawQuery(sql.toString(), words);
    }

    void remove(List<Book> books) {
        StringBuilder ids = new StringBuilder();
        for (Book book : books) {
            if (ids.length() != 0) {
                ids.append(",");
            }
            ids.append(book.getId());
        }
        db.execSQL("DELETE FROM book WHERE id IN (" + ids + ")");
    }

    void prefixed(String prefix) {
        StringBuilder sql = new StringBuilder();
        if (prefix != null) {
            sql.append(prefix);
        }
        sql.append("SELECT id FROM book");
        db.rawQuery(sql.toString(), null);
    }
}

class Folders {
    Cursor one(String name, long id) {
        String base = "SELECT id FROM shelf ";
        if (name != null) {
            return db.rawQuery(base + "WHERE name = ?", null);
        } else {
            return db.rawQuery(base + "WHERE id = ?", null);
        }
    }
}
