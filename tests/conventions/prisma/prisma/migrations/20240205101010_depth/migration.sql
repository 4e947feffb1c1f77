-- RedefineTables
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_Harbour" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "name" TEXT NOT NULL,
    "depth" INTEGER NOT NULL DEFAULT 0
);
INSERT INTO "new_Harbour" ("id", "name") SELECT "id", "name" FROM "Harbour";
DROP TABLE "Harbour";
ALTER TABLE "new_Harbour" RENAME TO "Harbour";
PRAGMA foreign_key_check;
PRAGMA foreign_keys=ON;
