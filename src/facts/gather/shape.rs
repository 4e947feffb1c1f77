//! What a statement is made of: read from its tree or, where it does not parse, guessed from its words.

use crate::extract::names::{Names, find_word, is_filtered};

/// What a statement is made of, as `statement` of the contract defines it; `None` where it is not known.
pub(super) struct Shape {
    pub filtered: Option<bool>,
    pub ordered: Option<bool>,
    pub limited: Option<bool>,
    pub skips: Option<bool>,
    pub pages: Option<bool>,
    pub aggregate: Option<bool>,
    pub grouped: Option<bool>,
    pub is_distinct: Option<bool>,
    pub positional: Option<bool>,
}

impl Shape {
    pub fn new(text: &str, names: Option<&Names>) -> Self {
        names.map_or_else(|| Self::of_words(text), Self::of_tree)
    }

    fn of_tree(names: &Names) -> Self {
        Self {
            filtered: Some(names.filtered),
            ordered: Some(!names.order_by.is_empty()),
            limited: Some(names.limit),
            skips: Some(names.offset),
            pages: Some(names.pages),
            aggregate: Some(names.aggregate),
            grouped: Some(names.grouped),
            is_distinct: Some(names.distinct),
            positional: Some(names.positional),
        }
    }

    fn of_words(text: &str) -> Self {
        let has = |word: &str| Some(find_word(text, word).is_some());
        Self {
            filtered: Some(is_filtered(text)),
            ordered: has("order"),
            limited: has("limit"),
            skips: has("offset"),
            pages: has("offset"),
            aggregate: None,
            grouped: has("group"),
            is_distinct: has("distinct"),
            positional: None,
        }
    }
}
