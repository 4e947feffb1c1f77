#define OPEN 0
static const int LATE = -1;

void read(Database &db) {
  db.exec(std::string("SELECT id FROM watches WHERE state = ") + std::to_string(OPEN));
  db.exec(QString("SELECT id FROM watches WHERE late = %1").arg(LATE));
}
