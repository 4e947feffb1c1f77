package org.harbour

import androidx.room.*

interface BaseDao<Key, Row> {
    @Insert
    fun log(row: Row)
}

@Dao
interface LogDao : BaseDao<Long, Log>

@Dao
interface ShipDao {
    @Query("SELECT * FROM ships WHERE name = :name AND nick_name IS NOT NULL")
    fun named(name: String): Ship?

    @Query("SELECT nickName FROM ships")
    fun wrong(): List<String>

    @Insert(onConflict = OnConflictStrategy.REPLACE)
    suspend fun add(ships: List<Ship>): List<Long>

    @Upsert
    fun moor(vararg berths: Berth)

    @Update
    fun change(ship: Ship)

    @Delete
    fun sink(ship: Ship)
}

@Entity
data class Log(@PrimaryKey @ColumnInfo(name = KEY) override val at: Long, val text: String) : Timed {
    companion object {
        const val KEY: String = "logged_at"
    }
}

interface Timed {
    val at: Long
}
