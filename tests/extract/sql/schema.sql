-- The whole file is one text: 'quotes' and "names" stay.
CREATE TABLE shelf (id INTEGER PRIMARY KEY, label TEXT DEFAULT 'it''s');

/* SELECT 1; */
CREATE TRIGGER shelf_gone AFTER DELETE ON shelf BEGIN
    DELETE FROM book WHERE shelf = old.id;
END;
