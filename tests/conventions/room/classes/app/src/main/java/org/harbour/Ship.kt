package org.harbour

import androidx.room.*
import java.util.Date
import org.harbour.Log.Companion.KEY
import org.harbour.Positions.OLD

const val SHIPS = "ships"

@Entity(
    tableName = SHIPS,
    indices = [Index("name", unique = true), Index(value = ["lat", "long"], orders = [Index.Order.DESC])],
)
data class Ship(
    @PrimaryKey(autoGenerate = true) val id: Long = 0,
    val name: String,
    @ColumnInfo(name = "nick_name", collate = ColumnInfo.NOCASE) val nickName: String?,
    val built: Date?,
    val kind: Kind = Kind.SAIL,
    @ColumnInfo(name = KEY) val logged: Long,
    @ColumnInfo(name = OLD, defaultValue = "0") val isOld: Boolean,
    @Embedded val position: Position?,
) {
    @Ignore
    var isSelected: Boolean = false

    // var left: String = ""
    var mark: String = "a, b"
    val title get() = name.uppercase()

    fun depth(): Int {
        val depth: Int = 3
        return depth
    }
}

enum class Kind { SAIL, STEAM }

class Converters {
    @TypeConverter
    fun fromDate(date: Date?): Long? = date?.time
}

@DatabaseView("SELECT id, name FROM ships WHERE nick_name IS NOT NULL")
data class NamedShip(val id: Long, val name: String)
