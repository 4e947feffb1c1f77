<?php

// What callers hand to a function of the file that makes text of it.
function index($db, $name, $table, $columns, $unique = false)
{
    $kind = $unique ? 'UNIQUE ' : '';
    $db->exec("CREATE {$kind}INDEX $name ON $table (" . implode(', ', $columns) . ')');
}

function indexes($db)
{
    index($db, 'by_author', 'book', ['author']);
    index($db, 'by_isbn', 'book', ['isbn'], true);
    index($db, 'by_name', 'author', array('name', 'born'));
}
