//! `planlint.toml` as it is written: every key, its type, and where it stands. Checks nothing that takes knowledge of
//! another key; that is for `check`. docs/config.md says what the keys mean.

use serde::{
    Deserialize, Deserializer,
    de::{
        self, IntoDeserializer, MapAccess, SeqAccess, Visitor,
        value::{MapAccessDeserializer, SeqAccessDeserializer},
    },
};
use std::{collections::BTreeMap, fmt};
use toml::{Spanned, Value};

/// A text of the file and its place.
pub type Text = Spanned<String>;

/// The whole file.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct File {
    pub fail_on: Option<Severity>,
    pub rule_folders: Vec<Text>,
    pub max_file_bytes: Option<u64>,
    pub rules: BTreeMap<Text, Rules>,
    pub database: Vec<Spanned<Database>>,
    pub paths: Paths,
    pub allow: Vec<Spanned<Allow>>,
}

/// A level of the report, as a word.
#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Note,
    Warning,
    Error,
}

/// A level of a rule, as a word.
#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    Off,
    Note,
    Warning,
    Error,
}

/// What `[rules]` says of one rule, once.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub struct Rule {
    pub level: Option<Level>,
    pub paths: Vec<Text>,
}

/// One `[[database]]`.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub struct Database {
    pub name: Option<Text>,
    pub migrations: Vec<Text>,
    pub create: Vec<Text>,
    pub open: Vec<Text>,
    pub statements: Option<Vec<Text>>,
    pub workload: Vec<Text>,
    pub growing: Vec<Text>,
    pub bounded: BTreeMap<String, u64>,
    pub releases: Vec<Text>,
    pub attached: BTreeMap<String, Text>,
    pub functions: Vec<Text>,
    pub collations: Vec<String>,
    pub modules: Vec<String>,
    pub pragmas: BTreeMap<Text, Spanned<Value>>,
}

/// `[paths]`.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub struct Paths {
    pub exclude: Vec<Text>,
    pub offline: Vec<Text>,
}

/// One `[[allow]]`.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub struct Allow {
    pub rule: Option<Text>,
    pub path: Option<Spanned<Value>>,
    pub table: Option<Text>,
    pub statement: Option<Text>,
    pub reason: Option<Text>,
    pub until: Option<Spanned<Value>>,
}

/// What `[rules]` says of one rule: a level alone, a table, or a list of tables.
pub struct Rules(pub Vec<Rule>);

impl<'de> Deserialize<'de> for Rules {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RulesVisitor)
    }
}

struct RulesVisitor;

impl<'de> Visitor<'de> for RulesVisitor {
    type Value = Rules;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a level, or a table with `level` and `paths`, or a list of such tables")
    }

    fn visit_str<E: de::Error>(self, word: &str) -> Result<Rules, E> {
        let level = Level::deserialize(word.into_deserializer())?;
        Ok(Rules(vec![Rule { level: Some(level), paths: Vec::new() }]))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Rules, A::Error> {
        Ok(Rules(vec![Rule::deserialize(MapAccessDeserializer::new(map))?]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Rules, A::Error> {
        Ok(Rules(Vec::deserialize(SeqAccessDeserializer::new(seq))?))
    }
}
