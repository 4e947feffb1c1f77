-- Under an earlier number it did the same.
DELETE FROM _sqlx_migrations WHERE version = 20240201000000;
