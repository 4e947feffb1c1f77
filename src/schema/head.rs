//! What a statement is about, told from its first words: its kind, and the object that it names.
//!
//! This is how a statement is named, not how it is judged: it is used for statements that SQLite accepts.

use super::tokens::{Kind as TokenKind, Token, Tokens};

/// What kind of statement something is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Kind {
    /// CREATE TABLE.
    CreateTable,
    /// CREATE VIRTUAL TABLE.
    CreateVirtualTable,
    /// CREATE INDEX.
    CreateIndex,
    /// CREATE VIEW.
    CreateView,
    /// CREATE TRIGGER.
    CreateTrigger,
    /// ALTER TABLE.
    AlterTable,
    /// DROP TABLE.
    DropTable,
    /// DROP INDEX.
    DropIndex,
    /// DROP VIEW.
    DropView,
    /// DROP TRIGGER.
    DropTrigger,
    /// SELECT or VALUES.
    Select,
    /// INSERT.
    Insert,
    /// REPLACE, or INSERT OR REPLACE.
    Replace,
    /// UPDATE.
    Update,
    /// DELETE.
    Delete,
    /// BEGIN, COMMIT, ROLLBACK, SAVEPOINT or RELEASE.
    Transaction,
    /// PRAGMA.
    Pragma,
    /// ATTACH.
    Attach,
    /// DETACH.
    Detach,
    /// VACUUM.
    Vacuum,
    /// ANALYZE.
    Analyze,
    /// REINDEX.
    Reindex,
    /// Anything else.
    #[default]
    Other,
}

impl Kind {
    /// The kind of a statement, by its first words.
    pub fn of(sql: &str) -> Self {
        Head::read(sql).kind
    }
}

/// What ALTER TABLE does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Alteration {
    /// RENAME TO, with the new name.
    RenameTable(String),
    /// RENAME COLUMN.
    RenameColumn {
        /// The old name.
        from: String,
        /// The new name.
        to: String,
    },
    /// ADD COLUMN.
    AddColumn(String),
    /// DROP COLUMN.
    DropColumn(String),
}

/// An index as its CREATE INDEX declares it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IndexDefinition {
    /// The table it is on.
    pub table: String,
    /// Its terms: the name of a column, or the text as written where there is more (an expression, COLLATE, DESC).
    pub columns: Vec<String>,
    /// CREATE UNIQUE INDEX.
    pub unique: bool,
    /// The text after WHERE.
    pub filter: Option<String>,
}

/// What the first words of a statement say.
#[derive(Debug, Clone, Default)]
pub(super) struct Head {
    pub kind: Kind,
    /// Where the statement begins that an EXPLAIN explains; otherwise 0.
    pub explains: usize,
    /// TEMP.
    pub temporary: bool,
    /// IF EXISTS or IF NOT EXISTS.
    pub lenient: bool,
    /// The schema, where it is spelt.
    pub schema: Option<String>,
    /// The object created, altered, dropped or written to.
    pub object: Option<String>,
    /// The table of an index or trigger.
    pub table: Option<String>,
    /// The module of a virtual table.
    pub module: Option<String>,
    /// The terms of an index, or the arguments of a module, as written.
    pub arguments: Vec<String>,
    /// What ALTER TABLE does.
    pub alteration: Option<Alteration>,
    unique: bool,
    filter: Option<String>,
}

impl Head {
    /// Reads the head of a statement.
    pub fn read(sql: &str) -> Self {
        let mut reader = Reader { sql, tokens: Tokens::from(sql, 0), ahead: None };
        let mut head = Self::default();
        if reader.take("explain") {
            if reader.take("query") {
                reader.take("plan");
            }
            head.explains = reader.peek().map_or(sql.len(), |token| token.start);
        }
        reader.statement(&mut head);
        head
    }

    /// The index that a CREATE INDEX declares.
    pub fn index(&self) -> Option<IndexDefinition> {
        let table = self.table.clone().filter(|_| self.kind == Kind::CreateIndex)?;
        Some(IndexDefinition {
            table,
            columns: self.arguments.iter().map(|term| without_quotes(term)).collect(),
            unique: self.unique,
            filter: self.filter.clone(),
        })
    }
}

/// A term that is a name alone is that name; any other is its text.
fn without_quotes(term: &str) -> String {
    let mut tokens = Tokens::from(term, 0);
    match (tokens.next(), tokens.next()) {
        (Some(only), None) if only.is_name() => only.name(),
        _ => term.to_owned(),
    }
}

struct Reader<'a> {
    sql: &'a str,
    tokens: Tokens<'a>,
    ahead: Option<Token<'a>>,
}

impl<'a> Reader<'a> {
    fn peek(&mut self) -> Option<Token<'a>> {
        if self.ahead.is_none() {
            self.ahead = self.tokens.next();
        }
        self.ahead
    }

    fn next(&mut self) -> Option<Token<'a>> {
        self.ahead.take().or_else(|| self.tokens.next())
    }

    /// Takes a keyword, if it stands here.
    fn take(&mut self, word: &str) -> bool {
        let found = self.peek().is_some_and(|token| token.is(word));
        if found {
            self.ahead = None;
        }
        found
    }

    fn take_sign(&mut self, sign: char) -> bool {
        let found = self.peek().is_some_and(|token| token.is_sign(sign));
        if found {
            self.ahead = None;
        }
        found
    }

    fn name(&mut self) -> Option<String> {
        self.next().filter(Token::is_name).map(|token| token.name())
    }

    /// `name` or `schema.name`.
    fn qualified(&mut self, head: &mut Head) {
        head.object = self.name();
        if self.take_sign('.') {
            head.schema = head.object.take();
            head.object = self.name();
        }
    }

    fn statement(&mut self, head: &mut Head) {
        let Some(first) = self.next() else { return };
        let word =
            if first.kind == TokenKind::Word { first.text.to_ascii_lowercase() } else { String::new() };
        head.kind = match word.as_str() {
            "create" => return self.create(head),
            "drop" => return self.drop(head),
            "alter" => return self.alter(head),
            "with" => return self.after_with(head),
            "insert" | "replace" | "update" | "delete" => return self.write(&word, head),
            "select" | "values" => Kind::Select,
            "begin" | "commit" | "end" | "rollback" | "savepoint" | "release" => Kind::Transaction,
            "pragma" => {
                self.qualified(head);
                Kind::Pragma
            }
            "attach" => Kind::Attach,
            "detach" => Kind::Detach,
            "vacuum" => Kind::Vacuum,
            "analyze" | "reindex" => {
                self.qualified(head);
                if word == "analyze" { Kind::Analyze } else { Kind::Reindex }
            }
            _ => Kind::Other,
        };
    }

    fn create(&mut self, head: &mut Head) {
        head.temporary = self.take("temp") || self.take("temporary");
        head.unique = self.take("unique");
        let virtual_table = self.take("virtual");
        head.kind = match self.next() {
            Some(token) if token.is("table") && virtual_table => Kind::CreateVirtualTable,
            Some(token) if token.is("table") => Kind::CreateTable,
            Some(token) if token.is("index") => Kind::CreateIndex,
            Some(token) if token.is("view") => Kind::CreateView,
            Some(token) if token.is("trigger") => Kind::CreateTrigger,
            _ => return,
        };
        self.condition(head);
        self.qualified(head);
        match head.kind {
            Kind::CreateIndex if self.take("on") => {
                head.table = self.name();
                head.arguments = self.arguments();
                if self.take("where") {
                    head.filter = self.rest();
                }
            }
            Kind::CreateVirtualTable if self.take("using") => {
                head.module = self.name();
                head.arguments = self.arguments();
            }
            Kind::CreateTrigger => self.trigger_table(head),
            _ => {}
        }
    }

    /// The table of a trigger stands after its ON; the columns of UPDATE OF may stand before.
    fn trigger_table(&mut self, head: &mut Head) {
        while let Some(token) = self.next() {
            if token.is("on") {
                head.table = self.name();
                return;
            }
        }
    }

    fn drop(&mut self, head: &mut Head) {
        head.kind = match self.next() {
            Some(token) if token.is("table") => Kind::DropTable,
            Some(token) if token.is("index") => Kind::DropIndex,
            Some(token) if token.is("view") => Kind::DropView,
            Some(token) if token.is("trigger") => Kind::DropTrigger,
            _ => return,
        };
        self.condition(head);
        self.qualified(head);
    }

    /// IF EXISTS or IF NOT EXISTS.
    fn condition(&mut self, head: &mut Head) {
        if self.take("if") {
            self.take("not");
            head.lenient = self.take("exists");
        }
    }

    fn alter(&mut self, head: &mut Head) {
        self.take("table");
        head.kind = Kind::AlterTable;
        self.qualified(head);
        let Some(action) = self.next() else { return };
        let plain = action.is("rename") && self.take("to");
        self.take("column");
        let Some(name) = self.name() else { return };
        head.alteration = if plain {
            Some(Alteration::RenameTable(name))
        } else if action.is("rename") {
            self.take("to");
            self.name().map(|to| Alteration::RenameColumn { from: name, to })
        } else if action.is("add") {
            Some(Alteration::AddColumn(name))
        } else if action.is("drop") {
            Some(Alteration::DropColumn(name))
        } else {
            None
        };
    }

    /// The statement after common table expressions: they stand in parentheses, it does not.
    fn after_with(&mut self, head: &mut Head) {
        let mut depth = 0_u32;
        while let Some(token) = self.next() {
            let verb = ["insert", "replace", "update", "delete"].into_iter().find(|verb| token.is(verb));
            match verb {
                Some(verb) if depth == 0 => return self.write(verb, head),
                _ if depth == 0 && (token.is("select") || token.is("values")) => {
                    head.kind = Kind::Select;
                    return;
                }
                _ if token.is_sign('(') => depth += 1,
                _ if token.is_sign(')') => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
    }

    fn write(&mut self, verb: &str, head: &mut Head) {
        let replaces = self.take("or") && self.next().is_some_and(|token| token.is("replace"));
        head.kind = match verb {
            "insert" if !replaces => Kind::Insert,
            "update" => Kind::Update,
            "delete" => Kind::Delete,
            _ => Kind::Replace,
        };
        if verb == "delete" {
            self.take("from");
        } else if verb != "update" {
            self.take("into");
        }
        self.qualified(head);
    }

    /// What stands between parentheses, cut at its commas.
    fn arguments(&mut self) -> Vec<String> {
        let mut found = Vec::new();
        if !self.take_sign('(') {
            return found;
        }
        let mut current: Vec<Token<'a>> = Vec::new();
        let mut depth = 0_u32;
        while let Some(token) = self.next() {
            let closes = token.is_sign(')') && depth == 0;
            if closes || (token.is_sign(',') && depth == 0) {
                found.extend(self.text_of(&current));
                current.clear();
                if closes {
                    break;
                }
                continue;
            }
            depth = if token.is_sign('(') { depth + 1 } else { depth - u32::from(token.is_sign(')')) };
            current.push(token);
        }
        found
    }

    fn text_of(&self, tokens: &[Token<'a>]) -> Option<String> {
        let (first, last) = (tokens.first()?, tokens.last()?);
        self.sql.get(first.start..last.end).map(str::to_owned)
    }

    fn rest(&mut self) -> Option<String> {
        let start = self.peek()?.start;
        let mut end = start;
        while let Some(token) = self.next() {
            end = token.end;
        }
        self.sql.get(start..end).map(str::to_owned)
    }
}
