//! What a program brings along and this build of SQLite lacks: functions, collations, virtual tables. A stub is there
//! so that a statement compiles and is planned; what it computes is not what the program would.

use super::head::Head;
use super::tokens::{Token, Tokens};
use super::{Settings, counters, quoted, sqlite};
use sqlite::functions::{Context, FunctionFlags};
use sqlite::types::{Value, ValueRef};

/// The virtual table modules of this build that a program may use.
const BUILT_IN: &[&str] =
    &["fts3", "fts4", "fts5", "fts4aux", "fts3tokenize", "fts5vocab", "rtree", "rtree_i32"];

/// Table-valued functions that programs often bring along, and their columns.
const TABLE_FUNCTIONS: &[(&str, &str)] = &[
    ("carray", "value, pointer HIDDEN, count HIDDEN, ctype HIDDEN"),
    ("generate_series", "value, start HIDDEN, stop HIDDEN, step HIDDEN"),
    ("rarray", "value, pointer HIDDEN"),
];

/// The columns of a table-valued function of which nothing is known.
const ANY_COLUMNS: &str = "value, a1 HIDDEN, a2 HIDDEN, a3 HIDDEN, a4 HIDDEN, a5 HIDDEN, a6 HIDDEN";

/// A name, and what it computes.
type OfOne = (&'static str, fn(f64) -> f64);
type OfTwo = (&'static str, fn(f64, f64) -> f64);

/// Functions of one number that SQLite has where it is built with them; this build is not.
const MATH: &[OfOne] = &[
    ("acos", f64::acos),
    ("acosh", f64::acosh),
    ("asin", f64::asin),
    ("asinh", f64::asinh),
    ("atan", f64::atan),
    ("atanh", f64::atanh),
    ("ceil", f64::ceil),
    ("ceiling", f64::ceil),
    ("cos", f64::cos),
    ("cosh", f64::cosh),
    ("degrees", f64::to_degrees),
    ("exp", f64::exp),
    ("floor", f64::floor),
    ("ln", f64::ln),
    ("log", f64::log10),
    ("log10", f64::log10),
    ("log2", f64::log2),
    ("radians", f64::to_radians),
    ("sin", f64::sin),
    ("sinh", f64::sinh),
    ("sqrt", f64::sqrt),
    ("tan", f64::tan),
    ("tanh", f64::tanh),
    ("trunc", f64::trunc),
];

/// The same of two numbers.
const MATH_OF_TWO: &[OfTwo] = &[
    ("atan2", f64::atan2),
    ("log", |base, number| number.log(base)),
    ("mod", |number, divisor| number % divisor),
    ("pow", f64::powf),
    ("power", f64::powf),
];

/// Functions that hosts and common extensions add; `rank(matchinfo(t))` orders what a full-text search finds, as SQLite shows.
const COMMON: &[(&str, i32)] = &[
    ("regexp", 2),
    ("uuid", 0),
    ("md5", 1),
    ("sha1", 1),
    ("sha256", 1),
    ("sha3", -1),
    ("crc32", 1),
    ("rank", 1),
    ("rank", 2),
    ("rank", 3),
];

/// Registers everything that is known to be needed.
pub(super) fn register(connection: &sqlite::Connection, settings: &Settings) -> sqlite::Result<()> {
    for (name, of) in MATH {
        connection.create_scalar_function(*name, 1, flags(), move |context| {
            Ok(number(context, 0).map(of).filter(|result| !result.is_nan()))
        })?;
    }
    for (name, of) in MATH_OF_TWO {
        connection.create_scalar_function(*name, 2, flags(), move |context| {
            let result = number(context, 0).zip(number(context, 1)).map(|(left, right)| of(left, right));
            Ok(result.filter(|result| !result.is_nan()))
        })?;
    }
    connection.create_scalar_function("pi", 0, flags(), |_| Ok(std::f64::consts::PI))?;
    for (name, arity) in COMMON {
        function(connection, name, *arity)?;
    }
    for (name, arity) in &settings.functions {
        if !has_function(connection, name, *arity) {
            function(connection, name, *arity)?;
        }
    }
    for name in &settings.collations {
        collation(connection, name)?;
    }
    for (name, columns) in TABLE_FUNCTIONS {
        counters::table_function(connection, name, columns)?;
    }
    for name in settings.modules.iter().filter(|name| !is_known_module(name) && !is_table_function(name)) {
        counters::table_function(connection, name, ANY_COLUMNS)?;
    }
    Ok(())
}

/// Registers a function that returns its first argument, so that rows stay as distinct as they are.
pub(super) fn function(connection: &sqlite::Connection, name: &str, arity: i32) -> sqlite::Result<()> {
    connection.create_scalar_function(name, arity, flags(), |context| {
        if context.is_empty() { Ok(Value::Text(String::new())) } else { context.get::<Value>(0) }
    })
}

/// Registers a collation that compares bytes.
pub(super) fn collation(connection: &sqlite::Connection, name: &str) -> sqlite::Result<()> {
    connection.create_collation(name, str::cmp)
}

/// Whether a virtual table of this module can really be created.
pub(super) fn is_known_module(module: &str) -> bool {
    BUILT_IN.iter().any(|known| module.eq_ignore_ascii_case(known))
}

fn is_table_function(name: &str) -> bool {
    TABLE_FUNCTIONS.iter().any(|(known, _)| name.eq_ignore_ascii_case(known))
}

/// An index may use a function that says it is deterministic, and a view one that says it is harmless.
pub(super) fn flags() -> FunctionFlags {
    FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_INNOCUOUS
}

fn number(context: &Context<'_>, argument: usize) -> Option<f64> {
    match context.get_raw(argument) {
        ValueRef::Integer(value) => Some(value as f64),
        ValueRef::Real(value) => Some(value),
        _ => None,
    }
}

fn has_function(connection: &sqlite::Connection, name: &str, arity: i32) -> bool {
    let arguments = vec!["NULL"; usize::try_from(arity).unwrap_or(0)].join(", ");
    match connection.prepare(&format!("SELECT {}({arguments})", quoted(name))) {
        Ok(_) => true,
        Err(error) => arity < 0 && !error.to_string().contains("no such function"),
    }
}

/// The option of a full-text table that says how it takes texts apart.
fn tokenizer(head: &Head) -> Option<&str> {
    let is_option = |one: &&String| one.trim_start().to_ascii_lowercase().starts_with("tokenize");
    Some(head.arguments.iter().find(is_option)?.trim())
}

/// Whether a full-text table has its words from a tokenizer that the program registers: `tokenize = 'porter own'`.
pub(super) fn wraps_tokenizer(head: &Head) -> bool {
    let words = tokenizer(head).unwrap_or("").split(|one: char| !(one.is_alphanumeric() || one == '_'));
    let mut words = words.filter(|word| !word.is_empty()).skip(1);
    let is = |word: &str, names: &[&str]| names.iter().any(|name| word.eq_ignore_ascii_case(name));
    words.next().is_some_and(|word| is(word, &["porter"]))
        && words.next().is_some_and(|word| !is(word, &["porter", "unicode61", "ascii", "trigram"]))
}

/// The text of a full-text table without the tokenizer, where the program registers that: all else is as it says.
pub(super) fn without_tokenizer(sql: &str, head: &Head) -> Option<String> {
    let option = tokenizer(head)?;
    let at = sql.rfind(option)?;
    let before = sql.get(..at)?.trim_end();
    let behind = sql.get(at + option.len()..)?;
    Some(match before.strip_suffix(',') {
        Some(before) => format!("{before}{behind}"),
        None => format!("{before}{}", behind.trim_start().trim_start_matches(',')),
    })
}

/// The plain table that stands for a virtual table of a module that is not there. Its columns are those that are
/// declared; what is written as `key = value` is an option of the module.
pub(super) fn plain_table(head: &Head) -> Option<String> {
    let name = head.object.as_deref()?;
    let mut columns: Vec<String> = Vec::new();
    for argument in head.arguments.iter().filter(|argument| !argument.contains('=')) {
        let Some(name) = Tokens::from(argument, 0).find(Token::is_name) else { continue };
        let column = quoted(&name.name());
        if !columns.iter().any(|other| other.eq_ignore_ascii_case(&column)) {
            columns.push(column);
        }
    }
    if columns.is_empty() {
        columns.push("value".to_owned());
    }
    let condition = if head.lenient { "IF NOT EXISTS " } else { "" };
    let schema = head.schema.as_deref().map(|schema| format!("{}.", quoted(schema))).unwrap_or_default();
    Some(format!("CREATE TABLE {condition}{schema}{}({})", quoted(name), columns.join(", ")))
}
