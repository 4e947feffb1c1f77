-- +migrate Up notransaction
ALTER TABLE harbours ADD COLUMN depth INTEGER;

-- +migrate Down
ALTER TABLE harbours DROP COLUMN depth;
