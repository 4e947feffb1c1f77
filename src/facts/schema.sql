-- The facts: everything planlint knows of a program, as tables that a rule can query.
--
-- They are the contract between what gathers facts and what judges them, and `planlint facts` writes them out for
-- any SQLite client. Tables and columns may be added; none changes its meaning.
--
-- Conventions:
--   * A column named after a table holds the `id` of the row there it belongs to. Ids mean nothing outside one run.
--   * Names of tables, columns and indexes are those of the schema, not those that a statement happens to print, and
--     compare without regard to case, as SQLite's own names do. `schema` is SQLite's: main, temp, or an attached one.
--   * A comment beside a column says what it means, one beside a word on a line below what the word means.
--   * A flag is 0 or 1; NULL means that it is not known, which is not the same as 0.
--   * A wrong word fails on insertion, in builds for tests; in a release nothing looks at it again. The largest tables
--     test their words one by one, and not by IN, which builds its list anew for every row.
--   * What nothing asks for need not be there. A comment says so where rows are left out.
--   * Offsets and lengths are in bytes; lines and columns count from 1, columns in UTF-16 units.

-- -------------------------------------------------------------------------------------- the run and the tree

-- This run: one row.
CREATE TABLE run (
    id       INTEGER PRIMARY KEY CHECK (id = 1),
    planlint TEXT NOT NULL,            -- the version of planlint
    root     TEXT NOT NULL,            -- the root of the tree, as it was given
    config   TEXT                      -- the planlint.toml that was used, relative to the root
) STRICT;

-- A build of SQLite that planned statements.
CREATE TABLE engine (
    id      INTEGER PRIMARY KEY,
    version TEXT NOT NULL,             -- such as 3.54.1
    program TEXT,                      -- the sqlite3 shell that was asked; NULL for the first, which is in planlint
    options TEXT NOT NULL DEFAULT ''   -- its compile-time options that change plans, separated by spaces
) STRICT;

-- A file of the tree.
CREATE TABLE source (
    id       INTEGER PRIMARY KEY,
    path     TEXT NOT NULL,            -- relative to the root, with / between the parts
    language TEXT,                     -- such as rust, c++, sql, or log, of statements; NULL where none was recognised
    role     TEXT NOT NULL DEFAULT 'production' CHECK (role IN ( -- what its code is for, by its path
                 'production', 'test', 'migration', 'offline')),
    driver   TEXT CHECK (driver = 'apsw'), -- the driver that a file of Python imports, where it opens no transaction
    skipped  TEXT                      -- why it was not read; NULL where it was
) STRICT;

-- A byte range of a file: the only "where".
CREATE TABLE site (
    id      INTEGER PRIMARY KEY,
    source  INTEGER NOT NULL REFERENCES source,
    start   INTEGER NOT NULL,          -- the first byte
    end     INTEGER NOT NULL,          -- the byte after the last
    line    INTEGER NOT NULL,          -- of the first byte
    column  INTEGER NOT NULL           -- of the first byte
) STRICT;

-- ----------------------------------------------------------------------------------------------- the program

-- A function that holds SQL, or that calls one that does, and when it runs.
CREATE TABLE function (
    id     INTEGER PRIMARY KEY,
    site   INTEGER NOT NULL REFERENCES site,
    name   TEXT NOT NULL,
    role   TEXT NOT NULL CHECK (role IN ( -- when it runs
               'production',           -- while the program does its work
               'test',
               'start_up',             -- once, before that
               'migration',            -- once on each database
               'offline',              -- in a tool beside the program
               'dead')),               -- never: nothing calls it
    reason TEXT,                       -- how the role was found: "called only from tests", "under tools/"
    given_connection INTEGER NOT NULL DEFAULT 0 CHECK (given_connection IN (0, 1)) -- a parameter of it is called one
) STRICT;

-- A call that runs a statement, or one of a function of the program that does, or that calls one. Where its name may
-- mean several functions, it is here only if one of that name has a loop, and a transaction is open around the call.
CREATE TABLE call (
    id             INTEGER PRIMARY KEY,
    site           INTEGER NOT NULL REFERENCES site,
    caller         INTEGER REFERENCES function,          -- the function it stands in; NULL outside any
    callee_name    TEXT NOT NULL,                        -- as written, without its receiver
    callee         INTEGER REFERENCES function,          -- NULL where it is not one of this program, or not certain
    statement      INTEGER REFERENCES statement,         -- the statement that this call prepares or runs
    loop_depth     INTEGER NOT NULL DEFAULT 0,           -- loops around it within its function
    loop           INTEGER REFERENCES site,              -- the header of the innermost
    outermost_loop INTEGER REFERENCES site,              -- the header of the outermost
    loop_source    TEXT CHECK (loop_source IN (          -- what the innermost loop walks
                       'rows', 'collection', 'range', 'condition',
                       'queue',                          -- what has come since the last time, taken from a field
                       'fixed')),                        -- few elements, which are written there
    loop_searches  INTEGER CHECK (loop_searches IN (0, 1)), -- that loop ends with the element it looked for
    loop_writes    INTEGER CHECK (loop_writes IN (0, 1)),   -- it calls what changes things, by name
    loop_waits     INTEGER CHECK (loop_waits IN (0, 1)),    -- it calls what waits for others, by name
    loop_asks      INTEGER CHECK (loop_asks IN (0, 1)),     -- it walks on from what this call found, and ends by what
                                                         -- another call says of the place
    conditional    INTEGER CHECK (conditional IN (0, 1)),   -- it runs in some turns only: in a branch of that loop (of
                                                         -- its function, where none is around), or behind a map
    seldom         INTEGER CHECK (seldom IN (0, 1)),        -- it runs once in a constant number of times: n % 64 == 0
    in_transaction INTEGER CHECK (in_transaction IN (0, 1)), -- whether a transaction is open around it
    begins         TEXT CHECK (begins IN (               -- where a call in front of it, by its name, opens that one
                       'loop',                           -- in the innermost loop, in each of its turns
                       'function')),                     -- in the function, and not in that loop
    commits        TEXT CHECK (commits IN (              -- where what it writes is committed, if a driver began that
                                                         -- transaction by itself, as that of Python does
                       'loop',                           -- in the innermost loop around it, in each of its turns
                       'function'))                      -- in the function, and not in each turn of that loop
) STRICT;

-- What a call hands to its callee, the receiver aside, or binds to the parameters of its statement. Looked for only
-- where a loop of the program stands around the call, or around a call of its function, up to two calls above: that
-- there is no row says nothing of other calls.
CREATE TABLE argument (
    call    INTEGER NOT NULL REFERENCES call,
    ordinal INTEGER NOT NULL,          -- from 1, as the parameter it is bound to
    name    TEXT,                      -- the parameter's name, where it is bound by name
    origin  TEXT NOT NULL CHECK (origin IN ( -- where its value comes from
                'literal',
                'loop_item',           -- an element of the loop around
                'last_result',         -- what the same call found in the loop's last turn
                'parameter', 'unknown')),
    parameter INTEGER                  -- the parameter of the function around it that it depends on, from 1
) STRICT;

-- A table that a text names of which a part is known only to the running program, so that it is not planned.
CREATE TABLE unread_reference (
    site    INTEGER NOT NULL REFERENCES site,
    "table" TEXT COLLATE NOCASE        -- NULL: it may be any
) STRICT;

-- An index that the program makes, of which no column is known before it runs: it may serve any statement.
CREATE TABLE unread_index (
    site    INTEGER NOT NULL REFERENCES site,
    "table" TEXT COLLATE NOCASE        -- NULL: it may be of any
) STRICT;

-- A library by which the program builds queries without writing their text, so that they are not seen.
CREATE TABLE query_builder (
    name TEXT NOT NULL,
    site INTEGER NOT NULL REFERENCES site                -- where a source first names it
) STRICT;

-- A string or file that looks like SQL, and what became of it. Nothing is skipped in silence.
CREATE TABLE literal (
    id      INTEGER PRIMARY KEY,
    site    INTEGER NOT NULL REFERENCES site,
    outcome TEXT NOT NULL CHECK (outcome IN ( -- what became of it
                'planned',
                'dynamic',             -- its text is not known before the program runs
                'foreign',             -- it is written for another engine than SQLite
                'refused',             -- SQLite would not compile it
                'schema',              -- it makes schema, and is no statement to judge
                'connection',          -- it is a transaction, a pragma or the like
                'part',                -- it is only a part of other texts
                'known',               -- it was logged, and stands in a source as well
                'backward',            -- it leads back to an older version of the schema
                'not_sql')),
    reason  TEXT                       -- such as "the table name is computed"; NULL where it was planned
) STRICT;

-- -------------------------------------------------------------------------------------------- the statements

-- One SQL statement of the program. One site has several where its text depends on branches.
CREATE TABLE statement (
    id             INTEGER PRIMARY KEY,
    site           INTEGER NOT NULL REFERENCES site,
    function       INTEGER REFERENCES function,          -- the function it stands in; NULL outside any
    database       INTEGER REFERENCES database,          -- the database whose schema it compiles on
    kind           TEXT NOT NULL CHECK (                 -- what it does
                       kind = 'select' OR kind = 'insert' OR kind = 'update' OR kind = 'delete'
                       OR kind = 'replace'               -- REPLACE and INSERT OR REPLACE: may delete rows
                       OR kind = 'ddl' OR kind = 'pragma' OR kind = 'transaction' OR kind = 'other'),
    branch         INTEGER NOT NULL DEFAULT 0,           -- the number of this text among those of its site
    sink           TEXT,                                 -- the name of the function that it is given to
    sink_kind      TEXT NOT NULL DEFAULT 'none' CHECK (  -- what that function does with a text
                       sink_kind = 'runs_one'            -- and drops what follows in silence
                       OR sink_kind = 'refuses_more'     -- fails where more follows
                       OR sink_kind = 'runs_many' OR sink_kind = 'none'
                       OR sink_kind = 'runs'),           -- one or many, by library
    tail_bytes     INTEGER NOT NULL DEFAULT 0,           -- SQL text after the first statement, comments and space aside
    tail_site      INTEGER REFERENCES site,              -- where that text stands
    role           TEXT NOT NULL CHECK (                 -- when it runs; see function.role
                       role = 'production' OR role = 'test' OR role = 'start_up'
                       OR role = 'migration' OR role = 'offline' OR role = 'dead'),
    loop_depth     INTEGER NOT NULL DEFAULT 0,           -- loops around the call that runs it, within its function
    in_transaction INTEGER CHECK (in_transaction = 0 OR in_transaction = 1), -- whether a transaction is open around it
    seldom         INTEGER NOT NULL DEFAULT 0 CHECK (seldom = 0 OR seldom = 1), -- it runs once in a constant number of
                                                         -- times, or all calls of its function do
    text           TEXT NOT NULL,                        -- the SQL, folded, with parameters in place of its holes
    text_key       TEXT NOT NULL,                        -- the SQL without parameter names, white space and comments
    holes          INTEGER NOT NULL DEFAULT 0,           -- parts of the text that are not constant
    guessed        INTEGER NOT NULL DEFAULT 0 CHECK (guessed = 0 OR guessed = 1), -- its table is computed, and this one
                                                         -- of several that may be meant; or it has what one
                                                         -- condition alone puts on
    filtered       INTEGER CHECK (filtered = 0 OR filtered = 1),   -- its outermost query has a WHERE, not WHERE true
    ordered        INTEGER CHECK (ordered = 0 OR ordered = 1),     -- its outermost SELECT has an ORDER BY
    limited        INTEGER CHECK (limited = 0 OR limited = 1),     -- it has a LIMIT, at any depth
    skips          INTEGER CHECK (skips = 0 OR skips = 1),         -- it has an OFFSET
    pages          INTEGER CHECK (pages = 0 OR pages = 1),         -- its OFFSET grows from page to page
    aggregate      INTEGER CHECK (aggregate = 0 OR aggregate = 1), -- its outermost SELECT makes groups, or one of all
    grouped        INTEGER CHECK (grouped = 0 OR grouped = 1),     -- it has a GROUP BY
    is_distinct    INTEGER CHECK (is_distinct = 0 OR is_distinct = 1), -- it says SELECT DISTINCT
    positional     INTEGER CHECK (positional = 0 OR positional = 1), -- it goes by the order of columns: an INSERT
                                                         -- that names none, or * in what it gives
    planned_after  INTEGER REFERENCES migration,         -- the last migration on whose schema it is planned: what it
                                                         -- names is there between two; NULL where all have run
    constant       INTEGER CHECK (constant = 0 OR constant = 1),   -- its plan proves it constant
    asks_rowid     INTEGER NOT NULL DEFAULT 0 CHECK (asks_rowid = 0 OR asks_rowid = 1), -- it inserts, and it or its
                                                         -- function asks for the rowid of the new row
    unenforced     INTEGER NOT NULL DEFAULT 0 CHECK (unenforced = 0 OR unenforced = 1), -- its function turns foreign
                                                         -- keys off before it runs
    idle_clause    TEXT                                  -- its clause about conflicts, such as OR IGNORE, where SQLite
                                                         -- compiles the same without it; NULL else
) STRICT;

-- A query of a statement, with each that it stands in, itself included. They are numbered in the order of the text: 0
-- is the outermost SELECT, the UPDATE or DELETE itself, or an INSERT together with the SELECT whose rows it takes. Each
-- subquery, derived table and body of a common table expression has its own, so has the DO UPDATE of an upsert, and so
-- has each arm of a compound; no arm stands in another.
CREATE TABLE query_within (
    statement  INTEGER NOT NULL REFERENCES statement,
    query      INTEGER NOT NULL,       -- the number of the query
    within     INTEGER NOT NULL,       -- the number of one that it stands in, or its own
    subqueries INTEGER NOT NULL,       -- of expressions, left on the way out; 0: the rows of one reach the other
    limited    INTEGER NOT NULL CHECK (limited IN (0, 1)), -- that one has a LIMIT, or its compound
    windowed   INTEGER NOT NULL CHECK (windowed IN (0, 1)), -- that one has a window function
    negated    INTEGER NOT NULL CHECK (negated IN (0, 1)) -- that one stands behind NOT EXISTS
) STRICT;

-- A column without a table before it, in the list of an IN, that no table of the list has and one around it does.
CREATE TABLE captured_column (
    statement INTEGER NOT NULL REFERENCES statement,
    column    TEXT NOT NULL COLLATE NOCASE,
    "table"   TEXT NOT NULL COLLATE NOCASE,              -- the table or view that it belongs to
    within    TEXT NOT NULL COLLATE NOCASE,              -- the first table of the list
    listed    INTEGER NOT NULL CHECK (listed IN (0, 1)), -- it is what the list holds; 0: the WHERE of that compares it
    site      INTEGER REFERENCES site
) STRICT;

-- A table, view or common table expression that a statement names, be it to read or to write.
CREATE TABLE table_reference (
    statement INTEGER NOT NULL REFERENCES statement,
    query     INTEGER NOT NULL DEFAULT 0,                -- the query in which it stands
    schema    TEXT COLLATE NOCASE,                       -- NULL where the name is that of a common table expression
    "table"   TEXT NOT NULL COLLATE NOCASE,
    alias     TEXT COLLATE NOCASE,                       -- as the statement calls it, where it says AS
    natural   INTEGER NOT NULL DEFAULT 0 CHECK (natural IN (0, 1)), -- it is joined by a NATURAL JOIN
    site      INTEGER REFERENCES site
) STRICT;

-- A parameter of a statement.
CREATE TABLE parameter (
    statement INTEGER NOT NULL REFERENCES statement,
    ordinal   INTEGER NOT NULL,                          -- from 1, as SQLite numbers it
    name      TEXT,                                      -- with its prefix, such as :height; NULL for a bare ?
    "table"   TEXT COLLATE NOCASE,                       -- the column that it is compared with or stored in
    column    TEXT COLLATE NOCASE,
    is_list   INTEGER NOT NULL DEFAULT 0 CHECK (is_list IN (0, 1))  -- it stands for a list of any length
) STRICT;

-- A term of a WHERE, an ON, an ORDER BY and so on.
CREATE TABLE predicate (
    id           INTEGER PRIMARY KEY,
    statement    INTEGER NOT NULL REFERENCES statement,
    query        INTEGER,                                -- the query in which it stands; NULL: not known
    clause       TEXT NOT NULL CHECK (                   -- where it stands; join: in an ON
                     clause = 'where' OR clause = 'join' OR clause = 'order_by' OR clause = 'set'
                     OR clause = 'group_by' OR clause = 'having'),
    ordinal      INTEGER NOT NULL DEFAULT 0,             -- its place in the text, from 0
    "table"      TEXT COLLATE NOCASE,                    -- the table or view whose column it is; NULL if not known
    column       TEXT COLLATE NOCASE,
    operator     TEXT,                                   -- =, <, IS, IN, LIKE, BETWEEN, …; ASC or DESC in an ORDER BY
    wrapper      TEXT,                                   -- what stands around the column: lower(…), +, CAST
    value        TEXT CHECK (                            -- what it is compared with; NULL where there is nothing
                     value = 'parameter' OR value = 'literal' OR value = 'column' OR value = 'subquery'
                     OR value = 'expression'),
    literal      TEXT,                                   -- as written; in a pattern … stands for what is computed; also
                                                         -- one that is seen to be bound
    put_in       INTEGER NOT NULL DEFAULT 0 CHECK (put_in = 0 OR put_in = 1), -- that literal is written apart from the
                                                         -- column: a function gives it, or a name stands for it
    value_table  TEXT COLLATE NOCASE,                    -- where it is compared with a column; NULL as above
    value_column TEXT COLLATE NOCASE,                    -- that column
    site         INTEGER REFERENCES site
) STRICT;

-- A column that a statement reads, as SQLite's authorizer reports it.
CREATE TABLE read (
    statement    INTEGER NOT NULL REFERENCES statement,
    schema       TEXT NOT NULL COLLATE NOCASE,
    "table"      TEXT NOT NULL COLLATE NOCASE,
    column       TEXT NOT NULL COLLATE NOCASE,           -- empty where only the rows are counted
    through      TEXT CHECK (through = 'trigger' OR through = 'foreign_key' OR through = 'view'), -- NULL: by its own
    through_name TEXT                                    -- the name of that trigger or view
) STRICT;

-- A table that a statement writes. REPLACE is an insert here; statement.kind tells.
CREATE TABLE write (
    statement    INTEGER NOT NULL REFERENCES statement,
    schema       TEXT NOT NULL COLLATE NOCASE,
    "table"      TEXT NOT NULL COLLATE NOCASE,
    action       TEXT NOT NULL CHECK (                  -- what it does there
                     action = 'insert' OR action = 'update' OR action = 'delete'),
    column       TEXT COLLATE NOCASE,                    -- of an update
    through      TEXT CHECK (through = 'trigger' OR through = 'foreign_key' OR through = 'view'), -- NULL: by its own
    through_name TEXT                                    -- the name of that trigger or view
) STRICT;

-- A column that must not be NULL, and that gets NULL from each row of an INSERT, whatever its parameters are.
CREATE TABLE missing_value (
    statement INTEGER NOT NULL REFERENCES statement,
    "table"   TEXT NOT NULL COLLATE NOCASE,
    column    TEXT NOT NULL COLLATE NOCASE,
    silent    INTEGER NOT NULL DEFAULT 0 CHECK (silent IN (0, 1)) -- no error: the row is passed over
) STRICT;

-- A column that a REPLACE which names its columns leaves out: of a row that was there, it has its default again.
CREATE TABLE left_out (
    statement INTEGER NOT NULL REFERENCES statement,
    "table"   TEXT NOT NULL COLLATE NOCASE,
    column    TEXT NOT NULL COLLATE NOCASE
) STRICT;

-- A function of SQLite, or of the program, that a statement calls.
CREATE TABLE called_function (
    statement INTEGER NOT NULL REFERENCES statement,
    name      TEXT NOT NULL COLLATE NOCASE               -- as SQLite names it: like for LIKE
) STRICT;

-- A column of text of which a statement wants the largest value: by max(), or as the first of ORDER BY … DESC.
CREATE TABLE largest_text (
    statement INTEGER NOT NULL REFERENCES statement,
    "table"   TEXT NOT NULL COLLATE NOCASE,
    column    TEXT NOT NULL COLLATE NOCASE
) STRICT;

-- A text that is known to be written to such a column: migrations leave it there, or an INSERT whose values are
-- literals writes it.
CREATE TABLE written_text (
    database INTEGER NOT NULL REFERENCES database,
    "table"  TEXT NOT NULL COLLATE NOCASE,
    column   TEXT NOT NULL COLLATE NOCASE,
    value    TEXT NOT NULL,                              -- the text
    number   INTEGER,                                    -- it is that number, written without zeros in front
    site     INTEGER REFERENCES site                     -- what writes it; NULL for what migrations leave
) STRICT;

-- A statement, or a part of one, that SQLite would not compile.
CREATE TABLE refusal (
    id        INTEGER PRIMARY KEY,
    statement INTEGER NOT NULL REFERENCES statement,
    variant   INTEGER REFERENCES variant,                -- NULL where no variant was at hand
    kind      TEXT NOT NULL CHECK (kind IN (             -- why
                  'syntax', 'incomplete', 'no_such_table', 'no_such_column',
                  'no_such_function', 'no_such_collation', 'no_such_module', 'no_such_index', 'already_exists',
                  'duplicate_column', 'constraint', 'forbidden', 'limit', 'other')),
    name      TEXT,                                      -- what there is no such of
    near      TEXT,                                      -- a name of the schema that is one or two letters from it
    message   TEXT NOT NULL,                             -- SQLite's own words
    elsewhere INTEGER NOT NULL DEFAULT 0 CHECK (elsewhere IN (0, 1)), -- most columns that it returns are in no table
    site      INTEGER REFERENCES site                    -- the place within the statement; NULL if SQLite gives none
) STRICT;

-- --------------------------------------------------------------------------- the databases and their schemas

-- A database of the program.
CREATE TABLE database (
    id           INTEGER PRIMARY KEY,
    name         TEXT NOT NULL,
    found        TEXT NOT NULL CHECK (found IN (         -- how it is known
                     'configured', 'guessed',
                     'file',                             -- it is audited
                     'missing')),                        -- statements need it, and nothing in the tree creates it
    foreign_keys INTEGER NOT NULL DEFAULT 0 CHECK (foreign_keys IN (0, 1)),  -- the program enforces them
    in_memory    INTEGER NOT NULL DEFAULT 0 CHECK (in_memory IN (0, 1)),     -- the program opens it as :memory: alone
    snapshot     INTEGER NOT NULL DEFAULT 0 CHECK (snapshot IN (0, 1)),  -- what creates a new one makes already what
                                                         -- migrations would, and it runs none of them
    complete     INTEGER NOT NULL DEFAULT 1 CHECK (complete IN (0, 1)),      -- all of its schema's text was constant
    site         INTEGER REFERENCES site                 -- what declares it, where one place does
) STRICT;

-- A database that another one attaches.
CREATE TABLE attached (
    database INTEGER NOT NULL REFERENCES database,
    schema   TEXT NOT NULL COLLATE NOCASE,               -- the name under which it is attached
    target   INTEGER REFERENCES database                 -- NULL where its schema is not known, itself where it makes it
) STRICT;

-- A guess about a database, which the configuration could settle.
CREATE TABLE guess (
    database INTEGER REFERENCES database,
    text     TEXT NOT NULL,            -- a sentence: what was assumed, and why
    site     INTEGER REFERENCES site
) STRICT;

-- A schema that a database in the field can have.
CREATE TABLE variant (
    id            INTEGER PRIMARY KEY,
    database      INTEGER NOT NULL REFERENCES database,
    kind          TEXT NOT NULL CHECK (kind IN (         -- how it comes about
                      'declared',                        -- by all migrations; of a snapshot, without
                      'fresh',                           -- as a new database is created
                      'upgraded',                        -- from what an older release created
                      'file')),                          -- it is that of an audited database
    first_release INTEGER REFERENCES release,            -- the first release whose databases have it
    last_release  INTEGER REFERENCES release             -- and the last
) STRICT;

-- A table of a schema.
CREATE TABLE schema_table (
    id            INTEGER PRIMARY KEY,
    variant       INTEGER NOT NULL REFERENCES variant,
    schema        TEXT NOT NULL DEFAULT 'main' COLLATE NOCASE,
    name          TEXT NOT NULL COLLATE NOCASE,
    is_strict     INTEGER NOT NULL DEFAULT 0 CHECK (is_strict IN (0, 1)), -- it says STRICT
    without_rowid INTEGER NOT NULL DEFAULT 0 CHECK (without_rowid IN (0, 1)), -- it says WITHOUT ROWID
    module        TEXT,                                  -- of a virtual table
    shadow_of     TEXT COLLATE NOCASE,                   -- the virtual table that it belongs to
    site          INTEGER REFERENCES site                -- what creates it
) STRICT;

-- A column of a table.
CREATE TABLE column (
    id            INTEGER PRIMARY KEY,
    schema_table  INTEGER NOT NULL REFERENCES schema_table,
    ordinal       INTEGER NOT NULL,                      -- from 0
    name          TEXT NOT NULL COLLATE NOCASE,
    declared_type TEXT NOT NULL DEFAULT '',              -- empty where there is none
    affinity      TEXT NOT NULL CHECK (                  -- what SQLite makes of the type
                      affinity = 'INTEGER' OR affinity = 'TEXT' OR affinity = 'BLOB'
                      OR affinity = 'NUMERIC' OR affinity = 'REAL'),
    not_null      INTEGER NOT NULL DEFAULT 0 CHECK (not_null = 0 OR not_null = 1), -- it says NOT NULL
    default_value TEXT,                                  -- as written
    primary_key   INTEGER NOT NULL DEFAULT 0,            -- its place in the primary key, from 1; 0 outside it
    hidden        INTEGER NOT NULL DEFAULT 0 CHECK (hidden = 0 OR hidden = 1), -- a hidden column of a virtual table
    generated     TEXT CHECK (                           -- how it is computed; NULL where it is not
                      generated = 'stored' OR generated = 'virtual'),
    collation     TEXT NOT NULL DEFAULT 'BINARY' COLLATE NOCASE, -- by which its values compare
    site          INTEGER REFERENCES site
) STRICT;

-- A word of a declared type.
CREATE TABLE type_word (
    column INTEGER NOT NULL REFERENCES column,
    word   TEXT NOT NULL,              -- as written
    known  INTEGER NOT NULL CHECK (known = 0 OR known = 1), -- a type of SQL or SQLite, or a constraint
    near   TEXT                        -- the known word that is one or two letters away; NULL if known, or far from all
) STRICT;

-- An index of a schema.
CREATE TABLE "index" (
    id            INTEGER PRIMARY KEY,
    variant       INTEGER NOT NULL REFERENCES variant,
    schema        TEXT NOT NULL DEFAULT 'main' COLLATE NOCASE,
    "table"       TEXT NOT NULL COLLATE NOCASE,
    name          TEXT NOT NULL COLLATE NOCASE,
    origin        TEXT NOT NULL CHECK (                  -- what made it: CREATE INDEX, UNIQUE, PRIMARY KEY
                      origin = 'create' OR origin = 'unique' OR origin = 'primary_key'),
    is_unique     INTEGER NOT NULL CHECK (is_unique = 0 OR is_unique = 1), -- no two rows have the same key
    partial_where TEXT,                                  -- its WHERE; NULL where it has none
    site          INTEGER REFERENCES site                -- what creates it
) STRICT;

-- A column of an index, keys first.
CREATE TABLE index_column (
    "index"    INTEGER NOT NULL REFERENCES "index",
    ordinal    INTEGER NOT NULL,                         -- from 0
    column     TEXT COLLATE NOCASE,                      -- NULL for an expression and for the rowid
    expression TEXT,                                     -- the expression, as written
    descending INTEGER NOT NULL DEFAULT 0 CHECK (descending = 0 OR descending = 1), -- it says DESC
    collation  TEXT NOT NULL DEFAULT 'BINARY' COLLATE NOCASE, -- by which it is ordered
    is_key     INTEGER NOT NULL DEFAULT 1 CHECK (is_key = 0 OR is_key = 1) -- 0: carried along to reach the row
) STRICT;

-- A foreign key of a schema.
CREATE TABLE foreign_key (
    id        INTEGER PRIMARY KEY,
    variant   INTEGER NOT NULL REFERENCES variant,
    schema    TEXT NOT NULL DEFAULT 'main' COLLATE NOCASE,
    "table"   TEXT NOT NULL COLLATE NOCASE,              -- the child
    parent    TEXT NOT NULL COLLATE NOCASE,              -- the table that it refers to
    on_delete TEXT NOT NULL DEFAULT 'NO ACTION',         -- as SQLite spells it
    on_update TEXT NOT NULL DEFAULT 'NO ACTION',         -- the same
    site      INTEGER REFERENCES site                    -- what declares it, or else its table
) STRICT;

-- A column of a foreign key.
CREATE TABLE foreign_key_column (
    foreign_key   INTEGER NOT NULL REFERENCES foreign_key,
    ordinal       INTEGER NOT NULL,                      -- from 0
    column        TEXT NOT NULL COLLATE NOCASE,          -- of the child
    parent_column TEXT COLLATE NOCASE                    -- where none is written, that of the parent's primary key
) STRICT;

-- A trigger of a schema.
CREATE TABLE trigger (
    id      INTEGER PRIMARY KEY,
    variant INTEGER NOT NULL REFERENCES variant,
    schema  TEXT NOT NULL DEFAULT 'main' COLLATE NOCASE,
    "table" TEXT NOT NULL COLLATE NOCASE,
    name    TEXT NOT NULL COLLATE NOCASE,
    event   TEXT NOT NULL CHECK (                        -- what it runs after, before or in place of
                event = 'INSERT' OR event = 'UPDATE' OR event = 'DELETE'),
    whole   TEXT COLLATE NOCASE,                         -- the table of which it updates each row or none: the WHERE
                                                         -- asks for OLD or NEW, and names no column of it
    site    INTEGER REFERENCES site
) STRICT;

-- What triggers do for a full-text table once a row changes whose words it holds, as it was tried:
-- https://www.sqlite.org/fts5.html#external_content_tables
CREATE TABLE upkeep (
    variant   INTEGER NOT NULL REFERENCES variant,
    full_text TEXT NOT NULL COLLATE NOCASE,              -- the full-text table
    "table"   TEXT NOT NULL COLLATE NOCASE,              -- the table whose triggers fill it
    content   TEXT COLLATE NOCASE,                       -- the table of its values; NULL where it keeps them itself
    column    TEXT COLLATE NOCASE,                       -- with the word that is looked for; NULL of a delete
    change    TEXT NOT NULL CHECK (                      -- what is done to the row
                  change = 'update' OR change = 'delete' OR change = 'replace'),
    trigger   INTEGER REFERENCES trigger,                -- one for this change that writes to the full-text table
    keeps     INTEGER NOT NULL CHECK (keeps IN (0, 1))   -- the row is not found any more by a word that it had
) STRICT;

-- A view of a schema.
CREATE TABLE view (
    id      INTEGER PRIMARY KEY,
    variant INTEGER NOT NULL REFERENCES variant,
    schema  TEXT NOT NULL DEFAULT 'main' COLLATE NOCASE,
    name    TEXT NOT NULL COLLATE NOCASE,
    site    INTEGER REFERENCES site
) STRICT;

-- A word of an index's name that is also a name of the schema, such as `height` in idx_blocks_height.
CREATE TABLE name_word (
    "index" INTEGER NOT NULL REFERENCES "index",
    ordinal INTEGER NOT NULL,                            -- from 0
    word    TEXT NOT NULL COLLATE NOCASE,                -- as it stands in the name
    means   TEXT NOT NULL CHECK (means IN ('table', 'column')) -- what has this name
) STRICT;

-- ------------------------------------------------------------------------------------------- size and values

-- How many rows a table will have.
CREATE TABLE table_size (
    id       INTEGER PRIMARY KEY,
    database INTEGER NOT NULL REFERENCES database,
    "table"  TEXT NOT NULL COLLATE NOCASE,
    class    TEXT NOT NULL CHECK (class IN ( -- how that number changes
                 'growing',            -- rows are added while the program runs
                 'churning',           -- and deleted, in a way that proves no bound
                 'loaded',             -- rows come from start-up code alone, from data of unknown size
                 'bounded',            -- never more than `bound`
                 'single')),           -- one row
    bound    INTEGER,                  -- the most rows it can have; NULL where it has no bound
    rows     INTEGER,                  -- that it had in a database in the field; NULL where none was looked at
    said     INTEGER NOT NULL DEFAULT 0 CHECK (said IN (0, 1)), -- the configuration says that number, and no database
    found    TEXT NOT NULL DEFAULT 'inferred' CHECK (found IN ( -- how the class is known
                 'configured', 'inferred', 'counted'))
) STRICT;

-- What the size of a table was inferred from.
CREATE TABLE size_evidence (
    table_size INTEGER NOT NULL REFERENCES table_size,
    site       INTEGER REFERENCES site,
    text       TEXT NOT NULL           -- such as "rows are inserted here", "no statement deletes from it"
) STRICT;

-- What is known of the values of a column.
CREATE TABLE column_values (
    database   INTEGER NOT NULL REFERENCES database,
    "table"    TEXT NOT NULL COLLATE NOCASE,
    column     TEXT NOT NULL COLLATE NOCASE,
    "distinct" TEXT NOT NULL CHECK ("distinct" IN ('unique', 'few', 'many')), -- how many values differ
    key_order  TEXT CHECK (key_order IN ('random', 'ordered')),  -- how they come, as keys of an index
    reason     TEXT                                              -- how that was found, in words
) STRICT;

-- -------------------------------------------------------------------------------------- the schema's history

-- A folder of numbered files that make the schema of a database.
CREATE TABLE series (
    id       INTEGER PRIMARY KEY,
    database INTEGER NOT NULL REFERENCES database,
    folder   TEXT NOT NULL,            -- relative to the root
    list     INTEGER REFERENCES site,  -- where code names its files one by one; NULL if not known
    sorted   INTEGER REFERENCES site   -- where code reads it, its files in the order of their names; NULL if not known
) STRICT;

-- A number that a file of a series has, be it one that is read or not.
CREATE TABLE series_number (
    series INTEGER NOT NULL REFERENCES series,
    number INTEGER NOT NULL            -- that stands in front of its name, or behind a word
) STRICT;

-- A unit of text that changes a schema: a migration file, an element of an array, a function that creates tables.
CREATE TABLE migration (
    id           INTEGER PRIMARY KEY,
    database     INTEGER NOT NULL REFERENCES database,
    site         INTEGER NOT NULL REFERENCES site,
    name         TEXT NOT NULL,
    origin       TEXT NOT NULL DEFAULT 'migration' CHECK (origin IN ( -- when it runs
                     'migration',      -- runs once on each database
                     'create',         -- runs on a new database
                     'open')),         -- runs whenever a database is opened
    version      TEXT,                 -- as its name or the code gives it
    ordinal      INTEGER NOT NULL,     -- its place in the order in which they run, from 0
    text_ordinal INTEGER NOT NULL,     -- its place in the order of the text
    is_ordered   INTEGER NOT NULL DEFAULT 1 CHECK (is_ordered IN (0, 1)), -- that place is certain, and no guess
    direction    TEXT NOT NULL DEFAULT 'up' CHECK (direction IN ('up', 'down')), -- down: it undoes another
    reached      INTEGER NOT NULL DEFAULT 1 CHECK (reached IN (0, 1)), -- 0: it is sure that nothing runs it
    beside       INTEGER REFERENCES site,                -- where others of its kind are named, if nothing runs it
    sink         TEXT,                 -- the name of the function that its text is given to
    sink_kind    TEXT NOT NULL DEFAULT 'none' CHECK (sink_kind IN ( -- see statement.sink_kind
                     'runs_one', 'refuses_more', 'runs_many', 'none', 'runs')),
    wrapped      INTEGER CHECK (wrapped IN (0, 1)), -- it is run in a transaction, not begun by itself; NULL: not known
    unless       TEXT,                 -- it runs only where one of these is missing, as words; NULL: nothing asks
    choice       TEXT,                 -- the fork of the code of which one arm runs it, as a name of its own;
                                       -- neither a version nor a look into the catalogue chooses
    arm          INTEGER,              -- that arm, as a number; NULL as above
    unit         INTEGER NOT NULL DEFAULT 0, -- what runs together or not at all has one number, within a database
    text_key     TEXT NOT NULL DEFAULT '',   -- its SQL without white space and comments
    series       INTEGER REFERENCES series,
    number       INTEGER                                 -- of its file in that series; NULL where it has none alone
) STRICT;

-- A statement of a migration.
CREATE TABLE migration_step (
    id            INTEGER PRIMARY KEY,
    migration     INTEGER NOT NULL REFERENCES migration,
    ordinal       INTEGER NOT NULL,                      -- within its migration, from 0
    site          INTEGER NOT NULL REFERENCES site,
    kind          TEXT NOT NULL CHECK (kind IN (         -- what it does
                      'create_table', 'create_virtual_table', 'create_index', 'create_view',
                      'create_trigger', 'alter_table', 'drop_table', 'drop_index', 'drop_view', 'drop_trigger',
                      'select', 'insert', 'replace', 'update', 'delete', 'pragma', 'transaction', 'attach', 'detach',
                      'vacuum', 'analyze', 'reindex', 'other')),
    schema        TEXT COLLATE NOCASE,
    object        TEXT COLLATE NOCASE,                   -- what it creates, alters or drops
    "table"       TEXT COLLATE NOCASE,                   -- the table of that index or trigger; NULL if not known
    last_name     TEXT COLLATE NOCASE,                   -- the name of that table in the end; NULL if not known
    if_not_exists INTEGER NOT NULL DEFAULT 0 CHECK (if_not_exists IN (0, 1)),  -- it says IF NOT EXISTS or IF EXISTS
    is_unique     INTEGER NOT NULL DEFAULT 0 CHECK (is_unique IN (0, 1)), -- it says CREATE UNIQUE INDEX
    definition    TEXT                                   -- what it creates, without its name and IF NOT EXISTS
) STRICT;

-- A table or view that a step of a migration reads to write another one: INSERT … SELECT, UPDATE … FROM.
CREATE TABLE migration_read (
    step    INTEGER NOT NULL REFERENCES migration_step,  -- that reads it
    "table" TEXT NOT NULL COLLATE NOCASE
) STRICT;

-- A release of the program.
CREATE TABLE release (
    id      INTEGER PRIMARY KEY,
    name    TEXT NOT NULL,             -- its tag
    ordinal INTEGER NOT NULL           -- from the oldest, from 0
) STRICT;

-- A migration as a release contained it.
CREATE TABLE released_migration (
    release   INTEGER NOT NULL REFERENCES release,
    migration INTEGER REFERENCES migration,              -- NULL where it is no longer there
    database  INTEGER NOT NULL REFERENCES database,
    name      TEXT NOT NULL,
    text_key  TEXT NOT NULL,           -- its SQL without white space and comments
    unit      INTEGER NOT NULL         -- what runs together or not at all has one number, within a release and database
) STRICT;

-- A step of a migration, run in memory.
CREATE TABLE experiment (
    id      INTEGER PRIMARY KEY,
    variant INTEGER NOT NULL REFERENCES variant,         -- the schema in whose making it ran
    step    INTEGER NOT NULL REFERENCES migration_step,  -- what ran
    ordinal INTEGER NOT NULL,                            -- its place among all steps of the variant, from 0
    kind    TEXT NOT NULL CHECK (kind IN (               -- on what it ran
                'empty',                                 -- on tables without rows
                'seeded',                                -- on tables with rows
                'stopped',                               -- again, after an end of the process before it
                'unrecorded',                            -- again, as its version was not recorded the first time
                'reopened',                              -- as a database is opened again
                'undone')),                              -- and then what undoes it
    rows    TEXT CHECK (rows IN (                        -- what rows these were; NULL where there were none
                'plain',                                 -- of the declared types, without NULL, no value twice
                'duplicates',                            -- values twice, where that is allowed
                'nulls',                                 -- NULL, where that is allowed
                'types')),                               -- text in columns for numbers
    outcome TEXT NOT NULL CHECK (outcome IN ( -- how it ended
                'done',
                'nothing',             -- IF NOT EXISTS found the name taken, or IF EXISTS found nothing
                'failed',
                'stopped')),           -- a limit of the linter was reached: nothing is known
    failure TEXT CHECK (failure IN (                     -- why it failed; NULL where it did not
                'syntax', 'incomplete', 'no_such_table', 'no_such_column', 'no_such_function',
                'no_such_collation', 'no_such_module', 'no_such_index', 'already_exists', 'duplicate_column',
                'constraint', 'forbidden', 'other',
                'limit')),                               -- it took more than it is given, and was stopped
    message TEXT,                                        -- SQLite's own words, where it failed
    site    INTEGER REFERENCES site                      -- the place within the step; NULL if SQLite gives none
) STRICT;

-- What an experiment lost without saying so.
CREATE TABLE loss (
    id         INTEGER PRIMARY KEY,
    experiment INTEGER NOT NULL REFERENCES experiment,
    kind       TEXT NOT NULL CHECK (kind IN ( -- what was lost
                   'rows',             -- that the step does not delete; of the open path: rows that it adds again
                   'values',           -- of a column, for one value or NULL
                   'swapped',          -- those of a column, for those of another
                   'sequence',         -- the highest number that AUTOINCREMENT gave
                   'rowid',            -- rowids that are no column are given anew
                   'reference',        -- rows refer to rows that are not there
                   'index', 'trigger',
                   'view',             -- it no longer compiles, for its table was made anew
                   'broken_view',      -- it no longer compiles
                   'integrity',        -- what PRAGMA integrity_check says
                   'constraint',       -- a key, a type, a default
                   'transaction',      -- the one that the runner began ends here
                   'setting',          -- a PRAGMA that did nothing
                   'schema')),         -- an object that is not there again when a step is undone
    "table"    TEXT COLLATE NOCASE,    -- by its name in the end
    object     TEXT COLLATE NOCASE,    -- what lost it, or was lost
    text       TEXT,                   -- how many rows, which values, the terms of an index
    site       INTEGER REFERENCES site -- what had made an index, a trigger or a view
) STRICT;

-- A write of a migration that costs as the square of the rows, measured at its own step.
CREATE TABLE backfill (
    step       INTEGER NOT NULL REFERENCES migration_step, -- that writes
    few_rows   INTEGER NOT NULL,       -- rows of each table
    few_steps  INTEGER NOT NULL,       -- steps of SQLite's virtual machine for them
    many_rows  INTEGER NOT NULL,       -- rows of each table, in another run
    many_steps INTEGER NOT NULL,       -- steps for those
    plan       TEXT NOT NULL           -- on the schema of that step, a line for each of its rows
) STRICT;

-- A statement that misses an index, a trigger or a view that was lost: it would be planned better with the index, it
-- would set off the trigger, it reads the view.
CREATE TABLE missed (
    loss      INTEGER NOT NULL REFERENCES loss,
    statement INTEGER NOT NULL REFERENCES statement
) STRICT;

-- A difference between two variants of a database. Names make none: a UNIQUE constraint is its index, and a table that
-- one of them lacks has no columns and indexes to compare.
CREATE TABLE difference (
    variant     INTEGER NOT NULL REFERENCES variant, -- the declared one
    other       INTEGER NOT NULL REFERENCES variant, -- the variant that it is compared with
    object_kind TEXT NOT NULL CHECK (object_kind IN ( -- what differs
                    'table', 'column', 'index', 'foreign_key', 'trigger', 'view')),
    "table"     TEXT NOT NULL COLLATE NOCASE, -- the table that it is or belongs to; of a view, the view
    object      TEXT NOT NULL COLLATE NOCASE, -- its name
    property    TEXT NOT NULL,         -- such as exists, affinity, column_order
    here        TEXT,                  -- in `variant`, as SQL where it is the object itself; NULL where it has none
    there       TEXT,                  -- in `other`
    site        INTEGER REFERENCES site -- what makes the object, or else its table, as declared
) STRICT;

-- A release that makes databases of a variant, once the program of today has opened them.
CREATE TABLE variant_releases (
    variant INTEGER NOT NULL REFERENCES variant,
    release INTEGER NOT NULL REFERENCES release
) STRICT;

-- ----------------------------------------------------------------------------------------------------- plans

-- SQLite's plan of a statement, or of the work that a foreign key adds to a change of its parent.
CREATE TABLE plan (
    id          INTEGER PRIMARY KEY,
    statement   INTEGER REFERENCES statement,
    foreign_key INTEGER REFERENCES foreign_key,
    purpose     TEXT NOT NULL DEFAULT 'statement' CHECK ( -- what is planned
                    purpose = 'statement'
                    OR purpose = 'parent_delete'         -- DELETE of one row of foreign_key.parent
                    OR purpose = 'parent_update'),       -- UPDATE of its key in one row
    variant     INTEGER NOT NULL REFERENCES variant,
    engine      INTEGER NOT NULL REFERENCES engine,
    binding     TEXT NOT NULL DEFAULT 'none' CHECK (     -- the values bound to its parameters
                    binding = 'none'                     -- nothing is bound
                    OR binding = 'present'               -- those of a row that is there
                    OR binding = 'absent'                -- no row has them
                    OR binding = 'rare'                  -- flags have the value that few rows have
                    OR binding = 'given'                 -- as in the log that it stands in
                    OR binding = 'wide'                  -- ranges hold all rows, lists are long, pages far
                    OR binding = 'null'                  -- NULL for what a CASE or coalesce() chooses by
                    OR binding = 'chosen'),              -- for that, what it is compared with, or an empty text
    CHECK ((statement IS NULL) = (purpose <> 'statement')),
    CHECK ((foreign_key IS NULL) = (purpose = 'statement'))
) STRICT;

-- What a plan of another engine than the first does otherwise with a table. A plan that does the same work, by another
-- index perhaps, is left out.
CREATE TABLE plan_difference (
    id         INTEGER PRIMARY KEY,
    plan       INTEGER NOT NULL REFERENCES plan,
    "table"    TEXT COLLATE NOCASE,    -- NULL for sorts
    steps_gone TEXT NOT NULL,          -- the steps of the first engine's plan that it does not have, one per line
    steps_come TEXT NOT NULL,          -- the steps that it has instead
    scans      INTEGER NOT NULL CHECK (scans IN (0, 1)),  -- 1: one of these reads all rows
    builds     INTEGER NOT NULL CHECK (builds IN (0, 1))  -- 1: one of these makes an index for one run
) STRICT;

-- What another engine than the first says against a statement that the first plans.
CREATE TABLE plan_refusal (
    id        INTEGER PRIMARY KEY,
    statement INTEGER NOT NULL REFERENCES statement,
    engine    INTEGER NOT NULL REFERENCES engine,
    message   TEXT NOT NULL            -- as that engine says it
) STRICT;

-- A row of a plan.
CREATE TABLE step (
    id           INTEGER PRIMARY KEY,
    plan         INTEGER NOT NULL REFERENCES plan,
    parent       INTEGER REFERENCES step,                -- NULL at the top
    ordinal      INTEGER NOT NULL,                       -- in the order printed, from 0
    operation    TEXT NOT NULL CHECK (                   -- what it does, in SQLite's spelling
                     operation = 'SEARCH' OR operation = 'SCAN'
                     OR operation = 'TEMP B-TREE'        -- a sort, or a set of what was seen; see purpose
                     OR operation = 'CO-ROUTINE' OR operation = 'MATERIALIZE'
                     OR operation = 'SCALAR SUBQUERY' OR operation = 'LIST SUBQUERY' OR operation = 'REUSE SUBQUERY'
                     OR operation = 'VIRTUAL TABLE'      -- what it reads, only its module knows
                     OR operation = 'CONSTANT ROW' OR operation = 'VALUES'
                     OR operation = 'MULTI-INDEX OR' OR operation = 'INDEX' OR operation = 'IN-OPERATOR'
                     OR operation = 'COMPOUND QUERY' OR operation = 'LEFT-MOST SUBQUERY' OR operation = 'UNION ALL'
                     OR operation = 'UNION' OR operation = 'EXCEPT' OR operation = 'INTERSECT'
                     OR operation = 'MERGE' OR operation = 'LEFT' OR operation = 'RIGHT'
                     OR operation = 'SETUP' OR operation = 'RECURSIVE STEP' OR operation = 'RIGHT-JOIN'
                     OR operation = 'BLOOM FILTER' OR operation = 'PROGRAM'
                     OR operation = 'OTHER'),            -- words that this version does not know
    purpose      TEXT CHECK (                            -- what a TEMP B-TREE is for
                     purpose = 'ORDER BY' OR purpose = 'LAST TERMS OF ORDER BY' OR purpose = 'DISTINCT'
                     OR purpose = 'GROUP BY' OR purpose = 'AGGREGATE' OR purpose = 'OTHER'),
    name         TEXT COLLATE NOCASE,                    -- as printed: an alias, a table, a view; not resolved
    schema       TEXT COLLATE NOCASE,                    -- of the table it reads; NULL where it reads none
    "table"      TEXT COLLATE NOCASE,                    -- resolved through SQLite, never from the printed name
    "index"      TEXT COLLATE NOCASE,                    -- the index it uses, where that has a name
    key          TEXT CHECK (key = 'index' OR key = 'rowid' OR key = 'primary_key' OR key = 'automatic'),
                                                         -- the B-tree it goes by; NULL for the table's own order
    equalities   INTEGER NOT NULL DEFAULT 0,             -- columns sought by = or IN
    ranges       INTEGER NOT NULL DEFAULT 0,             -- bounds sought by < or >
    covering     INTEGER NOT NULL DEFAULT 0 CHECK (covering = 0 OR covering = 1), -- its index has all that is read
    automatic    INTEGER NOT NULL DEFAULT 0 CHECK (automatic = 0 OR automatic = 1), -- an index built for this one run
    left_join    INTEGER NOT NULL DEFAULT 0 CHECK (left_join = 0 OR left_join = 1), -- of a LEFT JOIN, the right side
    first_row    INTEGER NOT NULL DEFAULT 0 CHECK (first_row = 0 OR first_row = 1), -- an EXISTS: ends at its first row
    one_row      INTEGER NOT NULL DEFAULT 0 CHECK (one_row = 0 OR one_row = 1), -- ends at its first row, untested
    inside_loop  INTEGER NOT NULL DEFAULT 0 CHECK (inside_loop = 0 OR inside_loop = 1), -- once per row of another step
    correlated   INTEGER NOT NULL DEFAULT 0 CHECK (correlated = 0 OR correlated = 1), -- beneath a correlated subquery
    program      TEXT CHECK (program = 'trigger' OR program = 'foreign_key'), -- NULL: in the statement itself
    program_name TEXT,                                   -- of the trigger
    cost         INTEGER,                                -- the planner's estimate, 10·log2; a hint
    detail       TEXT NOT NULL                           -- as printed
) STRICT;

-- The query of its statement that a step belongs to: several where the plan does not tell which; none where its table
-- came through a view, a trigger or a foreign key.
CREATE TABLE step_query (
    step  INTEGER NOT NULL REFERENCES step,
    query INTEGER NOT NULL             -- its number; see query_within
) STRICT;

-- A term by which a step seeks.
CREATE TABLE step_term (
    step    INTEGER NOT NULL REFERENCES step,
    ordinal INTEGER NOT NULL,                            -- from 0
    column  TEXT NOT NULL COLLATE NOCASE,                -- as printed; <expr> for an expression
    kind    TEXT NOT NULL CHECK (                        -- how the column is sought
                kind = 'equal' OR kind = 'lower' OR kind = 'upper'
                OR kind = 'any')                         -- each of its values is tried: a skip-scan
) STRICT;

-- What the planner asks of a table for the sake of a statement that costs more than its rows explain: what it could
-- make use of, whatever indexes there are. What stands in an expression, or in a term that no index could serve, is
-- not asked for.
CREATE TABLE planner_term (
    statement INTEGER NOT NULL REFERENCES statement,
    schema    TEXT NOT NULL COLLATE NOCASE,
    "table"   TEXT NOT NULL COLLATE NOCASE,
    column    TEXT NOT NULL COLLATE NOCASE,              -- rowid where no column stands for it
    operator  TEXT NOT NULL,                             -- with the column on its left; IN is =
    collation TEXT NOT NULL COLLATE NOCASE,              -- by which the two are compared
    literal   TEXT                                       -- the value, where it is known when the statement is planned
) STRICT;

-- Why a term of a statement does not narrow a step, or its ORDER BY does not come from an index. Only doubtful
-- statements are asked: those that scan, sort, build an index, or cost more than their rows explain.
CREATE TABLE obstacle (
    id        INTEGER PRIMARY KEY,
    statement INTEGER NOT NULL REFERENCES statement,
    step      INTEGER REFERENCES step,
    kind      TEXT NOT NULL CHECK (kind IN ( -- what is in the way
                  'no_index',          -- no index begins with the column
                  'not_leading',       -- an index has the column, behind one that is not compared
                  'other_index',       -- the step goes by another index, and tests the column on each row
                  'second_range',      -- another range came first
                  'wrapped',           -- an expression stands around the column
                  'hex',               -- hex() stands around a blob
                  'expression_index',  -- an index is on another expression about the column
                  'operator',          -- no index serves this operator
                  'is_not',            -- what is wanted is all but some values: <>, IS NOT, NOT
                  'like',              -- a LIKE or GLOB
                  'collation',         -- the index is ordered by another collation
                  'affinity',          -- the two are compared as numbers, and the index is ordered as text
                  'untyped',           -- the column has no type, and is compared with one that has
                  'partial',           -- the index is partial, and the statement does not imply its WHERE
                  'bound',             -- a partial index serves it while one value is bound
                  'unseen',            -- a partial index is missed by about the same in other words
                  'first',             -- an index would bring another row first, and the first alone is taken
                  'or',                -- one arm of an OR has no index
                  'extreme',           -- min() and max() in one SELECT, or one of them of all that a search finds
                  'double_quoted',     -- a name in double quotes is no column, and so a string
                  'member',            -- all that a column holds is put in a list for IN, as no index begins with it
                  'absent',            -- all that a subquery finds is put in a list for NOT IN
                  'order',             -- no index yields the order
                  'direction',         -- an index has the columns of the order, and not in these directions
                  'random_order',      -- the order is random, so that no index yields it
                  'passed_over')),     -- SQLite takes another way than the best that the schema has
    predicate INTEGER REFERENCES predicate,              -- NULL where the parser of predicates has none there
    column    TEXT COLLATE NOCASE,
    "index"   INTEGER REFERENCES "index",                -- the index that would have served
    site      INTEGER REFERENCES site,                   -- of the term, or of the ORDER BY
    text      TEXT NOT NULL,                             -- the same as written
    help      TEXT NOT NULL                              -- sentences: what is in the way, and what would help
) STRICT;

-- What was tried against an obstacle, and helped: the statement was planned again with it, and the step is a search,
-- or its rows come in order. It says nothing of how many rows the search finds; but where the plan alone tells nothing,
-- as of 'analyze', 'kept' and INDEXED BY, it is here only if it was measured to help.
CREATE TABLE relief (
    obstacle    INTEGER NOT NULL REFERENCES obstacle,
    kind        TEXT NOT NULL CHECK (kind IN ( -- what helped
                    'rewrite',         -- the statement in other words
                    'index',           -- an index more
                    'analyze',         -- statistics of rows as they were made for it
                    'kept')),          -- the same, which the program keeps itself: it is helped once they are there
    text        TEXT NOT NULL,         -- the statement in other words, CREATE INDEX, or ANALYZE
    part        TEXT NOT NULL,         -- the words that are new, or the terms of the index
    condition   TEXT,                  -- where it returns the same rows, in words that follow "if"; NULL: always
    proved      INTEGER NOT NULL CHECK (proved IN (0, 1)), -- it was not measured to be in vain
    plan_before TEXT NOT NULL,         -- the rows of the plan, one per line
    plan_after  TEXT NOT NULL          -- the same with what was tried
) STRICT;

-- A statement that could stand in the place of several: SQLite accepts it on the schema.
CREATE TABLE instead (
    statement INTEGER NOT NULL REFERENCES statement,     -- the INSERT, or the lookup
    kind      TEXT NOT NULL CHECK (kind IN ( -- in the place of what
                  'upsert',          -- of a lookup and this INSERT, by a key that is unique
                  'walk')),          -- of this lookup, again and again with what the last one found, by searches
    "table"   TEXT NOT NULL COLLATE NOCASE, -- that is written or walked
    key       TEXT NOT NULL,         -- the columns of the key, with `, ` between, in the order of the table's
    width     INTEGER NOT NULL,      -- how many they are
    text      TEXT NOT NULL,         -- the statement
    plan      TEXT NOT NULL,         -- its plan, a row per line
    step      TEXT                   -- the row of the plan by which a walk goes on
) STRICT;

-- ---------------------------------------------------------------------------------------------------- growth

-- How the cost of a statement grows with the tables, measured on synthetic rows: the worst of each binding, and the
-- worst of all with the least id.
CREATE TABLE growth (
    id        INTEGER PRIMARY KEY,
    statement INTEGER NOT NULL REFERENCES statement,
    variant   INTEGER NOT NULL REFERENCES variant,
    data      TEXT NOT NULL CHECK (data IN ( -- how the values of its tables were distributed
                  'uniform',           -- each value of a flag is as frequent as the others
                  'first_common',      -- nearly all rows have the first value of each flag
                  'last_common',       -- nearly all rows have the last value of each flag
                  'few_groups',        -- rows that are looked for together are few big groups
                  'shared_key',        -- those found by a key are, and differ in what is compared besides
                  'nested',            -- few around a subquery, and many in it for each of those
                  'file')),            -- as in an audited database
    binding   TEXT NOT NULL CHECK (binding IN ( -- the values bound to its parameters; see plan.binding
                  'none', 'present', 'absent', 'rare', 'given', 'wide', 'null', 'chosen')),
    class     TEXT NOT NULL CHECK (class IN ('constant', 'linear', 'quadratic')), -- of the cost, in rows of its tables
    explained INTEGER NOT NULL CHECK (explained IN (0, 1)),  -- rows returned or changed account for the growth
    wasted    INTEGER NOT NULL DEFAULT 0, -- steps per added row that they do not account for, in hundredths
    words     TEXT                     -- the distribution of values, such as "when most rows have orphaned = 0"
) STRICT;

-- A statement whose growth could not be measured: its plan alone judges.
CREATE TABLE unmeasured (
    statement INTEGER NOT NULL REFERENCES statement,
    reason    TEXT NOT NULL            -- why, in words
) STRICT;

-- One measurement of a statement.
CREATE TABLE measure (
    growth   INTEGER NOT NULL REFERENCES growth,
    rows     INTEGER NOT NULL,         -- in each growing table
    steps    INTEGER NOT NULL,         -- of SQLite's virtual machine
    pages    INTEGER NOT NULL,         -- read, from the cache or not
    returned INTEGER NOT NULL,         -- rows that the caller got
    changed  INTEGER NOT NULL,         -- rows inserted, updated and deleted, cascades included
    dirtied  INTEGER                   -- pages written; NULL where they were not counted, or nothing is written
) STRICT;

-- What a growth comes through.
CREATE TABLE growth_through (
    growth  INTEGER NOT NULL REFERENCES growth,
    "table" TEXT NOT NULL COLLATE NOCASE,
    column  TEXT COLLATE NOCASE,       -- a column whose values made it grow
    literal TEXT                       -- the value that most rows had
) STRICT;

-- What one more row costs in each B-tree that it is written to, of a table that grows, in the declared schema. It is
-- said for a table of `rows`, into which a transaction puts a thousand, and as if each row had values of its own: rows
-- that come together and share a value share a page. Nobody knows how many rows a partial index has: it is not here.
CREATE TABLE write_cost (
    variant       INTEGER NOT NULL REFERENCES variant,
    schema        TEXT NOT NULL DEFAULT 'main' COLLATE NOCASE,
    "table"       TEXT NOT NULL COLLATE NOCASE,
    "index"       INTEGER REFERENCES "index",            -- NULL for the table itself. A table WITHOUT ROWID is the
                                                         -- index of its primary key
    key_order     TEXT CHECK (key_order IN (             -- the order in which keys come; NULL where it is not known
                      'random',                          -- each goes to another page
                      'ordered')),                       -- each goes behind those before
    column        TEXT COLLATE NOCASE,                   -- by whose values keys come in no order, or not in a known one
    bytes         INTEGER NOT NULL,                      -- of an entry, on average
    rows          INTEGER NOT NULL,                      -- in the table at this price
    pages         INTEGER NOT NULL,                      -- written per row, in hundredths; where the order is not
                                                         -- known, at least
    random_pages  INTEGER NOT NULL,                      -- the same if keys come in no order
    rowid_pages   INTEGER                                -- the same if the table had rowids; of the primary key of a
                                                         -- table WITHOUT ROWID, with the table. NULL where it has
) STRICT;

-- A schema with an index added, dropped or replaced, on which some statement is better off, or none is worse. Left out
-- are indexes that costly statements go by, those whose columns another one begins with, those that nothing goes by,
-- and those whose keys come in no order; or these have their columns in another order, in which keys come in order.
-- Put back are those that a step of the schema dropped, and that are not there again. Where statistics are taken away,
-- only the statements have effects that become costly, or do no more.
CREATE TABLE trial (
    id      INTEGER PRIMARY KEY,
    variant INTEGER NOT NULL REFERENCES variant,
    action  TEXT NOT NULL CHECK (action IN ( -- what was tried
                'add_index', 'drop_index',
                'replace_index',                         -- an index has its columns in another order
                'no_statistics')),                       -- those of a database in the field are taken away, which
                                                         -- nothing in the program would make
    "table" TEXT COLLATE NOCASE,                         -- NULL where no index is changed
    "index" INTEGER REFERENCES "index",                  -- that is dropped, or replaced
    step    INTEGER REFERENCES migration_step,           -- the DROP INDEX that is taken back, where one is added
    holder  TEXT,                                        -- what begins with the columns of an index that is dropped and
                                                         -- not missed, as words; NULL where there is none
    sql     TEXT NOT NULL,                               -- the same as SQL
    is_hinted INTEGER NOT NULL                           -- whether code names the index where it says INDEXED BY, and
                                                         -- fails without it
) STRICT;

-- An index that is dropped in a trial beside the one that the trial is about, since it would take the place of that.
CREATE TABLE trial_also (
    trial   INTEGER NOT NULL REFERENCES trial,
    "index" INTEGER NOT NULL REFERENCES "index"
) STRICT;

-- What a trial did to a statement, where it changed the plan.
CREATE TABLE trial_effect (
    id           INTEGER PRIMARY KEY,
    trial        INTEGER NOT NULL REFERENCES trial,
    statement    INTEGER NOT NULL REFERENCES statement,
    verdict      TEXT NOT NULL CHECK (verdict IN ( -- whether the statement is better off
                     'better',         -- it cost more than its rows explain, and does no more
                     'same',
                     'worse')),        -- it costs more than its rows explain only then, or reads, sorts or tests more
    class_before TEXT NOT NULL CHECK (class_before IN ('constant', 'linear', 'quadratic')), -- how its cost grew
    class_after  TEXT NOT NULL CHECK (class_after IN ('constant', 'linear', 'quadratic')), -- how it grows then
    plan_after   TEXT NOT NULL,        -- the rows of its plan, one per line
    steps_gone   TEXT NOT NULL,        -- the rows of its plan before that are not in it, one per line
    steps_come   TEXT NOT NULL         -- those that were not there before
) STRICT;

-- A suggestion.
CREATE TABLE cure (
    id        INTEGER PRIMARY KEY,
    statement INTEGER REFERENCES statement,
    kind      TEXT NOT NULL CHECK (kind IN ('index', 'rewrite', 'migration')), -- what is changed
    sql       TEXT NOT NULL,                             -- the change
    step      TEXT,                                      -- the row of the plan that goes by an index
    proved    INTEGER NOT NULL CHECK (proved IN (0, 1)), -- it was applied, and the cost grew no more
    trial     INTEGER REFERENCES trial
) STRICT;

-- --------------------------------------------------------------------------------------------- audited files

-- A table of a database in the field: of an audited file, or as a file of statistics or the configuration says.
CREATE TABLE file_table (
    variant   INTEGER NOT NULL REFERENCES variant,
    name      TEXT NOT NULL COLLATE NOCASE,
    rows      INTEGER,                 -- NULL where not even an estimate was possible
    estimated INTEGER NOT NULL CHECK (estimated IN (0, 1)), -- that number is an estimate
    error     INTEGER NOT NULL DEFAULT 0, -- half of the width of the bounds in which it lies nearly always
    pages     INTEGER,                 -- that it fills; NULL where they were not counted
    stat      TEXT,                    -- its row of sqlite_stat1 without an index
    analyzed  INTEGER,                 -- its rows when it was analyzed; NULL where it was not
    stale     INTEGER CHECK (stale IN (0, 1)), -- that number is off by more than a factor of two
    site      INTEGER REFERENCES site  -- where that is said; NULL of an audited file
) STRICT;

-- An index of such a database.
CREATE TABLE file_index (
    variant INTEGER NOT NULL REFERENCES variant,
    "table" TEXT NOT NULL COLLATE NOCASE,
    name    TEXT NOT NULL COLLATE NOCASE,
    rows    INTEGER,                   -- that it has; NULL where they were not counted
    pages   INTEGER,                   -- that it fills; NULL where they were not counted
    stat    TEXT                       -- its row of sqlite_stat1
) STRICT;

-- A table that the configuration of a database names outright, whether it is there or not.
CREATE TABLE configured_table (
    database INTEGER NOT NULL REFERENCES database,
    key      TEXT NOT NULL CHECK (key IN (  -- what is said of it
                 'growing',            -- it grows
                 'bounded',            -- it has at most so many rows
                 'rows')),             -- it has about so many rows in the field
    name     TEXT NOT NULL COLLATE NOCASE,
    site     INTEGER NOT NULL REFERENCES site
) STRICT;

-- ---------------------------------------------------------------------------------------------- second stage

-- One rule that the user accepts somewhere, as a claim. Filled before the rules of stage `findings` run, and empty
-- until then.
CREATE TABLE suppression (
    id      INTEGER PRIMARY KEY,
    site    INTEGER NOT NULL REFERENCES site,          -- of the comment, or of the entry in the configuration
    kind    TEXT NOT NULL CHECK (kind IN ('comment', 'configuration')), -- where it says so
    rule    TEXT,                      -- NULL where none is named
    fault   TEXT,                      -- why it can't be followed, such as an unknown rule; NULL where it can
    reason  TEXT,                      -- why it is fine; NULL where none is given, and then it is not followed
    until   TEXT,                      -- the last day on which it holds, YYYY-MM-DD
    expired INTEGER NOT NULL DEFAULT 0 CHECK (expired IN (0, 1)),  -- that day is over, and it is not followed
    bounded INTEGER,                   -- the most rows that the table is said to have
    used    INTEGER NOT NULL DEFAULT 0,  -- findings of its rule where it holds, whether it is followed or not
    beside  TEXT,                      -- other rules that find something where it holds; NULL where none does
    near    INTEGER REFERENCES site    -- the nearest finding of its rule in the file, where it holds for none
) STRICT;

-- What the rules of the first stage found. Filled before the rules of stage `findings` run, and empty until then.
CREATE TABLE finding (
    id          INTEGER PRIMARY KEY,
    rule        TEXT NOT NULL,                           -- that found it
    severity    TEXT NOT NULL CHECK (severity IN ('note', 'warning', 'error')), -- as it is reported
    site        INTEGER REFERENCES site,
    object_kind TEXT,                                    -- of what it is about, such as table; NULL: its site
    object      TEXT,                                    -- its name
    statement   INTEGER REFERENCES statement,
    database    INTEGER REFERENCES database,
    variant     INTEGER REFERENCES variant,
    "table"     TEXT COLLATE NOCASE,
    message     TEXT NOT NULL,                           -- the fact, in one sentence
    suppression INTEGER REFERENCES suppression           -- NULL where nothing accepts it
) STRICT;
