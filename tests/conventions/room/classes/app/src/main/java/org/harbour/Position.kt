package org.harbour

class Position(val lat: Double, val long: Double)
