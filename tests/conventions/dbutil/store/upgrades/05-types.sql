-- v4 -> v5: Change types
-- only: postgres

ALTER TABLE ships ALTER COLUMN tide TYPE VARCHAR;
