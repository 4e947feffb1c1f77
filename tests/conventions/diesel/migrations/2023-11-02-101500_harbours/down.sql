DROP TABLE harbours;
