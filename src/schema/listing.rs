//! Reads what is in a database: PRAGMAs, and the catalogue for the texts that they do not give.

use super::guard::Mode;
use super::head::{Head, Kind as HeadKind};
use super::objects::{
    Affinity, Column, ForeignKey, Generated, IndexColumn, IndexObject, Objects, Origin, Table, TableKind,
    Trigger, View, event_of,
};
use super::tokens::Tokens;
use super::{Live, SchemaError, quoted, sqlite};
use std::collections::HashMap;

/// CREATE texts of indexes by schema and name, in lower case.
type Texts = HashMap<(String, String), String>;

/// The columns of a primary key, in order, by schema and table in lower case.
type Keys = HashMap<(String, String), Vec<String>>;

impl Live {
    /// What is in the database now, in the order of schema and name.
    ///
    /// # Errors
    ///
    /// SQLite cannot read its own catalogue.
    pub fn objects(&mut self) -> Result<Objects, SchemaError> {
        self.objects_of(&|_| true)
    }

    /// The same, with the columns and indexes of these tables alone; and so with the columns of foreign keys to them.
    ///
    /// # Errors
    ///
    /// SQLite cannot read its own catalogue.
    pub fn objects_of(&mut self, wanted: &dyn Fn(&str) -> bool) -> Result<Objects, SchemaError> {
        self.guard.begin(Mode::Own);
        let mut objects = Objects::default();
        let mut texts = Texts::new();
        for schema in super::guard::schemas(&self.connection) {
            self.read_catalogue(&schema, &mut texts, &mut objects)?;
        }
        objects.tables.sort_by(|one, other| (&one.schema, &one.name).cmp(&(&other.schema, &other.name)));
        self.read_shadows(&mut objects)?;
        self.read_columns(wanted, &mut objects)?;
        self.read_indexes(wanted, &texts, &mut objects)?;
        self.read_foreign_keys(&mut objects)?;
        Ok(objects)
    }

    /// The names of tables and indexes in the order in which SQLite reads them from its catalogue: of indexes that serve alike,
    /// it takes the one that it read last.
    ///
    /// # Errors
    ///
    /// SQLite cannot read its own catalogue.
    pub fn reading_order(&mut self) -> Result<Vec<String>, SchemaError> {
        self.guard.begin(Mode::Own);
        let mut names = Vec::new();
        for schema in super::guard::schemas(&self.connection) {
            let sql = format!("SELECT name FROM {}.sqlite_schema ORDER BY rowid", quoted(&schema));
            let mut statement = self.connection.prepare(&sql)?;
            let own = statement.query_map([], |row| row.get(0))?;
            names.extend(own.collect::<sqlite::Result<Vec<String>>>()?);
        }
        Ok(names)
    }

    fn read_catalogue(&self, schema: &str, texts: &mut Texts, objects: &mut Objects) -> sqlite::Result<()> {
        let sql =
            format!("SELECT type, name, tbl_name, sql FROM {}.sqlite_schema ORDER BY name", quoted(schema));
        let mut statement = self.connection.prepare(&sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (kind, name, table): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
            let Some(sql) = row.get::<_, Option<String>>(3)? else { continue };
            let schema = schema.to_owned();
            match kind.as_str() {
                "trigger" => {
                    let event = event_of(&sql);
                    objects.triggers.push(Trigger { schema, name, table, event, sql });
                }
                "view" => objects.views.push(View { schema, name, sql, columns: Vec::new() }),
                "table" => objects.tables.push(declared(schema, name, sql)),
                _ => {
                    texts.insert((schema, name.to_ascii_lowercase()), sql);
                }
            }
        }
        Ok(())
    }

    /// Shadow tables are those of a virtual one. Asked only where there is one: to list its tables, SQLite compiles all views.
    fn read_shadows(&self, objects: &mut Objects) -> sqlite::Result<()> {
        if !objects.tables.iter().any(|table| matches!(table.kind, TableKind::Virtual(_))) {
            return Ok(());
        }
        let mut statement = self.connection.prepare("PRAGMA table_list")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (schema, name, kind): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
            if kind != "shadow" {
                continue;
            }
            let mut own = objects.tables.iter_mut();
            if let Some(table) = own.find(|table| table.schema == schema && table.name == name) {
                table.kind = TableKind::Shadow;
            }
        }
        Ok(())
    }

    fn read_columns(&self, wanted: &dyn Fn(&str) -> bool, objects: &mut Objects) -> sqlite::Result<()> {
        for table in objects.tables.iter_mut().filter(|table| wanted(&table.name)) {
            let (schema, name) = (table.schema.as_str(), table.name.as_str());
            let mut statement = self.pragma(schema, "table_xinfo", name)?;
            let read = |row: &sqlite::Row<'_>| self.column(schema, name, row);
            table.columns = statement.query_map([], read)?.collect::<sqlite::Result<Vec<Column>>>()?;
            let is_any = |column: &&mut Column| column.declared_type.eq_ignore_ascii_case("ANY");
            // In a STRICT table, ANY is kept as it comes.
            for column in table.columns.iter_mut().filter(is_any).filter(|_| table.strict) {
                column.affinity = Affinity::Blob;
            }
        }
        for view in &mut objects.views {
            let names = || -> sqlite::Result<Vec<String>> {
                let mut statement = self.pragma(&view.schema, "table_xinfo", &view.name)?;
                statement.query_map([], |row| row.get(1))?.collect()
            };
            // A view on a table that is gone has no columns, and is no failure.
            view.columns = names().unwrap_or_default();
        }
        Ok(())
    }

    fn column(&self, schema: &str, table: &str, row: &sqlite::Row<'_>) -> sqlite::Result<Column> {
        let name: String = row.get(1)?;
        let declared_type: String = row.get::<_, Option<String>>(2)?.unwrap_or_default();
        let hidden: i64 = row.get(6)?;
        let known = self.connection.column_metadata(Some(schema), table, name.as_str()).ok();
        let collation = known.and_then(|(_, collation, ..)| collation?.to_str().ok().map(str::to_owned));
        Ok(Column {
            affinity: Affinity::of(&declared_type),
            not_null: row.get(3)?,
            default: row.get(4)?,
            primary_key: row.get(5)?,
            generated: match hidden {
                2 => Generated::Virtual,
                3 => Generated::Stored,
                _ => Generated::No,
            },
            hidden: hidden == 1,
            collation: collation.unwrap_or_else(|| "BINARY".to_owned()),
            name,
            declared_type,
        })
    }

    /// A PRAGMA that asks about an object of a schema. It takes SQLite less time than the table of the same name.
    pub(super) fn pragma(
        &self,
        schema: &str,
        name: &str,
        object: &str,
    ) -> sqlite::Result<sqlite::Statement<'_>> {
        self.connection.prepare(&format!("PRAGMA {}.{name}({})", quoted(schema), quoted(object)))
    }

    fn read_indexes(
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
                    made: 0,
                });
            }
            let own = objects.indexes.get_mut(first..).unwrap_or_default();
            // The list begins with what was made last.
            (0..).zip(own.iter_mut().rev()).for_each(|(made, index)| index.made = made);
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

    fn read_foreign_keys(&self, objects: &mut Objects) -> sqlite::Result<()> {
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

/// What the text of a table says of it as a whole.
fn declared(schema: String, name: String, sql: String) -> Table {
    let (mut strict, mut without_rowid, mut autoincrement) = (false, false, false);
    let (mut depth, mut is_behind) = (0_usize, false);
    for token in Tokens::from(&sql, 0) {
        if token.is_sign('(') {
            depth += 1;
        } else if token.is_sign(')') {
            depth = depth.saturating_sub(1);
            is_behind = depth == 0;
        }
        autoincrement |= token.is("autoincrement");
        // What stands behind the columns are options.
        strict |= is_behind && token.is("strict");
        without_rowid |= is_behind && token.is("without");
    }
    let kind = match Head::read(&sql) {
        head if head.kind == HeadKind::CreateVirtualTable => {
            TableKind::Virtual(head.module.unwrap_or_default())
        }
        _ => TableKind::Ordinary,
    };
    Table { schema, name, kind, sql, columns: Vec::new(), strict, without_rowid, autoincrement }
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
