CREATE INDEX harbours_depth ON harbours (depth);
