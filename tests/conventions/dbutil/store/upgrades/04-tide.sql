-- v3 -> v4: Add tides
-- only: postgres for next 2 lines
CREATE TYPE tide AS ENUM ('low', 'high');
ALTER TABLE harbours ADD COLUMN tide tide;
-- only: sqlite (line commented)
--ALTER TABLE harbours ADD COLUMN tide TEXT;
-- only: postgres until "end only"
ALTER TABLE harbours ALTER COLUMN tide SET DEFAULT 'low';
-- end only postgres
ALTER TABLE ships ADD COLUMN tide TEXT;
