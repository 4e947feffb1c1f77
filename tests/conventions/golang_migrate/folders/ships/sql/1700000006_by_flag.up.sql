CREATE INDEX ships_flag ON ships (flag);
