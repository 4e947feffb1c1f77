@Dao
interface ShipDao {
    @Query("SELECT id FROM ships WHERE harbour = :harbour")
    fun ships(harbour: Long): List<Long>

    @Query("SELECT * FROM named")
    fun named(): List<Named>
}
