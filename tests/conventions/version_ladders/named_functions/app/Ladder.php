<?php

function version_10(PDO $db)
{
    $db->exec('ALTER TABLE parcels ADD COLUMN weight INTEGER');
}

function version_9(PDO $db)
{
    $db->exec('DROP TABLE drafts');
}

function version_1(PDO $db)
{
    $db->exec('CREATE TABLE parcels (id INTEGER PRIMARY KEY)');
    $db->exec('CREATE TABLE drafts (id INTEGER PRIMARY KEY)');
}
