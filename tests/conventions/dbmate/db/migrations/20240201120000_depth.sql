-- migrate:up transaction:false
ALTER TABLE harbours ADD COLUMN depth INTEGER;

-- migrate:down
ALTER TABLE harbours DROP COLUMN depth;
