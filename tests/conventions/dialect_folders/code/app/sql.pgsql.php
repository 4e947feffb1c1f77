<?php
$SQL_CREATE = <<<'SQL'
CREATE TABLE IF NOT EXISTS harbours (id BIGINT PRIMARY KEY, name TEXT, depth BIGINT);
CREATE INDEX harbours_by_depth ON harbours (depth);
SQL;
