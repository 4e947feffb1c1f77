//! One file of a tree read again, after a change of its text alone, with all others as they were. What depends on who
//! calls whom is not found out again.

use super::{
    Extraction, Literal,
    fold::{Folder, Known, Unit},
    fold_unit, languages,
    lexer::Table,
    take,
    units::take_apart,
};
use crate::source::{SourceId, Sources};

/// What is kept of a tree to read a file of it again.
pub struct Kept {
    pub(super) units: Vec<Unit>,
    pub(super) tables: Vec<Table>,
}

/// Finds the SQL of all sources as [`extract`](super::extract()), and keeps what is needed to read one of them again.
pub fn extract_and_keep(sources: &Sources, is_offline: &(dyn Fn(&str) -> bool + Sync)) -> (Extraction, Kept) {
    take(sources, is_offline, false)
}

impl Kept {
    /// The literals of a file as it is now, without their functions and calls. `before` is the file as it was read with the tree.
    pub fn again(&mut self, sources: &Sources, before: Option<SourceId>, now: SourceId) -> Vec<Literal> {
        let Some(source) = sources.get(now) else { return Vec::new() };
        let described = languages::of_path(&source.path)
            .and_then(|number| Some((languages::ALL.get(number)?, self.tables.get(number)?)));
        let Some((language, table)) = described else { return Vec::new() };
        let mut unit = take_apart(now, &source.path, source.text(), language, table);
        let is_it = |one: &Unit| one.source == now || Some(one.source) == before;
        let known = self.units.iter().position(is_it);
        if let Some(old) = known.and_then(|index| self.units.get_mut(index)) {
            // Another file may say so.
            unit.is_test |= old.is_test;
            *old = unit;
        } else {
            self.units.push(unit);
        }
        let index = known.unwrap_or(self.units.len() - 1);
        let folder = Folder::new(sources, &self.units, &self.tables, Known::default());
        fold_unit(&folder, index).into_iter().map(|one| one.literal).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;

    #[test]
    fn a_changed_file_is_read_with_the_constants_of_the_others() {
        let names = Source::new("src/names.rs", "pub const TABLE: &str = \"orders\";\n");
        let user = |column: &str| {
            let text = format!("fn f(c: &C) {{ c.query(&format!(\"SELECT {column} FROM {{TABLE}}\")); }}\n");
            Source::new("src/user.rs", text)
        };
        let mut sources = Sources::of(vec![names, user("a")]);
        let (extraction, mut kept) = extract_and_keep(&sources, &|_| false);
        let texts = |literals: &[Literal]| -> Vec<String> {
            literals.iter().flat_map(|one| &one.variants).map(|text| text.as_str().to_owned()).collect()
        };
        assert_eq!(texts(&extraction.literals), ["SELECT a FROM orders"]);
        let before = sources.find("src/user.rs").map(|(id, _)| id);
        let now = sources.add(user("b"));
        assert_eq!(texts(&kept.again(&sources, before, now)), ["SELECT b FROM orders"]);
        sources.put(now, user("c"));
        assert_eq!(texts(&kept.again(&sources, before, now)), ["SELECT c FROM orders"]);
        let new = sources.add(Source::new("src/new.rs", "fn g(c: &C) { c.query(\"SELECT 1\"); }\n"));
        assert_eq!(texts(&kept.again(&sources, None, new)), ["SELECT 1"]);
    }
}
