package org.harbour;

import androidx.room.*;

@Database(version = 2, entities = {Ship.class})
public abstract class HarbourDatabase extends RoomDatabase {
    static HarbourDatabase inHarbour(Context context) {
        return Room.databaseBuilder(context, HarbourDatabase.class, "harbour").addMigrations(new Migration(1, 2) {
            @Override
            public void migrate(SupportSQLiteDatabase db) {
                db.execSQL("ALTER TABLE `ships` ADD COLUMN `cargo` TEXT");
                db.execSQL("CREATE INDEX `index_ships_harbour` ON `ships` (`harbour`)");
            }
        }).build();
    }
}
