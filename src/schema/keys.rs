//! Which statements take the same time however many rows there are: those whose every step is a search for one value of
//! all columns of a unique key. Knows the keys of the schema, and trusts the plan for the rest.

use super::explain::Explained;
use super::tokens::Tokens;
use super::{Live, StatementKind, guard, sqlite};
use crate::plan::{Index, Op, Step, TermKind};
use std::collections::HashMap;

/// Keys by schema, table and index, and what is no unique key; the empty name is the primary key.
pub(super) type Keys = HashMap<(String, String, String), Option<Key>>;

/// A unique key.
#[derive(Debug, Clone, Copy)]
pub(super) struct Key {
    columns: u32,
    /// A column of it may be NULL, and NULLs are not unique.
    nullable: bool,
}

impl Live {
    /// Whether every step finds at most one row, by a unique key.
    pub(super) fn is_constant(&mut self, explained: &Explained, sql: &str) -> bool {
        use StatementKind::{Delete, Insert, Replace, Select, Update};
        if !matches!(explained.kind, Select | Insert | Replace | Update | Delete) {
            return false;
        }
        let programs = explained.plan.steps.iter().any(|step| step.op == Op::TriggerProgram);
        // A search for NULL finds all of them; only IS asks for it, and in a trigger it would not be seen here.
        let asks_for_null =
            programs || Tokens::from(sql, 0).any(|token| token.is("is") || token.is("isnull"));
        explained.plan.steps.iter().all(|step| match step.op {
            Op::ConstantRow | Op::Values(_) | Op::TriggerProgram | Op::Scalar { .. } | Op::TempBTree(_) => {
                true
            }
            Op::Scan if step.one_row => true,
            Op::Search => self.finds_one(step, asks_for_null),
            _ => false,
        })
    }

    fn finds_one(&mut self, step: &Step, asks_for_null: bool) -> bool {
        let (Some(schema), Some(table), Some(index)) = (&step.schema, &step.table, &step.index) else {
            return false;
        };
        let equal = step.terms.iter().filter(|term| term.kind == TermKind::Equal).count() as u32;
        let name = match index {
            Index::Rowid => return equal == 1,
            Index::Automatic { .. } => return false,
            Index::Named { name, .. } => name.clone(),
            Index::PrimaryKey => String::new(),
        };
        let place = (schema.clone(), table.clone(), name);
        let known = self.roots.as_ref().and_then(|roots| roots.keys.get(&place).copied());
        let key = known.unwrap_or_else(|| self.key(&place));
        key.is_some_and(|key| equal >= key.columns && !(key.nullable && asks_for_null))
    }

    /// Asks the catalogue for a key, and remembers it.
    fn key(&mut self, place: &(String, String, String)) -> Option<Key> {
        self.guard.begin(guard::Mode::Own);
        let key = self.read_key(place).ok().flatten();
        if let Some(roots) = &mut self.roots {
            roots.keys.insert(place.clone(), key);
        }
        key
    }

    fn read_key(&self, (schema, table, index): &(String, String, String)) -> sqlite::Result<Option<Key>> {
        let sql = if index.is_empty() {
            "SELECT count(*), 0 FROM pragma_table_xinfo(?1, ?2) WHERE pk > 0 AND ?3 = '' HAVING count(*) > 0"
        } else {
            "SELECT count(*), sum(coalesce(c.\"notnull\", 0) = 0)
             FROM pragma_index_list(?1, ?2) AS l JOIN pragma_index_info(?3, ?2) AS i
             LEFT JOIN pragma_table_xinfo(?1, ?2) AS c ON c.cid = i.cid
             WHERE l.name = ?3 AND l.\"unique\" HAVING count(*) > 0"
        };
        let mut statement = self.connection.prepare(sql)?;
        let mut rows = statement.query([table, schema, index])?;
        let Some(row) = rows.next()? else { return Ok(None) };
        let missing: i64 = row.get(1)?;
        Ok(Some(Key { columns: row.get(0)?, nullable: missing > 0 }))
    }
}
