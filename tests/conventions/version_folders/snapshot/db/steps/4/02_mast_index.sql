CREATE INDEX ships_mast ON ships (mast);
