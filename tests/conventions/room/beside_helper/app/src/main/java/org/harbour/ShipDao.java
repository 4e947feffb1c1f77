package org.harbour;

import androidx.room.*;

@Dao
public interface ShipDao {
    @Query("SELECT cargo FROM ships WHERE harbour = :harbour")
    List<String> moored(long harbour);
}
