package org.harbour

import androidx.room.Database
import androidx.room.RoomDatabase
import androidx.room.migration.Migration
import androidx.sqlite.db.SupportSQLiteDatabase

@Database(
    entities = [Ship::class, Berth::class, Log::class],
    views = [NamedShip::class],
    version = 3,
    exportSchema = false,
)
abstract class HarbourDatabase : RoomDatabase() {
    abstract fun ships(): ShipDao

    companion object {
        private val MIGRATION_1_2 = object : Migration(1, 2) {
            override fun migrate(db: SupportSQLiteDatabase) {
                db.execSQL("ALTER TABLE ships ADD COLUMN nick_name TEXT")
            }
        }
    }
}
