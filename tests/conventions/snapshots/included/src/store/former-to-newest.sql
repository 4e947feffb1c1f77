ALTER TABLE parcels RENAME TO parcels_former;
CREATE TABLE parcels (id INTEGER PRIMARY KEY, barcode TEXT, size INTEGER);
INSERT INTO parcels (id, barcode) SELECT id, barcode FROM parcels_former;
