//! Values: names that are given one, and the literals that may be SQL, each with the expression that it starts and
//! the call that it is handed to. An `impl` of [`Walker`], apart for its length.

use super::{Binding, Candidate, NOWHERE, Walker};
use crate::extract::{
    languages::Language,
    lexer::{Kind, Token},
    sql,
};

/// Whether a literal may be SQL, or the start of it.
pub(super) fn may_be_sql(text: &str, token: &Token, language: &Language) -> bool {
    let form = language.strings.get(usize::from(token.form));
    let Some(form) = form.filter(|form| !form.bytes) else { return false };
    let (from, to) = token.inner();
    let content = text.get(from as usize..to as usize).unwrap_or("");
    // `"\n%s\nCREATE TABLE …"`
    let first = content.trim_start();
    let marked = form.mark(first.as_bytes()).is_some() || (form.marks().names && first.starts_with('$'));
    let leads_with_hole = (marked || first.starts_with(['{', '%'])) && first.len() > 8;
    leads_with_hole || sql::may_start(sql::behind_margin(content))
}

impl Walker<'_> {
    /// `const NAME: Type = value`, `let mut name = value`.
    pub(super) fn declare(&mut self, at: usize) {
        let mut name = at + 1;
        // `#define NAME "…"`
        if self.slice(at) == "define" {
            // `#define NAME(x)` is a function.
            if !self.is(name + 1, b'(') {
                self.add_binding(name, name + 1);
                self.declare_number(at, name, name + 1);
            }
            return;
        }
        while matches!(self.slice(name), "mut" | "ref" | "(") {
            name += 1;
        }
        if self.kind(name) == Some(Kind::Word)
            && let Some(value) = self.value_behind(name + 1)
        {
            self.add_binding(name, value);
            self.declared = Some(name);
            self.declare_number(at, name, value);
        }
    }

    /// `name = value`, `name := value`, `name: Type = value`.
    pub(super) fn bind(&mut self, at: usize) {
        let assigns = self.is(at + 1, b'=') && !self.is(at + 2, b'=') && !self.is(at + 2, b'>');
        let walrus = self.is(at + 1, b':') && self.is(at + 2, b'=');
        let annotated = self.language.indented && self.is(at + 1, b':') && self.line + 1 == at;
        if assigns && !self.after_declaration(at) {
            self.add_binding(at, at + 2);
            self.bind_number(at, at + 2);
        } else if self.language.typed && self.is(at + 1, b'=') && self.is(at + 2, b'>') {
            // `string Name => "…";`
            if self.kind(at + 3) == Some(Kind::Text) {
                self.add_binding(at, at + 3);
            }
        } else if walrus {
            self.add_binding(at, at + 3);
        } else if annotated && let Some(value) = self.value_behind(at + 1) {
            self.add_binding(at, value);
        }
    }

    /// `char *names[] = …`
    pub(super) fn bind_array(&mut self, at: usize) {
        let close = (at + 2..at + 12).find(|&close| self.is(close, b']'));
        if let Some(close) = close.filter(|&close| self.is(close + 1, b'=') && !self.is(close + 2, b'=')) {
            self.add_binding(at, close + 2);
        }
    }

    /// Whether the token in front shows that no assignment starts here: a declaration, a field, a type.
    fn after_declaration(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else { return false };
        let (Some(one), Some(this)) = (self.tokens.get(before), self.tokens.get(at)) else { return false };
        if self.ends_label(before) {
            return false;
        }
        if self.language.typed {
            let field =
                one.is(b'.') || (one.is(b'>') && before.checked_sub(1).is_some_and(|at| self.is(at, b'-')));
            // `const char* Store::name = …`
            let path = one.is(b':') && before.checked_sub(1).is_some_and(|at| self.is(at, b':'));
            return field || one.is(b'<') || (one.is(b':') && !path) || one.is(b'|');
        }
        match one.kind {
            Kind::Sign => b":&<>.|*'".contains(&one.form),
            Kind::Word | Kind::Atom | Kind::Text => {
                let between = self.text.get(one.end as usize..this.start as usize).unwrap_or("");
                !matches!(self.slice(before), "mut" | "static" | "readonly") && !between.contains('\n')
            }
            Kind::Line => false,
        }
    }

    /// Whether the label of an arm ends at a token: `case 1:`, `default:`.
    fn ends_label(&self, colon: usize) -> bool {
        const LONGEST_LABEL: usize = 24;
        // `case Mode::Day:`
        let is_path =
            |at: usize| self.is(at + 1, b':') || at.checked_sub(1).is_some_and(|one| self.is(one, b':'));
        if is_path(colon) {
            return false;
        }
        let is_end = |at: &usize| {
            b";{}?".iter().any(|&sign| self.is(*at, sign)) || (self.is(*at, b':') && !is_path(*at))
        };
        let mut before = (colon.saturating_sub(LONGEST_LABEL)..colon).rev().take_while(|at| !is_end(at));
        self.is(colon, b':') && before.any(|at| matches!(self.slice(at), "case" | "default"))
    }

    /// The token behind the `=` of a declaration, past its type.
    fn value_behind(&self, from: usize) -> Option<usize> {
        let mut depth = 0_u32;
        for at in from..(from + 48).min(self.tokens.len()) {
            let token = self.tokens.get(at)?;
            match (token.kind, token.form) {
                (Kind::Sign, b'[' | b'(') => depth += 1,
                (Kind::Sign, b']' | b')') => depth = depth.checked_sub(1)?,
                (Kind::Sign, b'=') if depth == 0 => return Some(at + 1),
                (Kind::Sign, b';' | b'{' | b'}') if depth == 0 => return None,
                (Kind::Line, _) => return None,
                // `var name string`, and what the next line says.
                (Kind::Word, _) if depth == 0 && self.language.breaks && self.begins_line(at) => return None,
                _ => {}
            }
        }
        None
    }

    /// Whether a statement may begin with the word at a token: it declares names, or stands on a new line, behind what ends a
    /// type. What `get` stands for is the value.
    fn begins_line(&self, at: usize) -> bool {
        const GOES_ON: [&str; 8] = ["get", "with", "typeof", "keyof", "extends", "any", "some", "is"];
        let before = at.saturating_sub(1);
        let ends = |token: &Token| token.kind != Kind::Sign || b")]}>?".contains(&token.form);
        let is_within = || [before, at].iter().any(|&at| GOES_ON.contains(&self.slice(at)));
        let is_below = self.tokens.get(before).is_some_and(ends) && self.ends_line(before) && !is_within();
        is_below || self.language.declares.contains(&self.slice(at))
    }

    fn add_binding(&mut self, name: usize, value: usize) {
        if self.place().0 == NOWHERE {
            self.named = Some((name as u32, self.openers.len() as u32));
        }
        let Some(first) = self.tokens.get(value) else { return };
        // What a parameter is without an argument is none that the file has.
        if self.language.streams && self.place().0 == NOWHERE && self.is(value + 1, b')') {
            return;
        }
        let may_be_text = match (first.kind, first.form) {
            (Kind::Text, _) | (Kind::Sign, b'&' | b'[' | b'(') => true,
            (Kind::Sign, b'{') if self.language.objects => self.place().0 == NOWHERE,
            (Kind::Sign, sign) => (b"{<".contains(&sign) && self.language.typed) || sign == b'$',
            (Kind::Word, _) if self.language.lists.contains(&self.slice(value)) => true,
            (Kind::Word, _) => {
                let word = self.slice(value);
                let shouts = word
                    .bytes()
                    .all(|byte| byte.is_ascii_uppercase() || byte == b'_' || byte.is_ascii_digit());
                shouts
                    || matches!(
                        word,
                        "if" | "match"
                            | "vec"
                            | "String"
                            | "Self"
                            | "fmt"
                            | "strings"
                            | "self"
                            | "crate"
                            | "super"
                    )
                    || self.language.formats.iter().any(|format| format.name == word)
                    || self.language.concatenates.contains(&word)
                    || self.is(value + 1, b'.')
                    || (self.is(value + 1, self.language.joins)
                        && matches!(self.kind(value + 2), Some(Kind::Word | Kind::Text)))
                    || self.language.identities.contains(&word)
                    || self.is(value + 1, b'?')
                    || (self.place().0 != NOWHERE && (self.is(value + 1, b'[') || self.is_lone(value)))
                    || (self.language.indented && self.is(value + 1, b'('))
                    // `name || "…"`
                    || (self.place().0 != NOWHERE && self.is(value + 1, b'|') && self.is(value + 2, b'|'))
                    || self.builds(value)
                    // `const NAMES: Names = Names { table: "ships" }`
                    || (self.language.block_values && self.place().0 == NOWHERE && self.is(value + 1, b'{'))
                    // `QStringList() << "a"`, `Store::columns.join(", ")`
                    || (self.language.streams && (word.ends_with("List") || self.is(value + 1, b':')))
            }
            _ => false,
        };
        if may_be_text {
            let (function, _) = self.place();
            self.found.bindings.push(Binding { name: name as u32, value: value as u32, function });
        }
    }

    /// Whether a value is a builder that is made: `sqlx::QueryBuilder::new(…)`.
    fn builds(&self, value: usize) -> bool {
        let builders = self.language.builders;
        let is_path = |at: &usize| self.kind(*at) == Some(Kind::Word) || self.is(*at, b':');
        !builders.is_empty()
            && (value..value + 8).take_while(is_path).any(|at| builders.contains(&self.slice(at)))
    }

    /// Whether a token is all of a value.
    pub(super) fn is_lone(&self, at: usize) -> bool {
        let (Some(this), Some(next)) = (self.tokens.get(at), self.tokens.get(at + 1)) else { return true };
        let between = || self.text.get(this.end as usize..next.start as usize).unwrap_or("");
        let goes_on = || next.kind == Kind::Sign && b".+-*/&|=<>([{,?:%".contains(&next.form);
        next.is(b';')
            || next.kind == Kind::Line
            || (self.language.breaks && between().contains('\n') && !goes_on())
    }

    pub(super) fn literal(&mut self, at: usize) {
        let Some(token) = self.tokens.get(at) else { return };
        if !may_be_sql(self.text, token, self.language) && !self.begins_sql(at, token) {
            return;
        }
        // A literal beside another goes on with its text, unless that says nothing.
        let goes_on = self.language.adjacent && !self.language.indented;
        let texts =
            self.tokens.get(..at).unwrap_or(&[]).iter().rev().take_while(|one| one.kind == Kind::Text);
        let is_said = |one: &Token| one.inner().0 < one.inner().1;
        if goes_on && texts.into_iter().any(is_said) || self.is_compared(at) {
            return;
        }
        self.add_candidate(self.chain_start(at), at);
    }

    fn add_candidate(&mut self, start: usize, at: usize) {
        let (function, loop_depth) = self.place();
        let callee = self.sink_around(start);
        let is_test = self.in_test();
        let loop_depth = loop_depth + u8::from(self.in_loop_closure());
        // A macro whose tokens are SQL is no literal.
        let is_likely = self.tokens.get(at).is_some_and(|token| {
            let (from, to) = token.inner();
            let content = self.text.get(from as usize..to as usize).unwrap_or("");
            token.kind != Kind::Text || sql::is_likely(sql::behind_margin(content))
        });
        let literal = at as u32;
        let (start, is_named) = (start as u32, false);
        let one = Candidate { start, literal, function, loop_depth, callee, is_test, is_likely, is_named };
        self.found.candidates.push(one);
    }

    /// `sql!(SELECT …)`: a macro whose tokens are SQL.
    pub(super) fn quoted(&mut self, at: usize) {
        if self.language.quotes_sql.contains(&self.slice(at))
            && let Some(first) = self.tokens.get(at + 3).filter(|token| token.kind == Kind::Word)
            && sql::may_start(self.text.get(first.start as usize..).unwrap_or(""))
        {
            self.add_candidate(at, at);
        }
    }

    /// Whether a literal may be the first piece of a text that others go on with: `"UPDATE " + TABLE`.
    fn begins_sql(&self, at: usize, token: &Token) -> bool {
        let joined = self.is(at + 1, self.language.joins)
            || (self.language.adjacent && matches!(self.kind(at + 1), Some(Kind::Text | Kind::Word)));
        let (from, to) = token.inner();
        joined && sql::may_begin(self.text.get(from as usize..to as usize).unwrap_or(""))
    }

    /// Whether a text is handed to what holds another against it, or looks for it there, and so is not run:
    /// `sql.startsWith("SELECT")`.
    fn is_compared(&self, at: usize) -> bool {
        const COMPARE: [&str; 16] = [
            "endswith",
            "hasprefix",
            "hassuffix",
            "startswith",
            "strcasecmp",
            "strcasestr",
            "strcmp",
            "strglob",
            "stricmp",
            "stripos",
            "stristr",
            "strlike",
            "strncmp",
            "strnicmp",
            "strpos",
            "strstr",
        ];
        let opener =
            self.openers.last().map(|&opener| opener as usize).filter(|&opener| self.is(opener, b'('));
        let Some(name) = opener.and_then(|opener| opener.checked_sub(1)) else { return false };
        let word = self.slice(name).to_ascii_lowercase().replace('_', "");
        // `strings.ReplaceAll(text, "select a", "select b")`: what is looked for there, and what is put in for it.
        let is_of_strings = || name > 1 && self.is(name - 1, b'.') && self.slice(name - 2) == "strings";
        let is_sought =
            || matches!(word.as_str(), "contains" | "replace" | "replaceall") && self.is(at - 1, b',');
        at - name < 12
            && (COMPARE.iter().any(|compare| word.ends_with(compare)) || (is_sought() && is_of_strings()))
    }

    /// Where the expression starts whose part the literal is: in front of `a +`, of `format!(`.
    fn chain_start(&self, literal: usize) -> usize {
        let mut start = self.format_start(literal);
        for _ in 0..16 {
            let Some(before) = start.checked_sub(1) else { break };
            if self.is_shift(before) {
                // What it is written to is none of the text.
                let earlier = self.term_before(before - 1).filter(|&earlier| {
                    self.kind(earlier) == Some(Kind::Text) || earlier > 1 && self.is_shift(earlier - 1)
                });
                match earlier {
                    Some(earlier) => start = earlier,
                    None => break,
                }
                continue;
            }
            if !self.is(before, self.language.joins) {
                break;
            }
            match self.term_before(before) {
                Some(earlier) => start = self.format_start(earlier),
                None => break,
            }
        }
        start
    }

    /// Whether `<<` ends at a token, where that puts texts together.
    fn is_shift(&self, at: usize) -> bool {
        self.language.streams && at > 0 && self.is(at, b'<') && self.is(at - 1, b'<')
    }

    /// The format call whose first text this is, or a call such as `String::from(` that gives it back, or the text
    /// itself.
    fn format_start(&self, literal: usize) -> usize {
        if let Some(function) = self.filling(literal) {
            return function;
        }
        let Some(&opener) = self.openers.last() else { return literal };
        let opener = opener as usize;
        if let Some(function) = self.uniting(opener) {
            return function;
        }
        let bang = usize::from(opener.checked_sub(1).is_some_and(|before| self.is(before, b'!')));
        let Some(name) = opener.checked_sub(1 + bang) else { return literal };
        let word = self.slice(name);
        let formats =
            self.language.formats.iter().any(|format| format.name == word && format.bang == (bang == 1));
        let concatenates = bang == 1 && self.language.concatenates.contains(&word);
        // Asked last: there may be very much in front of it.
        let is_first = || (opener + 1..literal).all(|at| self.kind(at) != Some(Kind::Text));
        let gives_back =
            bang == 0 && self.language.identities.contains(&word) && !self.is(name.max(1) - 1, b'.');
        match self.kind(name) {
            Some(Kind::Word) if (formats || concatenates) && is_first() => name,
            Some(Kind::Word) if gives_back && is_first() => self.term_before(opener).unwrap_or(literal),
            _ => literal,
        }
    }

    /// The start of the term that ends in front of this token: `NAME`, `a.b`, `f(x)`, `"text"`.
    pub(super) fn term_before(&self, behind: usize) -> Option<usize> {
        let mut at = behind.checked_sub(1)?;
        loop {
            if self.is(at, b')') {
                let mut depth = 1_u32;
                while depth > 0 {
                    at = at.checked_sub(1)?;
                    depth = depth + u32::from(self.is(at, b')')) - u32::from(self.is(at, b'('));
                }
                let before = at.checked_sub(1)?;
                if self.kind(before) != Some(Kind::Word) {
                    return Some(at);
                }
                at = before;
                continue;
            }
            let before = at.checked_sub(1)?;
            if !matches!(self.kind(at), Some(Kind::Word | Kind::Text)) {
                return None;
            }
            // One colon stands between a key and its value.
            let is_path = self.is(before, b':') && before > 0 && self.is(before - 1, b':');
            if !is_path && !self.is(before, b'.') {
                return Some(at);
            }
            at = before.checked_sub(if is_path { 2 } else { 1 })?;
        }
    }
}
