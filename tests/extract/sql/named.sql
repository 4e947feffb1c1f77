-- name: ListBooks :many
SELECT sqlc.embed(book) FROM book WHERE author = sqlc.arg(author) AND year > sqlc.narg('year');

-- name: SomeBooks :many
SELECT * FROM book WHERE id IN (sqlc.slice('ids'));
