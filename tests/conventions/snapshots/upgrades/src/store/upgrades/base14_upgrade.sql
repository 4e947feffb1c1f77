DROP TABLE IF EXISTS berths;
CREATE TABLE berths (harbour INTEGER, length INTEGER);
CREATE INDEX berths_by_harbour ON berths (harbour);
