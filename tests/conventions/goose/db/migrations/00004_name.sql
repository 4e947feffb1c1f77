-- +goose NO TRANSACTION
-- +goose Up
ALTER TABLE ships ADD COLUMN name TEXT;
-- +goose Down
ALTER TABLE ships DROP COLUMN name;
