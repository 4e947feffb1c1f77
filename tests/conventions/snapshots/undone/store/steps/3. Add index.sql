CREATE INDEX "ShipHarbour" ON "Ship" ("HarbourID");
