#define Q_CRATE "SELECT label, kilos FROM crates"

char *of_shelf(int shelf) {
  return sqlite3_mprintf(Q_CRATE " WHERE shelf = %d;", shelf);
}
