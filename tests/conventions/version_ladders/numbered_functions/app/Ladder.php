<?php

namespace Post\Ladder;

use PDO;

const VERSION = 3;

function climb(PDO $db, int $from)
{
    for ($to = $from + 1; $to <= VERSION; $to++) {
        $rung = 'Post\Ladder\version_'.$to;
        $rung($db);
    }
}

function version_3(PDO $db)
{
    $db->exec('ALTER TABLE offices ADD COLUMN opened INTEGER');
    $db->exec("INSERT INTO choices VALUES ('round', '2', 'user')");
}

function version_2(PDO $db)
{
    $db->exec("INSERT INTO choices VALUES ('colour', 'red')");
    $db->exec('ALTER TABLE choices ADD COLUMN made_by TEXT');
    $ask = $db->prepare('UPDATE choices SET made_by = ? WHERE made_by IS NULL');
    $ask->execute(['setup']);
}

function version_1(PDO $db)
{
    $db->exec('CREATE TABLE offices (id INTEGER PRIMARY KEY, name TEXT)');
    $db->exec('CREATE TABLE parcels (id INTEGER PRIMARY KEY, office INTEGER, weight INTEGER)');
    $db->exec('CREATE TABLE choices (name TEXT PRIMARY KEY, value TEXT)');
    $db->exec("INSERT INTO choices VALUES ('size', 'small')");
}
