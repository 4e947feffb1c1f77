-- Migration that was changed after its release
-- severity: warning
-- yields-to: missing-index-migration, schema-drift
-- subject: migrations
--
-- A database that ran the migration as it was released does not run it again. What was changed since is there on new databases
-- alone, and nothing tells the two apart: their version is the same. Tools that keep a checksum of each migration refuse to
-- start instead, on the user's machine.
--
-- White space, comments and the case of words make no change, and neither does a text that moved to another file.
--
-- remedy: Put the migration back as it was released, and write a new one for the change.
--
-- ignore: Where the released migration failed on every database, so that none has run it.
WITH latest AS (
    -- Each migration as the latest release had it that had one of its name.
    SELECT released.database, released.name, released.release, release.name AS tag,
        count(DISTINCT released.unit) AS units, count(*) AS texts
    FROM released_migration AS released
    JOIN release ON release.id = released.release
    WHERE release.ordinal = (
        SELECT max(other_release.ordinal)
        FROM released_migration AS other
        JOIN release AS other_release ON other_release.id = other.release
        WHERE other.database = released.database AND other.name = released.name)
    GROUP BY released.database, released.name, released.release
),
today AS (
    SELECT database, name, min(ordinal) AS ordinal, count(DISTINCT unit) AS units, count(*) AS texts
    FROM migration WHERE origin = 'migration' GROUP BY database, name
)
SELECT
    migration.site,
    migration.database,
    printf('this migration is not what %s released: databases that ran it then do not run it again', latest.tag)
        AS message
FROM latest
JOIN today ON today.database = latest.database AND today.name = latest.name
JOIN migration ON migration.id = (
    -- The first text that the release had not, or else the first of all.
    SELECT one.id FROM migration AS one
    WHERE one.database = latest.database AND one.name = latest.name AND one.origin = 'migration'
    ORDER BY one.text_key IN (
        SELECT text_key FROM released_migration AS released
        WHERE released.release = latest.release AND released.database = latest.database), one.ordinal
    LIMIT 1)
WHERE (
    -- A text of the release that is nowhere any more, while a migration of its name is.
    EXISTS (
        SELECT 1 FROM released_migration AS released
        WHERE released.release = latest.release AND released.database = latest.database AND released.name = latest.name
          AND released.text_key NOT IN (SELECT text_key FROM migration AS one WHERE one.database = latest.database))
    -- A text that was added to what runs together.
    OR (today.units = 1 AND latest.units = 1 AND today.texts > latest.texts AND EXISTS (
        SELECT 1 FROM migration AS one
        WHERE one.database = latest.database AND one.name = latest.name
          AND one.text_key NOT IN (
            SELECT text_key FROM released_migration AS released
            WHERE released.release = latest.release AND released.database = latest.database)))
)
