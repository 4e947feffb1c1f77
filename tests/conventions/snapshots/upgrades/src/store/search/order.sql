DROP TABLE IF EXISTS order_of_names;
CREATE TEMPORARY TABLE order_of_names (place INTEGER PRIMARY KEY, harbour INTEGER UNIQUE);
INSERT INTO order_of_names (harbour) SELECT id FROM harbours ORDER BY name;
