import androidx.room.migration.Migration
import androidx.sqlite.db.SupportSQLiteDatabase

val MIGRATION_1_2 = object : Migration(1, 2) {
    override fun migrate(database: SupportSQLiteDatabase) {
        database.execSQL("ALTER TABLE ships ADD COLUMN name TEXT")
        database.execSQL("CREATE INDEX IF NOT EXISTS index_ships_harbour ON ships (harbour)")
        database.execSQL("CREATE VIEW named AS SELECT id, name FROM ships WHERE name IS NOT NULL")
    }
}
