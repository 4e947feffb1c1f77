package org.harbour;

import androidx.annotation.NonNull;
import androidx.room.ColumnInfo;
import androidx.room.Entity;
import androidx.room.ForeignKey;
import androidx.room.Index;

@Entity(
    primaryKeys = {"quay", "number"},
    foreignKeys = {@ForeignKey(entity = Ship.class, parentColumns = "id", childColumns = "ship", onDelete = ForeignKey.CASCADE)},
    indices = {@Index({"ship"})})
public class Berth {
    public static final String TAG = "berth";
    @NonNull public String quay = "";
    public int number;
    private Long ship;
    @ColumnInfo(name = "photo")
    private byte[] picture;

    public Long getShip() {
        return ship;
    }
}
