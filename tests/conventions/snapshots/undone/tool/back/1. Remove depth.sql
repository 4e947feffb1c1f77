CREATE TEMPORARY TABLE "HarbourTemp" AS SELECT "ID", "Name" FROM "Harbour";
DROP TABLE "Harbour";
CREATE TABLE "Harbour" ("ID" INTEGER PRIMARY KEY, "Name" TEXT NOT NULL);
INSERT INTO "Harbour" ("ID", "Name") SELECT "ID", "Name" FROM "HarbourTemp";
DROP TABLE "HarbourTemp";
