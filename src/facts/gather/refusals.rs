//! What SQLite refused of statements, as facts.

use super::{Gatherer, statements::refusal_kind};
use crate::{
    config::near,
    extract::{names, text::Text},
    schema::{Objects, Refusal, RefusalKind},
};

impl Gatherer<'_> {
    pub(super) fn gather_refusal(
        &mut self,
        row: i64,
        database: Option<usize>,
        text: &Text,
        refusal: &Refusal,
    ) {
        let (kind, name) = refusal_kind(&refusal.kind);
        let at = refusal
            .offset
            .and_then(|offset| text.site(offset as u32, offset as u32 + word_length(text.as_str(), offset)));
        let site = self.optional_site(at);
        let objects = database
            .and_then(|index| self.program.databases.get(index))
            .map(|database| &database.variant.objects);
        let lacks = matches!(refusal.kind, RefusalKind::NoSuchTable(_) | RefusalKind::NoSuchColumn(_));
        let near = objects.and_then(|objects| near_name(objects, &refusal.kind));
        let variant = database.and_then(|database| self.variants.get(database)).copied();
        self.facts.insert(
            "refusal",
            [
                ("statement", &row),
                ("variant", &variant),
                ("kind", &kind),
                ("name", &name),
                ("near", &near),
                ("message", &refusal.message),
                (
                    "elsewhere",
                    &(lacks && objects.is_some_and(|objects| is_elsewhere(text.as_str(), objects))),
                ),
                ("site", &site),
            ],
        );
    }
}

/// The name in a schema that was probably meant by one that is not there.
fn near_name<'a>(objects: &'a Objects, kind: &RefusalKind) -> Option<&'a str> {
    let views = objects.views.iter().map(|view| view.name.as_str());
    match kind {
        RefusalKind::NoSuchTable(name) => {
            near(name, objects.tables.iter().map(|table| table.name.as_str()).chain(views))
        }
        RefusalKind::NoSuchColumn(name) => {
            let column = name.rsplit_once('.').map_or(name.as_str(), |(_, column)| column);
            let columns = objects.tables.iter().flat_map(|table| &table.columns);
            // Another table has it: then it was no slip.
            near(column, columns.map(|column| column.name.as_str()))
                .filter(|near| !near.eq_ignore_ascii_case(column))
        }
        _ => None,
    }
}

/// The length of the word at an offset, at least 1.
fn word_length(text: &str, offset: usize) -> u32 {
    let rest = text.get(offset..).unwrap_or("");
    rest.find(|character: char| !(character.is_alphanumeric() || character == '_'))
        .unwrap_or(rest.len())
        .max(1) as u32
}

/// Whether most of the columns that a SELECT returns are in no table of a schema: a table of the same name stands in
/// another database.
fn is_elsewhere(text: &str, objects: &Objects) -> bool {
    let listed = names::find_word(text, "select").zip(names::find_word(text, "from"));
    let Some(((_, start), (end, _))) = listed else { return false };
    let mut depth = 0_i32;
    let list = text.get(start..end).unwrap_or("");
    let items = list.split(|character| {
        depth += i32::from(character == '(') - i32::from(character == ')');
        character == ',' && depth == 0
    });
    let (mut known, mut unknown) = (0, 0);
    for column in items.filter_map(column_name) {
        let of_tables =
            objects.tables.iter().flat_map(|table| &table.columns).map(|column| column.name.as_str());
        let of_views = objects.views.iter().flat_map(|view| &view.columns).map(String::as_str);
        if of_tables.chain(of_views).any(|name| name.eq_ignore_ascii_case(column)) {
            known += 1;
        } else {
            unknown += 1;
        }
    }
    unknown >= 2 && unknown > known
}

/// The column that an item of a SELECT returns, where it is no more than a column: `a`, `t.a`, `t.a AS b`.
fn column_name(item: &str) -> Option<&str> {
    let first = item.split_whitespace().next()?;
    let name = first.rsplit('.').next()?.trim_matches(['"', '`', '[', ']']);
    let plain = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let whole = item.split_whitespace().count() == 1
        || item.split_whitespace().nth(1).is_some_and(|word| word.eq_ignore_ascii_case("as"));
    let is_own = ["null", "true", "false", "rowid", "oid", "_rowid_"]
        .iter()
        .any(|word| name.eq_ignore_ascii_case(word))
        || name.to_ascii_lowercase().starts_with("current_");
    (plain && whole && !is_own).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_that_is_a_column_has_its_name() {
        assert_eq!(column_name(" h.start_time AS started"), Some("start_time"));
        assert_eq!(column_name("\n\"id\""), Some("id"));
        assert_eq!(column_name("a + 1"), None);
        assert_eq!(column_name("count(*)"), None);
        assert_eq!(column_name("1"), None);
        assert_eq!(column_name("NULL AS nothing"), None);
    }
}
