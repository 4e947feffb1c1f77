//! Entity Framework: classes of C# with a time in the name of their file, whose methods say in calls what becomes of the schema:
//! <https://learn.microsoft.com/ef/core/managing-schemas/migrations>. What they do by SQL is not read here.

use crate::migration::{
    convention::{Convention, Declared, PLAIN},
    draft::{Column, Draft, Index, Place, Table},
    engines::{of_system, system_of_path},
    tokens::{Code, Range, is_csharp},
};
use crate::{
    extract::is_test_code,
    source::{Source, SourceId, Sources, Words, folder_of},
};
use std::collections::BTreeMap;

/// What is known of it.
pub(super) const CONVENTION: Convention = Convention {
    name: "Entity Framework",
    undoes: |levels| levels.iter().any(|level| level.head().contains(" Down(MigrationBuilder ")),
    declares,
    own_tables: &[(
        "__EFMigrationsHistory",
        "CREATE TABLE \"__EFMigrationsHistory\" (\"MigrationId\" TEXT NOT NULL CONSTRAINT \
         \"PK___EFMigrationsHistory\" PRIMARY KEY, \"ProductVersion\" TEXT NOT NULL)",
    )],
    ..PLAIN
};

/// How many tokens stand between the builder and the parenthesis of a call at the most.
const LONGEST_TYPE: usize = 24;

/// The arguments that name columns: one, or several.
const COLUMNS: [&str; 2] = ["column", "columns"];
const PRINCIPALS: [&str; 2] = ["principalColumn", "principalColumns"];

/// The types that the provider for SQLite writes; others have more.
const TYPES: [&str; 4] = ["TEXT", "INTEGER", "REAL", "BLOB"];

/// The schemas that the migrations lead to, one for each folder of them that was written for SQLite.
fn declares(sources: &Sources) -> Declared {
    static BUILDS: Words<'_> = Words::new(&["MigrationBuilder "]);
    let is_step = |source: &Source| {
        let file = source.path.rsplit('/').next().unwrap_or("");
        let is_code = is_csharp(&source.path) && !file.contains(".Designer.");
        is_code
            && !is_test_code(&source.path)
            && source.has_any(&BUILDS)
            && system_of_path(folder_of(&source.path)) != Some(true)
    };
    let mut folders: BTreeMap<&str, Vec<(SourceId, &Source)>> = BTreeMap::new();
    for (id, source) in sources.iter().filter(|(_, source)| is_step(source)) {
        folders.entry(folder_of(&source.path)).or_default().push((id, source));
    }
    let schemas = folders.into_values().filter_map(|mut files| {
        // They run in the order of the times in their names.
        files.sort_by_key(|(_, source)| &source.path);
        let mut draft = Draft::default();
        let is_named = files.iter().any(|(_, source)| of_system(folder_of(&source.path)) == Some(false));
        let files: Vec<(SourceId, Code<'_>)> =
            files.into_iter().map(|(id, source)| (id, Code::new(source.text()))).collect();
        let notes: Vec<Option<bool>> = files.iter().map(|(_, code)| annotated(code)).collect();
        // A program may have types of its own, and say for several systems what one of them alone asks for.
        let is_own = is_named
            || notes.contains(&Some(true))
            || (!notes.contains(&Some(false)) && have_own_types(&files));
        if !is_own {
            return None;
        }
        for (id, code) in &files {
            Reader { id: *id, code }.read(&mut draft);
        }
        draft.declared("main".to_owned())
    });
    Declared { schemas: schemas.collect(), ..Declared::default() }
}

/// Whether a migration has annotations of the provider for SQLite, or else of others; nothing where it has none of any.
fn annotated(code: &Code<'_>) -> Option<bool> {
    const OTHERS: [&str; 4] = ["SqlServer:", "Npgsql:", "MySql:", "Oracle:"];
    let begins = |starts: &[&str]| {
        let mut texts = (0..code.length()).filter_map(|at| code.text(at));
        texts.any(|text| starts.iter().any(|start| text.starts_with(start)))
    };
    if begins(&["Sqlite:"]) { Some(true) } else { begins(&OTHERS).then_some(false) }
}

/// Whether the types of columns, and there are some, are those that the provider for SQLite writes.
fn have_own_types(files: &[(SourceId, Code<'_>)]) -> bool {
    let types = files.iter().flat_map(|(_, code)| {
        let is_named = |at: &usize| code.word(*at) == "type" && code.is(at + 1, ":");
        (0..code.length()).filter(is_named).filter_map(|at| code.text(at + 2))
    });
    let mut types = types.peekable();
    types.peek().is_some() && types.all(|kind| TYPES.contains(&kind))
}

/// A file of code.
struct Reader<'c, 'a> {
    id: SourceId,
    code: &'c Code<'a>,
}

impl Reader<'_, '_> {
    fn read(&self, draft: &mut Draft) {
        let code = self.code;
        let mut at = 0;
        while at < code.length() {
            match code.word(at) {
                "Down" if code.is(at + 1, "(") && code.is(code.close(at + 1) + 1, "{") => {
                    at = code.close(code.close(at + 1) + 1);
                }
                "migrationBuilder" if code.is(at + 1, ".") => {
                    // `AddColumn<string>(`
                    let open = (at + 3..at + LONGEST_TYPE).find(|&at| code.is(at, "(") || code.is(at, ";"));
                    if let Some(open) = open.filter(|&open| code.is(open, "(")) {
                        let place = (self.id, code.start(open) as u32);
                        Call { code, open, place }.apply(code.word(at + 2), draft);
                    }
                }
                _ => {}
            }
            at += 1;
        }
    }
}

/// A call of the builder, or of a table within one.
struct Call<'c, 'a> {
    code: &'c Code<'a>,
    open: usize,
    place: Place,
}

impl<'a> Call<'_, 'a> {
    /// The argument of this name.
    fn named(&self, name: &str) -> Option<Range> {
        let code = self.code;
        let is_one = |&(from, _): &Range| code.word(from) == name && code.is(from + 1, ":");
        code.arguments(self.open).into_iter().find(is_one).map(|(from, to)| (from + 2, to))
    }

    fn text(&self, name: &str) -> Option<&'a str> {
        self.code.alone(self.named(name)?)
    }

    /// The texts of an argument: one, or `new[] { "a", "b" }`.
    fn texts(&self, names: &[&str]) -> Vec<String> {
        let ranges = names.iter().filter_map(|name| self.named(name));
        let texts = ranges.flat_map(|(from, to)| (from..to).filter_map(|at| self.code.text(at)));
        texts.map(str::to_owned).collect()
    }

    fn is(&self, name: &str, truth: &str) -> bool {
        self.named(name).is_some_and(|(from, _)| self.code.word(from) == truth)
    }

    fn apply(&self, name: &str, draft: &mut Draft) -> Option<()> {
        let own = self.text("name");
        let table = self.text("table");
        match name {
            "CreateTable" => self.fill(draft.create(own?, self.place)?),
            "DropTable" => draft.drop(own?),
            "RenameTable" => draft.rename(own?, self.text("newName")?),
            "AddColumn" => draft.table(table?)?.put(self.column(own?)),
            "DropColumn" => draft.table(table?)?.drop(own?),
            "RenameColumn" => draft.table(table?)?.rename(own?, self.text("newName")?),
            "CreateIndex" => {
                let index = self.index(own?);
                draft.table(table?)?.index(index);
            }
            "DropIndex" => draft.drop_index(own?),
            "RenameIndex" => draft.rename_index(own?, self.text("newName")?),
            "AddForeignKey" => self.refer(draft.table(table?)?),
            "AddPrimaryKey" => draft.table(table?)?.primary(self.texts(&COLUMNS)),
            "AddUniqueConstraint" => draft.table(table?)?.unique(self.texts(&COLUMNS)),
            // What becomes of a column's type leaves its indexes.
            _ => {}
        }
        Some(())
    }

    fn column(&self, name: &str) -> Column {
        let code = self.code;
        let behind = code.links(code.close(self.open)).0;
        let annotated = behind.iter().filter(|link| link.name == "Annotation").filter_map(|link| link.open);
        let counts = annotated.flat_map(|open| code.texts(open)).any(|text| text == "Sqlite:Autoincrement");
        let default = ["defaultValue", "defaultValueSql"].iter().find_map(|one| {
            let range = self.named(one)?;
            if *one == "defaultValueSql" { code.alone(range).map(unescaped) } else { code.value(range) }
        });
        Column {
            name: name.to_owned(),
            kind: self.text("type").unwrap_or_default().to_owned(),
            // What is computed is given by nobody.
            is_needed: self.is("nullable", "false") && self.named("computedColumnSql").is_none(),
            default,
            counts,
            ..Column::default()
        }
    }

    fn index(&self, name: &str) -> Index {
        let columns = self.texts(&COLUMNS);
        let turned = self.named("descending");
        let turns: Vec<bool> = turned.map_or_else(Vec::new, |(from, to)| {
            let words = (from..to).map(|at| self.code.word(at));
            words.filter(|word| matches!(*word, "true" | "false")).map(|word| word == "true").collect()
        });
        // An empty list turns all of them.
        let is_turned = |at: usize| turns.get(at).copied().unwrap_or(turned.is_some() && turns.is_empty());
        Index {
            name: name.to_owned(),
            columns: columns.into_iter().enumerate().map(|(at, column)| (column, is_turned(at))).collect(),
            is_unique: self.is("unique", "true"),
            predicate: self.text("filter").map(unescaped),
            place: self.place,
        }
    }

    fn refer(&self, table: &mut Table) {
        let (own, to) = (self.texts(&COLUMNS), self.text("principalTable"));
        if let Some(to) = to {
            table.refer(own, to, self.texts(&PRINCIPALS));
        }
    }

    /// The columns of a new table, and its keys: `columns: table => new { Id = table.Column<int>(…) }, constraints: table => { … }`.
    fn fill(&self, table: &mut Table) {
        let code = self.code;
        let block = |name: &str| {
            let (from, to) = self.named(name)?;
            (from..to).find(|&at| code.is(at, "{"))
        };
        for (from, to) in block("columns").map(|open| code.arguments(open)).unwrap_or_default() {
            let open = (from..to).find(|&at| code.is(at, "("));
            let is_column =
                code.is(from + 1, "=") && code.is(from + 3, ".") && code.word(from + 4) == "Column";
            if let Some(open) = open.filter(|_| is_column) {
                let column = Call { code, open, place: self.place };
                // A property of C# may be called otherwise than its column.
                table.put(column.column(column.text("name").unwrap_or(code.word(from))));
            }
        }
        let Some(open) = block("constraints") else { return };
        let (mut at, end) = (open, code.close(open));
        while at < end {
            if !(code.is(at, ".") && code.is(at + 2, "(")) {
                at += 1;
                continue;
            }
            let call = Call { code, open: at + 2, place: self.place };
            match code.word(at + 1) {
                "PrimaryKey" => table.primary(call.members()),
                "UniqueConstraint" => table.unique(call.members()),
                "ForeignKey" => {
                    let to = call.text("principalTable").unwrap_or_default();
                    table.refer(call.members(), to, call.texts(&PRINCIPALS));
                }
                _ => {}
            }
            at = code.close(at + 2) + 1;
        }
    }

    /// The columns that a key of a new table is of: `x => x.Id`, `x => new { x.Ship, x.Port }`.
    fn members(&self) -> Vec<String> {
        let code = self.code;
        let lambda = code.arguments(self.open).into_iter().find_map(|(from, to)| {
            let start = if code.is(from + 1, ":") { from + 2 } else { from };
            (code.is(start + 1, "=") && code.is(start + 2, ">")).then_some((start, to))
        });
        let Some((start, to)) = lambda else { return Vec::new() };
        let own = code.word(start);
        let is_member = |at: &usize| code.word(*at) == own && code.is(at + 1, ".");
        (start + 1..to).filter(is_member).map(|at| code.word(at + 2).to_owned()).collect()
    }
}

/// SQL without the signs that stand in front of quotes in a text of C#.
fn unescaped(sql: &str) -> String {
    sql.replace("\\\"", "\"")
}
