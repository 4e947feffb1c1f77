CREATE TABLE ships (harbour INTEGER, afloat INTEGER);
UPDATE version SET number = 2;
