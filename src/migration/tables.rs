//! Which tables a text creates and mentions, by its words alone: enough to put declarations together before any
//! database exists. Knows no grammar; SQLite judges what is put together.

use super::words::{Words, words};
use crate::extract::{sql::skip_leading, text::HOLE};

/// What a text says of tables, in lower case and in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mentions {
    /// Tables and views that it creates.
    pub created: Vec<String>,
    /// Tables that it alters, indexes, reads or writes.
    pub used: Vec<String>,
    /// Tables of schemas with a name of their own, as schema and table.
    pub attached: Vec<(String, String)>,
    /// Whether it makes or changes any object of a schema.
    pub has_ddl: bool,
    /// Whether it drops a table.
    pub drops_table: bool,
    /// Whether it drops any object of a schema.
    pub drops: bool,
    /// Whether it creates a table that is not temporary.
    pub makes_table: bool,
    /// Whether it creates a table without IF NOT EXISTS, so that it runs once on a database.
    pub creates_once: bool,
    /// Whether anything else of a schema in it would fail a second time, or do more.
    pub changes_once: bool,
    /// Whether it puts rows in that a second run would put in again, or fail on.
    pub adds_rows: bool,
    /// Whether it alters a table.
    pub alters: bool,
    /// Indexes that it creates.
    pub indexes: Vec<String>,
    /// Whether it creates a trigger.
    pub has_trigger: bool,
}

/// What a text creates or drops under a name that only the running program knows, or on such a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Computed {
    /// `index`, `trigger` or `view`.
    pub kind: String,
    /// The table, in lower case, where that is written there.
    pub table: Option<String>,
}

/// What a text creates or drops under computed names.
pub fn computed(sql: &str) -> Vec<Computed> {
    let lower = sql.to_lowercase();
    let is_end = |one: char| one.is_whitespace() || matches!(one, '(' | ')' | ',' | ';');
    let words: Vec<&str> = lower.split(is_end).filter(|word| !word.is_empty()).collect();
    let is = |at: usize, one: &[&str]| words.get(at).is_some_and(|word| one.contains(word));
    let is_known = |word: &&str| !word.contains(HOLE);
    let mut found = Vec::new();
    for at in (0..words.len()).filter(|&at| is(at, &["create", "drop"])) {
        let behind = |from: usize, skipped: &[&str]| (from..from + 4).find(|&at| !is(at, skipped));
        let Some(kind) = behind(at + 1, &["unique", "temp", "temporary"]) else { continue };
        let name = behind(kind + 1, &["if", "not", "exists"]).and_then(|name| words.get(name));
        let (Some(name), true) = (name, is(kind, &["index", "trigger", "view"])) else { continue };
        let on = (kind + 1..kind + 10).find(|&at| is(at, &["on"])).filter(|_| is(at, &["create"]));
        let table = on.and_then(|on| words.get(on + 1));
        if is_known(name) && table.is_none_or(is_known) {
            continue;
        }
        let table = table.filter(|table| is_known(table)).and_then(|table| table.rsplit('.').next());
        let bare = |table: &str| table.trim_matches(|one| matches!(one, '"' | '`' | '[' | ']')).to_owned();
        let kind = words.get(kind).map_or_else(String::new, |kind| (*kind).to_owned());
        found.push(Computed { kind, table: table.map(bare) });
    }
    found
}

/// Reads the words of a text.
pub fn mentions(sql: &str) -> Mentions {
    let words = Words(words(sql));
    let mut found = Mentions::default();
    let mut body_end = 0;
    for (at, word) in words.0.iter().enumerate() {
        match verb(word) {
            "create" => {
                create(&words, at, &mut found);
                body_end = words.trigger_end(at).unwrap_or(body_end);
            }
            "alter" if words.is(at + 1, "table") => {
                found.has_ddl = true;
                (found.changes_once, found.alters) = (true, true);
                found.use_table(&words, at + 2);
            }
            "drop" if words.is_one(at + 1, &["table", "index", "view", "trigger"]) => {
                (found.has_ddl, found.drops) = (true, true);
                found.drops_table |= words.is(at + 1, "table");
                found.changes_once |= !words.is(at + 2, "if");
            }
            "rename" if words.is(at + 1, "to") => found.created.extend(words.name(at + 2)),
            "from" | "join" | "into" => {
                // What a trigger puts in, it does not put in here.
                found.adds_rows |= at > body_end && words.adds_rows(at);
                found.use_table(&words, at + 1);
            }
            "update" if words.is(at + 2, "set") || words.is(at + 4, "set") => found.use_table(&words, at + 1),
            _ => {}
        }
    }
    found
}

impl Mentions {
    /// Whether it creates any object of a schema.
    pub fn makes(&self) -> bool {
        self.has_trigger || !self.created.is_empty() || !self.indexes.is_empty()
    }

    fn use_table(&mut self, words: &Words<'_>, at: usize) {
        let Some(name) = words.name(at) else { return };
        let schema = words.0.get(at).filter(|_| words.is(at + 1, "."));
        match schema.filter(|_| !words.is_one(at, &["main", "temp"])) {
            Some(schema) => self.attached.push((schema.to_lowercase(), name)),
            None => self.used.push(name),
        }
    }
}

/// Where a text ends that sees to it that tables are there, and what the program does with them begins: statements with
/// parameters; `None` where none follow.
pub(super) fn provision_end(sql: &str) -> Option<usize> {
    const VERBS: [&str; 6] = ["select", "insert", "replace", "update", "delete", "with"];
    let begins = |rest: &str| {
        let word: String = rest.chars().take_while(char::is_ascii_alphabetic).collect();
        VERBS.iter().any(|verb| word.eq_ignore_ascii_case(verb))
    };
    // What stands behind the last DDL.
    let mut start = 0;
    let mut from = 0;
    for end in sql.match_indices(';').map(|(at, _)| at).chain([sql.len()]) {
        if mentions(sql.get(start..end).unwrap_or("")).has_ddl {
            from = end;
        }
        start = end + 1;
    }
    let last = sql.rfind(['?', ':', '@', '$'])?;
    let ends = sql.match_indices(';').map(|(at, _)| at).skip_while(|at| *at < from);
    let at =
        ends.take_while(|at| *at < last).find(|at| begins(skip_leading(sql.get(at + 1..).unwrap_or(""))))?;
    let found = mentions(sql.get(..at)?);
    let is_lenient = !found.creates_once && !found.changes_once && !found.drops && !found.has_trigger;
    (found.has_ddl && is_lenient).then_some(at + 1)
}

fn create(words: &Words<'_>, at: usize, found: &mut Mentions) {
    let mut kind = at + 1;
    let mut is_temporary = false;
    while words.is_one(kind, &["temp", "temporary", "virtual", "unique"]) {
        is_temporary |= words.is_one(kind, &["temp", "temporary"]);
        kind += 1;
    }
    let is_lenient = words.is(kind + 1, "if");
    if words.is(kind, "table") && !is_temporary {
        found.makes_table = true;
        found.creates_once |= !is_lenient;
    } else if words.is_one(kind, &["view", "index", "trigger"]) {
        found.changes_once |= !is_lenient;
    }
    if words.is_one(kind, &["table", "view"]) {
        found.has_ddl = true;
        found.created.extend(words.name(kind + 1));
    } else if words.is(kind, "index") {
        found.has_ddl = true;
        found.indexes.extend(words.name(kind + 1));
        if let Some(on) = (kind..kind + 9).find(|&at| words.is(at, "on")) {
            found.use_table(words, on + 1);
        }
    } else if words.is(kind, "trigger") {
        (found.has_ddl, found.has_trigger) = (true, true);
    }
}

/// What a text does to a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Deed {
    /// It makes one, or a view.
    Creates {
        /// Its name.
        name: String,
        /// Whether it is temporary.
        is_temporary: bool,
        /// Whether it is made of what a query reads.
        is_copy: bool,
        /// Whether it is one of a database that is attached.
        is_attached: bool,
    },
    /// It alters, indexes, reads or writes it, or takes it away where it must be there.
    Needs(String),
    /// It takes it away.
    Drops(String),
    /// It gives it another name: the old, the new.
    Renames(String, String),
}

/// The verb that a word is, in lower case; empty for all others.
fn verb(word: &str) -> &'static str {
    const VERBS: [&str; 8] = ["create", "alter", "drop", "rename", "from", "join", "into", "update"];
    // Most words are too short or too long.
    if !(4..=6).contains(&word.len()) {
        return "";
    }
    VERBS.into_iter().find(|verb| word.eq_ignore_ascii_case(verb)).unwrap_or("")
}

/// What a text does to tables, in order.
pub(super) fn deeds(sql: &str) -> Vec<Deed> {
    let words = Words(words(sql));
    let mut deeds = Vec::new();
    let mut altered = String::new();
    for (at, word) in words.0.iter().enumerate() {
        match verb(word) {
            "create" => deeds.extend(creation(&words, at)),
            "alter" if words.is(at + 1, "table") => {
                altered = words.name(at + 2).unwrap_or_default();
                deeds.extend(words.own_name(at + 2).map(Deed::Needs));
            }
            "rename" if words.is(at + 1, "to") => {
                deeds.extend(words.name(at + 2).map(|to| Deed::Renames(altered.clone(), to)));
            }
            "drop" if words.is_one(at + 1, &["table", "view"]) => {
                if !words.is(at + 2, "if") {
                    deeds.extend(words.own_name(at + 2).map(Deed::Needs));
                }
                deeds.extend(words.own_name(at + 2).map(Deed::Drops));
            }
            "from" | "join" | "into" => deeds.extend(words.own_name(at + 1).map(Deed::Needs)),
            "update" if words.is(at + 2, "set") || words.is(at + 4, "set") => {
                deeds.extend(words.own_name(at + 1).map(Deed::Needs));
            }
            _ => {}
        }
    }
    deeds
}

/// What a `CREATE` at a word makes, or puts an index on.
fn creation(words: &Words<'_>, at: usize) -> Option<Deed> {
    let is_temporary = words.is_one(at + 1, &["temp", "temporary"]);
    let kind = (at + 1..at + 4).find(|&at| !words.is_one(at, &["temp", "temporary", "virtual", "unique"]))?;
    if words.is(kind, "index") {
        let on = (kind..kind + 9).find(|&at| words.is(at, "on"))?;
        return words.own_name(on + 1).map(Deed::Needs);
    }
    if !words.is_one(kind, &["table", "view"]) {
        return None;
    }
    let name = words.name(kind + 1)?;
    let is_copy = (kind + 1..kind + 8)
        .find(|&at| words.is(at, "as"))
        .is_some_and(|at| words.is_one(at + 1, &["select", "with", "values"]));
    let is_temporary = is_temporary || [kind + 1, kind + 4].iter().any(|&at| words.is_schema(at, "temp"));
    let is_attached = words.own_name(kind + 1).is_none();
    Some(Deed::Creates { name, is_temporary, is_copy, is_attached })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computed_names_are_told_by_what_is_made() {
        let of = |sql: &str| {
            let all = computed(&sql.replace("{}", "\u{1}"));
            all.into_iter()
                .map(|one| format!("{} {}", one.kind, one.table.unwrap_or_default()))
                .collect::<Vec<_>>()
        };
        assert_eq!(of("CREATE INDEX IF NOT EXISTS {} ON Main.\"Blocks\"(height)"), ["index blocks"]);
        assert_eq!(
            of("CREATE UNIQUE INDEX {}_by_height ON {} (height); DROP INDEX {}"),
            ["index ", "index "]
        );
        assert_eq!(of("CREATE TRIGGER {} AFTER INSERT ON t BEGIN SELECT 1; END"), ["trigger t"]);
        assert!(of("CREATE INDEX i ON t(a); CREATE TABLE {}(a); INSERT INTO t VALUES ({})").is_empty());
    }

    #[test]
    fn created_and_used_tables_are_told_apart() {
        let found = mentions(
            "-- the chain\nCREATE TABLE IF NOT EXISTS \"Blocks\" (h INT); CREATE UNIQUE INDEX i ON main.headers(h);
             ALTER TABLE peers ADD COLUMN a; INSERT INTO config SELECT 'from nowhere' FROM old_config;
             ALTER TABLE new_t RENAME TO t;",
        );
        assert_eq!(found.created, ["blocks", "t"]);
        assert_eq!(found.used, ["headers", "peers", "config", "old_config", "new_t"]);
        assert!(found.has_ddl && !found.drops_table);
        let adds = |sql: &str| mentions(sql).adds_rows;
        assert!(adds("CREATE TABLE IF NOT EXISTS a(b); INSERT INTO a VALUES (1); DROP TABLE IF EXISTS c"));
        for sql in [
            "INSERT OR IGNORE INTO a VALUES (1); REPLACE INTO a VALUES (1)",
            "INSERT INTO a VALUES (1) ON CONFLICT DO NOTHING",
            "INSERT INTO a SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM a)",
            "CREATE TRIGGER IF NOT EXISTS t AFTER INSERT ON a BEGIN
                INSERT INTO c SELECT CASE new.b WHEN 1 THEN 2 END; INSERT INTO d VALUES (1); END",
        ] {
            assert!(!adds(sql), "{sql}");
        }
        let head = "CREATE TABLE IF NOT EXISTS a(b TEXT DEFAULT ';');";
        assert_eq!(provision_end(&format!("{head} INSERT INTO a VALUES (?)")), Some(head.len()));
        for sql in
            ["CREATE TABLE a(b); SELECT b FROM a WHERE b = ?", "CREATE TABLE IF NOT EXISTS a(b); SELECT 1"]
        {
            assert_eq!(provision_end(sql), None, "{sql}");
        }
        let found = mentions("SELECT a FROM ledger.blocks JOIN main.peers");
        assert_eq!(found.attached, [("ledger".to_owned(), "blocks".to_owned())]);
        assert_eq!(found.used, ["peers"]);
    }

    #[test]
    fn what_a_text_does_to_tables_is_told_in_order() {
        let needs = |name: &str| Deed::Needs(name.to_owned());
        let creates = |name: &str, is_temporary, is_copy| Deed::Creates {
            name: name.to_owned(),
            is_temporary,
            is_copy,
            is_attached: false,
        };
        assert_eq!(
            deeds(
                "CREATE TEMP TABLE kept AS SELECT a FROM t; DROP TABLE t; CREATE TABLE IF NOT EXISTS t(a);
                 ALTER TABLE t RENAME TO u; DROP VIEW IF EXISTS v; INSERT INTO other.w SELECT 'from x';
                 CREATE INDEX i ON u(a)"
            ),
            [
                creates("kept", true, true),
                needs("t"),
                needs("t"),
                Deed::Drops("t".to_owned()),
                creates("t", false, false),
                needs("t"),
                Deed::Renames("t".to_owned(), "u".to_owned()),
                Deed::Drops("v".to_owned()),
                needs("u"),
            ]
        );
    }
}
