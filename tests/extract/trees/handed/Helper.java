import android.database.sqlite.SQLiteDatabase;

class Helper {
    <T> T run(Work<T> work) {
        SQLiteDatabase db = open();
        return work.on(db);
    }
}
