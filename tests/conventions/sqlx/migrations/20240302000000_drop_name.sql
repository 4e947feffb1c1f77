-- no-transaction
ALTER TABLE ships DROP COLUMN name;
