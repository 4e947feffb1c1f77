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
    pub min_coverage: Option<Spanned<u64>>,
    pub rule_folders: Vec<Text>,
    pub baseline: Option<Text>,
    pub sqlite: Option<Text>,
    pub max_file_bytes: Option<u64>,
    pub workload: Vec<Text>,
    pub rules: BTreeMap<Text, Rules>,
    pub database: Vec<Spanned<Database>>,
    pub paths: Paths,
    pub growth: Growth,
    pub audit: Audit,
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

/// Around what a runner of migrations puts a transaction, as a word.
#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
pub enum Transaction {
    Step,
    All,
    None,
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
    pub transaction: Option<Transaction>,
    pub statements: Option<Vec<Text>>,
    pub workload: Vec<Text>,
    pub stats: Option<Text>,
    pub growing: Vec<Text>,
    pub bounded: BTreeMap<Text, u64>,
    pub rows: BTreeMap<Text, u64>,
    pub releases: Option<Vec<Text>>,
    pub attached: BTreeMap<String, Text>,
    pub functions: Vec<Text>,
    pub collations: Vec<String>,
    pub modules: Vec<String>,
    pub pragmas: BTreeMap<Text, Spanned<Value>>,
    #[serde(rename = "migration-pragmas")]
    pub migration_pragmas: BTreeMap<Text, Spanned<Value>>,
}

/// `[paths]`.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub struct Paths {
    pub exclude: Vec<Text>,
    pub offline: Vec<Text>,
}

/// `[growth]`.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub struct Growth {
    pub measure: Option<bool>,
}

/// `[audit]`.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Audit {
    pub budget_ms: Option<Spanned<f64>>,
    pub page_ms: Option<Spanned<f64>>,
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
    pub bounded: Option<u64>,
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde::{de::value, forward_to_deserialize_any};
    use std::collections::BTreeSet;

    /// Deserializes nothing: it only hears which keys a struct asks for.
    struct Keys<'a>(&'a mut &'static [&'static str]);

    impl<'de> Deserializer<'de> for Keys<'_> {
        type Error = value::Error;

        fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Self::Error> {
            Err(de::Error::custom("not a struct"))
        }

        fn deserialize_struct<V: Visitor<'de>>(
            self,
            _: &'static str,
            keys: &'static [&'static str],
            visitor: V,
        ) -> Result<V::Value, Self::Error> {
            *self.0 = keys;
            self.deserialize_any(visitor)
        }

        forward_to_deserialize_any! {
            bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
            unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
        }
    }

    fn keys<T: Deserialize<'static>>() -> BTreeSet<String> {
        let mut keys: &[&str] = &[];
        assert!(T::deserialize(Keys(&mut keys)).is_err());
        keys.iter().map(|&key| key.to_owned()).collect()
    }

    /// The sections of docs/config.md, each with the keys that have a heading in it.
    fn documented() -> BTreeMap<String, BTreeSet<String>> {
        let page = include_str!("../../docs/config.md");
        let sections = page.split("\n## ").skip(1).map(|section| {
            let title = section.lines().next().unwrap_or("").replace(['`', '[', ']'], "");
            let keys = section.lines().filter_map(|line| line.strip_prefix("### "));
            (title, keys.map(|key| key.replace('`', "")).collect())
        });
        sections.collect()
    }

    #[test]
    fn every_key_is_documented_and_nothing_else_is() {
        let mut documented = documented();
        let tables: Vec<String> = documented.keys().filter(|title| *title != "Top level").cloned().collect();
        documented.get_mut("Top level").unwrap().extend(tables);
        let read = [
            ("Top level", keys::<File>()),
            ("rules", keys::<Rule>()),
            ("database", keys::<Database>()),
            ("paths", keys::<Paths>()),
            ("growth", keys::<Growth>()),
            ("audit", keys::<Audit>()),
            ("allow", keys::<Allow>()),
        ];
        let read = read.into_iter().map(|(title, keys)| (title.to_owned(), keys)).collect();
        assert_eq!(documented, read);
    }
}
