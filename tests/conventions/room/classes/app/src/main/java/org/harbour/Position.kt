package org.harbour

class Position(val lat: Double, val long: Double)

object Positions {
    const val KEY = "position"
    const val OLD = "is_old"
}
