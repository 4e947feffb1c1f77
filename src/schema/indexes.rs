//! The indexes and foreign keys of a database: the part of [`Objects`] that stands between columns.

use super::head::Head;
use super::objects::{ForeignKey, IndexColumn, IndexObject, Objects, Origin, Texts};
use super::{Live, quoted, sqlite};
use std::collections::HashMap;

/// The columns of a primary key, in order, by schema and table in lower case.
type Keys = HashMap<(String, String), Vec<String>>;

impl Live {
    /// A PRAGMA that asks about an object of a schema. It takes SQLite less time than the table of the same name.
    pub(super) fn pragma(
        &self,
        schema: &str,
        name: &str,
        object: &str,
    ) -> sqlite::Result<sqlite::Statement<'_>> {
        self.connection.prepare(&format!("PRAGMA {}.{name}({})", quoted(schema), quoted(object)))
    }

    pub(super) fn read_indexes(
        &self,
        wanted: &dyn Fn(&str) -> bool,
        texts: &Texts,
        objects: &mut Objects,
    ) -> sqlite::Result<()> {
        for table in objects.tables.iter().filter(|table| wanted(&table.name)) {
            let first = objects.indexes.len();
            let mut list = self.pragma(&table.schema, "index_list", &table.name)?;
            let mut rows = list.query([])?;
            while let Some(row) = rows.next()? {
                let (name, origin): (String, String) = (row.get(1)?, row.get(3)?);
                let sql = texts.get(&(table.schema.clone(), name.to_ascii_lowercase())).cloned();
                objects.indexes.push(IndexObject {
                    schema: table.schema.clone(),
                    table: table.name.clone(),
                    unique: row.get(2)?,
                    origin: match origin.as_str() {
                        "u" => Origin::Unique,
                        "pk" => Origin::PrimaryKey,
                        _ => Origin::Create,
                    },
                    filter: None,
                    columns: Vec::new(),
                    sql,
                    name,
                });
            }
            let own = objects.indexes.get_mut(first..).unwrap_or_default();
            own.sort_by(|one, other| one.name.cmp(&other.name));
        }
        self.read_index_columns(objects)
    }

    fn read_index_columns(&self, objects: &mut Objects) -> sqlite::Result<()> {
        for index in &mut objects.indexes {
            let declared = index.sql.as_deref().and_then(|sql| Head::read(sql).index());
            let terms = declared.as_ref().map(|declared| declared.columns.as_slice()).unwrap_or_default();
            let mut list = self.pragma(&index.schema, "index_xinfo", &index.name)?;
            let mut rows = list.query([])?;
            while let Some(row) = rows.next()? {
                // SQLite gives an expression the column number -2.
                let expression =
                    (row.get::<_, i64>(1)? == -2).then(|| terms.get(index.columns.len())).flatten();
                index.columns.push(IndexColumn {
                    expression: expression.cloned(),
                    name: row.get(2)?,
                    descending: row.get(3)?,
                    collation: row.get(4)?,
                    key: row.get(5)?,
                });
            }
            index.filter = declared.and_then(|declared| declared.filter);
        }
        Ok(())
    }

    pub(super) fn read_foreign_keys(&self, objects: &mut Objects) -> sqlite::Result<()> {
        let keys = primary_keys(objects);
        for table in &objects.tables {
            let mut keys_of = self.pragma(&table.schema, "foreign_key_list", &table.name)?;
            let mut rows = keys_of.query([])?;
            while let Some(row) = rows.next()? {
                let (id, parent): (i64, String) = (row.get(0)?, row.get(2)?);
                let last = objects.foreign_keys.last();
                let goes_on = last
                    .is_some_and(|key| key.id == id && key.table == table.name && key.schema == table.schema);
                if !goes_on {
                    objects.foreign_keys.push(ForeignKey {
                        schema: table.schema.clone(),
                        table: table.name.clone(),
                        id,
                        parent,
                        columns: Vec::new(),
                        on_update: row.get(5)?,
                        on_delete: row.get(6)?,
                    });
                }
                let Some(key) = objects.foreign_keys.last_mut() else { continue };
                let place = (key.schema.clone(), key.parent.to_ascii_lowercase());
                let implied = || keys.get(&place)?.get(key.columns.len()).cloned();
                let named: Option<String> = row.get(4)?;
                key.columns.push((row.get(3)?, named.or_else(implied)));
            }
        }
        Ok(())
    }
}

fn primary_keys(objects: &Objects) -> Keys {
    let mut keys = Keys::new();
    for table in &objects.tables {
        let mut columns: Vec<_> = table.columns.iter().filter(|column| column.primary_key > 0).collect();
        columns.sort_by_key(|column| column.primary_key);
        let names = columns.into_iter().map(|column| column.name.clone()).collect();
        keys.insert((table.schema.clone(), table.name.to_ascii_lowercase()), names);
    }
    keys
}
