-- +goose Up
-- +goose StatementBegin
CREATE TABLE harbours (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
-- +goose StatementEnd

-- +goose Down
DROP TABLE harbours;
