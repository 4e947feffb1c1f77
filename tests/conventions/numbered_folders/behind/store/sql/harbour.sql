CREATE TABLE harbours (name TEXT NOT NULL);
CREATE VIRTUAL TABLE harbour_words USING fts3(name, tokenize=seafarer);
CREATE TABLE version (number INTEGER);
INSERT INTO version VALUES (0);
