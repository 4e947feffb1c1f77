package org.harbour

fun open(context: Context) {
    Ships.open(context)
    Cache.open(context)
}
