DROP TABLE ships;
