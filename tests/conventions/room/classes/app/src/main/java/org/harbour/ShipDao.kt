package org.harbour

import androidx.room.*

interface BaseDao<T> {
    @Insert
    fun log(row: T)
}

@Dao
interface LogDao : BaseDao<Log>

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
data class Log(@PrimaryKey val at: Long, val text: String)
