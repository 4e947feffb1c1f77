//! The prose of docs/rules.md that no rule holds: how to read a finding, and what the rules of a chapter have in common.

/// Rules of one subject.
pub struct Chapter {
    /// The `subject:` of their heads.
    pub subject: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// What they have in common.
    pub says: &'static str,
}

/// In the order in which they are read.
pub const CHAPTERS: [Chapter; 8] = [
    Chapter {
        subject: "reads",
        title: "Statements that read more than they return",
        says: "\
SQLite answers every statement correctly, however slowly. A statement that reads a whole table to find one row passes all \
tests, since the tables of tests are small, and takes a little longer with each row that users add. These rules find it \
before that: the statement is run on rows made for it, at several sizes, and reported where the work grows and the rows that \
are wanted do not.

The cure is nearly always an index. Where one was proved to help, the finding has it under `cure`.",
    },
    Chapter {
        subject: "loops",
        title: "Work done one row at a time",
        says: "\
Here each statement is fast, and the number of them is what grows. SQLite runs in the program itself, so that a query has no \
round trip to pay for; a transaction costs a sync of the disk all the same, and ten thousand searches cost more than \
one. The place of the finding is the call in the loop. Most of these are notes: only you know how long the loop becomes.",
    },
    Chapter {
        subject: "indexes",
        title: "Indexes that cost more than they bring",
        says: "\
Every index is one more B-tree to which each row is written. An index whose keys come in order costs next to nothing; \
one of random keys, such as hashes, writes more than a page for each row, and slows the table down once it outgrows the \
cache. None of these rules judges by the index alone: it is left out of a copy of the schema, and every statement, trigger and \
foreign key that uses it is planned again. What planlint does not see, such as a report that somebody runs by hand, it \
can't plan.",
    },
    Chapter {
        subject: "field",
        title: "Databases in the field",
        says: "\
A test begins with a new database. Users do not: theirs was created by an older release, has been through the migrations since, \
and holds what they put in. These rules judge the schemas that such databases have, made from the releases in \
git, and the statistics of a real one where [`planlint stats`](stats.md) has been run on it.",
    },
    Chapter {
        subject: "migrations",
        title: "Migrations that fail or take too long",
        says: "\
A migration runs once on each database, unattended, on rows that nobody has looked at. Each is tried here as it will be there: on \
tables with rows in them, twice, interrupted before each statement, and undone where it can be. Where it was released \
already it can't be changed, since databases have run it: then the help says what a new migration can still mend.",
    },
    Chapter {
        subject: "losses",
        title: "Migrations that lose something",
        says: "\
SQLite can't change most of a table in place. A migration makes a new one, copies the rows, drops the old one and renames the \
new one, and with the old one go its indexes, triggers, defaults and rowids, in silence. These rules compare what was there \
before with what is there after. [SQLite's own recipe](https://www.sqlite.org/lang_altertable.html#otheralter) has the \
steps in an order that loses nothing.",
    },
    Chapter {
        subject: "statements",
        title: "Statements that do not do what they say",
        says: "\
These are wrong at any size: SQLite refuses them, runs half of them, or understands something else than was meant.",
    },
    Chapter {
        subject: "suppressions",
        title: "Suppressions and the configuration",
        says: "\
What is fine as it is can be accepted by a comment, or by the configuration: [suppression.md](suppression.md) says how. \
These rules keep what was accepted, and what was said of tables, honest. Those on suppressions hold for comments and for \
`[[allow]]` alike.",
    },
];

/// In front of the finding that is shown.
pub const OPENING: &str = "\
# Rules

What planlint finds, why it matters and what to do about it. `planlint explain RULE` prints the page of one rule, and \
`planlint explain PATH:LINE` all that is known of one statement, with a script that shows it in the `sqlite3` shell.

## How to read a finding

A finding says what is wrong, where, how that is known, and what to do:
";

/// Behind it.
pub const READING: &str = "\
- **The first line** has the severity and the rule. An *error* loses data, stops the program, or makes databases slow that \
nobody tests with. A *warning* is slower with each row, or fails on some databases. A *note* is worth a look, and is hidden \
without `--notes`. A rule has one severity, and a finding can be quieter: in code that runs offline or at start-up, say.
- **The message** states the fact. Names of tables, columns and indexes stand between backticks.
- **The source** is marked where it matters most, mostly at the table that is read, with the function around it.
- **`plan`** is what SQLite does, in the words of EXPLAIN QUERY PLAN: SCAN reads all rows, SEARCH finds some by a key. Where \
databases in the field have other plans, each stands there with those that have it.
- **`growth`** was measured: the statement was run on tables of two sizes, and the steps of SQLite's virtual machine and the pages \
that it read were counted. *Constant* stays as it is, *linear* grows as the table does, *quadratic* as its square.
- **`also`** names other places that belong to it: what fills the table, who calls the function.
- **`cure`** was tried: SQLite planned the statement with it, and the cost was measured again. It is about this one \
statement; `planlint advise` finds the indexes that are best for all of them together, and says what each costs to keep.
- **`help`** says what to do where there is no cure, and why there is need of one where there is.

Which tables grow is inferred: a table that the running program inserts into does, unless something bounds it. Where that is \
wrong, [`growing` and `bounded`](config.md#growing) in planlint.toml have the last word. Where the finding is right and \
the program is fine all the same, [accept it](suppression.md) with the reason.

In the examples below a comment `finds: RULE` stands on the line where the rule speaks up, with the severity where it is not \
the rule's own. The second example of each rule is its lookalike: as near to the first as a healthy program gets. This \
page is made from the rules and their tests, so that all of it runs. A rule of your own is a file of SQL: \
[writing-rules.md](writing-rules.md).
";
