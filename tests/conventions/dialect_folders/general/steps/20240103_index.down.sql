DROP INDEX ships_name;
