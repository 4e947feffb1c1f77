//! What the compiled program of an INSERT tells: whether its clause about conflicts changes anything, and which columns that
//! must not be NULL get NULL whatever its parameters are. SQLite is asked for the program of the statement as it is, and for
//! that of the statement without the clause.

use super::{
    Live,
    counters::{self, Listing},
    guard::Mode,
    sqlite,
    tokens::{Token, Tokens, closing},
};

/// What is known of the rows that an INSERT adds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Inserted {
    /// Its clause about conflicts, where SQLite compiles the same without it.
    pub idle_clause: Option<String>,
    /// The columns, each with its table, that must not be NULL and always get it.
    pub missing: Vec<(String, String)>,
    /// A row that lacks them is passed over, and nothing says so.
    pub passes_over: bool,
}

/// An instruction of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Instruction {
    name: String,
    p1: i64,
    p2: i64,
    p3: i64,
    text: Option<String>,
    p5: i64,
}

/// SQLite's `SQLITE_CONSTRAINT_NOTNULL`.
const NOT_NULL: i64 = 1299;

impl Live {
    /// What the program of an INSERT tells; nothing of one that SQLite refuses.
    pub(super) fn inserted(&mut self, statement: &str) -> Inserted {
        self.guard.begin(Mode::Explain);
        let found = self.ask_inserted(statement).unwrap_or_default();
        self.guard.log().events.clear();
        found
    }

    fn ask_inserted(&self, statement: &str) -> sqlite::Result<Inserted> {
        let whole = self.listing(statement)?;
        let Some((clause, bare)) = without_clause(statement) else {
            return Ok(Inserted { missing: missing(&whole), ..Inserted::default() });
        };
        let bare = self.listing(&bare)?;
        let idle_clause = (whole == bare).then_some(clause);
        let passes_over = missing(&whole).is_empty();
        Ok(Inserted { idle_clause, missing: missing(&bare), passes_over })
    }

    fn listing(&self, statement: &str) -> sqlite::Result<Vec<Instruction>> {
        let mut prepared = self.connection.prepare(statement)?;
        counters::list(&self.connection, statement, Listing::Program)?;
        let mut found = Vec::new();
        {
            let mut rows = prepared.raw_query();
            while let Some(row) = rows.next()? {
                found.push(Instruction {
                    name: row.get(1)?,
                    p1: row.get(2)?,
                    p2: row.get(3)?,
                    p3: row.get(4)?,
                    text: row.get_ref(5)?.as_str_or_null().ok().flatten().map(str::to_owned),
                    p5: row.get(6)?,
                });
            }
        }
        counters::list(&self.connection, statement, Listing::Rows)?;
        Ok(found)
    }
}

/// The table of a REPLACE, and the columns that it names; `None` where it names none.
pub fn replaced_columns(sql: &str) -> Option<(String, Vec<String>)> {
    let tokens: Vec<Token<'_>> = Tokens::from(sql, 0).collect();
    let into = tokens.iter().position(|one| one.is("INTO"))?;
    let is_replace = |head: &[Token<'_>]| head.last().is_some_and(|one| one.is("REPLACE"));
    let open = tokens
        .iter()
        .position(|one| one.is_sign('('))
        .filter(|_| tokens.get(..into).is_some_and(is_replace))?;
    // `INTO t`, `INTO main.t`, `INTO t AS new`: what stands behind them is the list.
    let head = tokens.get(into + 1..open)?;
    let name = if head.get(1).is_some_and(|one| one.is_sign('.')) { head.get(2)? } else { head.first()? };
    if head.iter().any(|one| ["VALUES", "SELECT", "DEFAULT", "WITH"].iter().any(|word| one.is(word))) {
        return None;
    }
    let list = tokens.get(open + 1..closing(&tokens, open)?)?;
    Some((name.name(), list.iter().filter(|one| one.is_name()).map(Token::name).collect()))
}

/// The columns that a program tests for NULL where nothing but NULL is ever put.
fn missing(program: &[Instruction]) -> Vec<(String, String)> {
    // What follows another Init is that of a trigger or of a foreign key.
    let end = program.iter().skip(1).position(|one| one.name == "Init").map_or(program.len(), |at| at + 1);
    let own = program.get(..end).unwrap_or_default();
    let tests = own.iter().filter(|one| one.name == "HaltIfNull" && one.p1 == NOT_NULL);
    let is_null = |register: i64| {
        let covers = |one: &Instruction| (one.p2..=one.p3.max(one.p2)).contains(&register);
        own.iter().any(|one| one.name == "Null" && covers(one))
            && !own.iter().any(|one| may_write(one, register))
    };
    let named = |one: &Instruction| {
        let (table, column) = one.text.as_deref()?.split_once('.')?;
        Some((table.to_owned(), column.to_owned()))
    };
    tests.filter(|one| is_null(one.p3)).filter_map(named).collect()
}

/// Whether an instruction may put something else than NULL into a register. One that is not listed here may.
fn may_write(one: &Instruction, register: i64) -> bool {
    match one.name.as_str() {
        "Null" | "SoftNull" | "HaltIfNull" | "Halt" | "Init" | "Goto" | "Transaction" | "TableLock"
        | "OpenWrite" | "OpenRead" | "ReopenIdx" | "OpenEphemeral" | "Close" | "Insert" | "IdxInsert"
        | "Delete" | "IdxDelete" | "NotExists" | "NoConflict" | "Found" | "NotFound" | "IsNull"
        | "NotNull" | "If" | "IfNot" | "IfPos" | "Rewind" | "Next" | "Prev" | "Last" | "Yield"
        | "InitCoroutine" | "EndCoroutine" | "Return" | "Eq" | "Ne" | "Lt" | "Le" | "Gt" | "Ge"
        | "Explain" | "Noop" | "Affinity" | "TypeCheck" | "ResultRow" | "FkCounter" | "FkIfZero"
        | "SeekRowid" | "SeekGE" | "SeekGT" | "SeekLE" | "SeekLT" | "IdxGE" | "IdxGT" | "IdxLE" | "IdxLT"
        | "Once" | "VUpdate" => false,
        "Column" | "MakeRecord" | "Function" | "PureFunc" | "Add" | "Subtract" | "Multiply" | "Divide"
        | "Remainder" | "Concat" | "And" | "Or" | "BitAnd" | "BitOr" | "ShiftLeft" | "ShiftRight" => {
            one.p3 == register
        }
        "Copy" => (one.p2..=one.p2 + one.p3.max(0)).contains(&register),
        "Variable" | "Integer" | "Int64" | "Real" | "String" | "String8" | "Blob" | "SCopy" | "NewRowid"
        | "Rowid" => one.p2 == register,
        _ => one.p2 == register || one.p3 == register,
    }
}

/// The clause of an INSERT that says what becomes of rows which conflict with others, and the statement without it. What
/// changes the other row needs a key, or SQLite refuses it.
fn without_clause(sql: &str) -> Option<(String, String)> {
    let mut depth = 0_usize;
    let outer = |token: &Token<'_>| {
        if token.is_sign('(') {
            depth += 1;
        } else if token.is_sign(')') {
            depth = depth.saturating_sub(1);
        }
        depth == 0 && !token.is_sign(')')
    };
    let tokens: Vec<Token<'_>> = Tokens::from(sql, 0).filter(outer).collect();
    let verb = tokens.iter().position(|one| one.is("insert") || one.is("replace"))?;
    let at = |offset: usize| tokens.get(verb + offset);
    let says =
        |offset: usize, words: &[&str]| at(offset).is_some_and(|one| words.iter().any(|word| one.is(word)));
    if says(0, &["replace"]) {
        let token = at(0)?;
        return Some(("REPLACE".to_owned(), replaced(sql, token.start, token.end, "INSERT")));
    }
    if says(1, &["or"]) && says(2, &["ignore", "replace"]) {
        let (first, last) = (at(1)?, at(2)?);
        let clause = format!("OR {}", last.text.to_ascii_uppercase());
        return Some((clause, replaced(sql, first.start, last.end, "")));
    }
    let is = |token: Option<&Token<'_>>, word: &str| token.is_some_and(|one| one.is(word));
    let mut clauses = tokens.windows(4).filter(|four| is(four.first(), "on") && is(four.get(1), "conflict"));
    let clause = clauses.next().filter(|four| is(four.get(2), "do") && is(four.get(3), "nothing"))?;
    if clauses.next().is_some() {
        return None;
    }
    let (first, last) = (clause.first()?, clause.last()?);
    Some(("ON CONFLICT DO NOTHING".to_owned(), replaced(sql, first.start, last.end, "")))
}

fn replaced(sql: &str, from: usize, to: usize, by: &str) -> String {
    let (head, tail) = (sql.get(..from).unwrap_or_default(), sql.get(to..).unwrap_or_default());
    format!("{head}{by}{tail}")
}
