<?php
// Parameters that take all arguments which remain.
function index(PDO $db, string $table, string ...$columns): void
{
    $name = $table . '_' . implode('_', $columns);
    $db->exec("CREATE INDEX IF NOT EXISTS $name ON $table (" . implode(', ', $columns) . ")");
}

function indexes(PDO $db, array $more): void
{
    $ores = ["vein", "depth"];
    index($db, "mine", "shaft");
    index($db, "mine", "owner", "opened");
    index($db, "ore", ...$ores);
    index($db, "cart", ...$more);
}

function named(PDO $db, string $table, string $columns): void
{
    $name = $table . '_' . str_replace(', ', '_', $columns);
    $db->exec("CREATE INDEX IF NOT EXISTS $name ON $table ($columns)");
}

function names(PDO $db): void
{
    named($db, "mine", "opened, closed");
    named($db, "mine", "closed");
}
