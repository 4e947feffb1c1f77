DELETE FROM steps_done WHERE applied IS NULL;
