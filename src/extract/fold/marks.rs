//! Strings with marked expressions in them: `${name}`, `\\(name)`, `#{name}`, `$name`. The expressions are read as texts: a
//! name, a literal, or a choice between these; all else is a hole. An `impl` of [`Folder`], apart for its length.

use super::{
    Folder, MAX_VARIANTS, Spot, escapes, is_list, is_only_hole,
    lists::{LIST, is_list_value},
};
use crate::{
    extract::{
        format::Filled,
        languages::{Escapes, Language, Place, StringForm},
        lexer::{Table, Token, hole_end},
        text::{MORE, Text},
    },
    source::SourceId,
};

/// An expression within a string: its text, and where that stands.
#[derive(Clone, Copy)]
struct Expression<'a> {
    text: &'a str,
    offset: u32,
    source: SourceId,
}

impl<'a> Expression<'a> {
    /// A part of it, without white space around.
    fn part(self, from: usize, to: usize) -> Self {
        let text = self.text.get(from..to).unwrap_or("");
        let before = from + text.len() - text.trim_start().len();
        Self { text: text.trim(), offset: self.offset + before as u32, ..self }
    }

    /// The same behind the comments of lines that it begins with.
    fn behind_comments(self, language: &Language) -> Self {
        let mut one = self.part(0, self.text.len());
        while language.line_comments.iter().any(|comment| one.text.starts_with(comment)) {
            one = one.part(one.text.find('\n').unwrap_or(one.text.len()), one.text.len());
        }
        one
    }

    /// The condition and what is chosen, where it is `condition ? a : b`, `a if condition else b` or `if (condition) a else b`.
    fn choice(self) -> Option<(Self, [Self; 2])> {
        let top = |from: usize, sign: &str| {
            let mut depth = 0_i32;
            let mut quote = None;
            self.text.char_indices().find(|&(at, character)| {
                match quote {
                    Some(open) => {
                        if character == open {
                            quote = None;
                        }
                        return false;
                    }
                    None if matches!(character, '"' | '\'' | '`') => quote = Some(character),
                    None if matches!(character, '(' | '[' | '{') => depth += 1,
                    None if matches!(character, ')' | ']' | '}') => depth -= 1,
                    None => {}
                }
                depth == 0 && at >= from && self.text.get(at..).is_some_and(|rest| rest.starts_with(sign))
            })
        };
        let length = self.text.len();
        if self.text.starts_with("if ") || self.text.starts_with("if(") {
            let (other, _) = top(0, " else ")?;
            let (close, _) = self.text.char_indices().find(|&(at, sign)| sign == ')' && at > 2)?;
            let arms = [self.part(close + 1, other), self.part(other + 6, length)];
            return Some((self.part(2, close + 1), arms));
        }
        if let Some((condition, _)) = top(0, " if ") {
            let (other, _) = top(condition + 4, " else ")?;
            let arms = [self.part(0, condition), self.part(other + 6, length)];
            return Some((self.part(condition + 4, other), arms));
        }
        let (ask, _) =
            top(0, "? ").filter(|&(at, _)| self.text.get(..at).is_some_and(|text| !text.ends_with('?')))?;
        let (other, _) = top(ask + 1, ":")?;
        Some((self.part(0, ask), [self.part(ask + 1, other), self.part(other + 1, length)]))
    }

    /// The marks of parameters that are repeated, once: `"?," * n`, and without the last comma in `("?," * n)[:-1]`.
    fn repeated(self) -> Option<Self> {
        if let Some((inner, _)) = self.text.strip_prefix('(').and_then(|text| text.split_once(")[:-")) {
            let marks = self.part(1, 1 + inner.len()).repeated()?;
            return Some(marks.part(0, marks.text.trim_end_matches([',', ' ']).len()));
        }
        let (first, factor) = self.text.split_once('*')?;
        let mut depth = 0_i32;
        let goes_on = factor.chars().any(|sign| {
            depth += i32::from(sign == '(') - i32::from(sign == ')');
            sign == '+' && depth == 0
        });
        if goes_on {
            return None;
        }
        let marks = self.part(0, first.len()).literal()?;
        is_marks(marks.text).then_some(marks)
    }

    /// Whether it is asked of what a value has, as `record.class.table_name`: no name here stands for that.
    fn is_of_another(self) -> bool {
        const OWN: [&str; 5] = ["self", "this", "cls", "crate", "super"];
        let mut parts = self.text.split('.');
        let first = parts.next().unwrap_or("").trim_start_matches('$');
        let is_value = first.starts_with(|one: char| one.is_lowercase()) && !OWN.contains(&first);
        is_value && !first.contains("::") && parts.nth(1).is_some()
    }

    /// The content of a literal, if it is one.
    fn literal(self) -> Option<Self> {
        let quote = self.text.chars().next().filter(|first| "\"'`".contains(*first))?;
        let content = self.text.get(1..)?.strip_suffix(quote)?;
        let plain = !content.contains([quote, '\\']) && !content.contains("${");
        plain.then_some(Self { text: content, offset: self.offset + 1, ..self })
    }

    /// The method or function, what stands in front of its dot, and the arguments, where it is a call and nothing else.
    fn call(self) -> Option<(&'a str, Self, Vec<Self>)> {
        let inside = self.text.strip_suffix(')')?;
        let (mut depth, mut quote) = (0_i32, None);
        let (mut open, mut from, mut arguments) = (None, 0, Vec::new());
        for (at, character) in inside.char_indices() {
            match (quote, character) {
                (Some(sign), _) if character == sign => quote = None,
                (None, '"' | '\'' | '`') => quote = Some(character),
                (None, '(' | '[' | '{') => {
                    if depth == 0 && character == '(' {
                        // `a(b).c(d)` has more than one.
                        (open, from) = (open.is_none().then_some(at), at + 1);
                    }
                    depth += 1;
                }
                (None, ')' | ']' | '}') => depth -= 1,
                (None, ',') if depth == 1 => {
                    arguments.push(self.part(from, at));
                    from = at + 1;
                }
                _ => {}
            }
        }
        let open = open.filter(|_| depth == 1)?;
        arguments.push(self.part(from, inside.len()));
        let head = self.text.get(..open)?;
        let (receiver, method) = head.rsplit_once('.').unwrap_or(("", head));
        // `this.#columns()`
        Some((method.trim_start_matches('#'), self.part(0, receiver.len()), arguments))
    }

    /// The last name of a path: `this.table`, `this.#table`, `$this->table`, `Tables.USERS`.
    fn name(self) -> Option<&'a str> {
        let is_path = |character: char| character.is_alphanumeric() || "_.$:->!@?#".contains(character);
        let parts = || self.text.rsplit(|character: char| !(character.is_alphanumeric() || character == '_'));
        self.text.chars().all(is_path).then(|| parts().find(|part| !part.is_empty()))?
    }
}

impl Folder<'_> {
    /// The texts that a literal with marked expressions can be.
    pub(super) fn marked(&self, spot: Spot, token: &Token, form: &StringForm) -> Vec<Text> {
        let (Some(language), source) = (self.language(spot), self.source(spot)) else { return Vec::new() };
        let Some(table) = self.table(language) else { return Vec::new() };
        let all = self.sources.get(source).map_or("", |source| source.text());
        let is_tagged = self.is_tagged(spot, token);
        let (start, end) = token.inner();
        let (mut at, mut from, end) = (start as usize, start as usize, end as usize);
        let mut value = vec![Filled::default()];
        // The expressions of which something was chosen, in order.
        let mut chosen: Vec<&str> = Vec::new();
        let add = |value: &mut Vec<Filled>, from: usize, to: usize| {
            for one in value {
                let text = &mut one.text;
                escapes::push(text, all.get(from..to).unwrap_or(""), form, source, from as u32);
            }
        };
        while at < end {
            let rest = all.as_bytes().get(at..end).unwrap_or(&[]);
            // No mark starts so.
            if rest.first().is_some_and(|&byte| byte.is_ascii_alphanumeric() || byte == b' ') {
                at += 1;
                continue;
            }
            let Some((inner, next, keep)) = hole((all, at), rest, form, (language, table)) else {
                let escaped = rest.first() == Some(&b'\\') && form.escapes != Escapes::None;
                at += if escaped { 2 } else { 1 };
                continue;
            };
            add(&mut value, from, at + keep);
            (at, from) = (next.min(end), next.min(end));
            if keep == 0 {
                let one = Expression {
                    text: all.get(inner.0..inner.1).unwrap_or(""),
                    offset: inner.0 as u32,
                    source,
                };
                let one = one.behind_comments(language);
                let part =
                    if is_tagged { vec![self.unknown_within(spot, one)] } else { self.expression(spot, one) };
                match (chosen.iter().position(|&other| other == one.text), part.as_slice()) {
                    (Some(choice), _) => value.iter_mut().for_each(|one| one.repeat(&part, choice)),
                    (None, [only]) if !only.is_part() => {
                        for one in &mut value {
                            one.text.append(only);
                        }
                    }
                    (None, _) => {
                        chosen.push(one.text);
                        value = Filled::each(&value, &part);
                    }
                }
            }
        }
        add(&mut value, from, end);
        value.into_iter().map(|one| one.text).collect()
    }

    /// Whether a function takes a template apart, so that what stands in it is bound and no text: sql`…`.
    fn is_tagged(&self, spot: Spot, token: &Token) -> bool {
        let at = self.tokens(spot).partition_point(|one| one.start < token.start);
        let before = at.checked_sub(1).and_then(|before| self.tokens(spot).get(before));
        before.is_some_and(|one| one.end == token.start && !one.opens() && !one.is(b',') && !one.is(b'='))
            && self.word(spot, at - 1) != "raw"
            && self.word(spot, at).starts_with('`')
    }

    /// What an expression within a string makes of a list, if that is what it does: `{", ".join(names)}`.
    fn joined_within(&self, spot: Spot, text: &str, (source, offset): (SourceId, u32)) -> Option<Vec<Text>> {
        let one = Expression { text, offset, source };
        let (method, receiver, arguments) = one.part(0, text.len()).call()?;
        let joining = self.joining(spot, method)?;
        let at = |place: Place| match place {
            Place::Receiver => Some(receiver),
            Place::Argument(number) => arguments.get(number).copied(),
            Place::Always(_) => None,
        };
        let separator = match at(joining.separator) {
            Some(one) if !one.text.is_empty() => {
                let start = one.text.find(['"', '\'', '`'])?;
                let content = one.part(start, one.text.len()).literal()?;
                Text::exact(content.text, source, content.offset)
            }
            _ => Text::exact(",", source, offset),
        };
        let name = at(joining.list)?.name()?;
        let token = self.tokens(spot).partition_point(|token| token.start <= offset);
        let Some(lists) = self.list_named(spot, name, token) else {
            return self.open_list(spot, name, token);
        };
        let texts =
            lists.iter().filter(|list| is_list_value(list)).map(|list| list.split_by(LIST, &separator));
        let texts: Vec<Text> = texts.collect();
        (!texts.is_empty()).then_some(texts)
    }

    /// What a function of the program makes of what it is handed within a string: `{qualified("book")}`.
    fn called_within(&self, spot: Spot, one: Expression<'_>) -> Option<Vec<Text>> {
        let (path, receiver, arguments) = one.call()?;
        let name = path.rsplit(['>', ':']).next().unwrap_or(path);
        // PHP: `$this->table("book")`.
        let receiver = if name.len() < path.len() {
            path.trim_start_matches('$').split(['-', ':']).next()?
        } else {
            receiver.text
        };
        let argument = |place: usize| arguments.get(place).map(|&one| self.expression(spot.deeper(), one));
        let has_any = arguments.first().is_some_and(|first| !first.text.is_empty());
        self.returned_within(spot, (receiver, name), (&argument, has_any))
    }

    /// What an expression within a string is: a choice, marks of parameters, or a list that is joined.
    pub(in crate::extract) fn computed_within(
        &self,
        spot: Spot,
        text: &str,
        (source, offset): (SourceId, u32),
    ) -> Option<Vec<Text>> {
        self.computed(spot, Expression { text, offset, source })
    }

    /// The values of an expression that repeats marks, chooses, joins a list, or calls a function.
    fn computed(&self, spot: Spot, one: Expression<'_>) -> Option<Vec<Text>> {
        if let Some(marks) = one.repeated() {
            let mut marks = Text::exact(marks.text, marks.source, marks.offset);
            marks.push_mark(MORE);
            return Some(vec![marks]);
        }
        let Some((condition, [yes, no])) = one.choice() else {
            let place = (one.source, one.offset);
            return self.joined_within(spot, one.text, place).or_else(|| self.called_within(spot, one));
        };
        let at = self.tokens(spot).partition_point(|token| token.start <= one.offset);
        let arms = match self.holds_within(spot, condition.text, at) {
            Some(true) => vec![yes],
            Some(false) => vec![no],
            None => vec![yes, no],
        };
        let inner = spot.deeper();
        let mut values: Vec<Text> = arms.into_iter().flat_map(|arm| self.expression(inner, arm)).collect();
        if values.iter().any(|text| !is_only_hole(text)) {
            values.retain(|text| !is_only_hole(text));
        }
        values.truncate(MAX_VARIANTS);
        Some(values)
    }

    fn expression(&self, spot: Spot, mut one: Expression<'_>) -> Vec<Text> {
        while one.text.starts_with('(') && one.text.ends_with(')') && !one.text.contains(").") {
            one = one.part(1, one.text.len() - 1);
        }
        if let Some(content) = one.literal() {
            return vec![Text::exact(content.text, content.source, content.offset)];
        }
        let within = || self.literal_within(spot, (one.text, one.offset));
        if one.source == self.source(spot)
            && let Some(values) = within()
        {
            return values;
        }
        if let Some(values) = self.computed(spot, one) {
            return values;
        }
        if let Some(member) = self.member_within(spot, one.text) {
            return member;
        }
        let value = one.name().filter(|_| !one.is_of_another()).and_then(|name| {
            let at = self.tokens(spot).partition_point(|token| token.start <= one.offset);
            let of_type = || self.of_type_within(spot, one.text);
            let value =
                self.of_own(spot, one.text).or_else(of_type).or_else(|| self.value_of(spot, name, at));
            value.or_else(|| self.shown_within(spot, one.text))
        });
        value.unwrap_or_else(|| vec![self.unknown_within(spot, one)])
    }

    /// What stands for an expression within a string that is not known.
    fn unknown_within(&self, spot: Spot, one: Expression<'_>) -> Text {
        let hole = unknown(one);
        match one.call() {
            Some((path, ..)) => self.made_by(spot, path, hole),
            None => hole,
        }
    }
}

/// Whether a text is marks of parameters and commas.
pub(super) fn is_marks(text: &str) -> bool {
    text.contains('?') && text.bytes().all(|byte| b"?, ".contains(&byte))
}

/// A value that is not known, by the name that it has.
fn unknown(one: Expression<'_>) -> Text {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    let first = || one.text.split(|character| !is_part(character)).find(|part| !part.is_empty());
    let path = || one.name().filter(|_| one.is_of_another()).map(|_| one.text);
    let name = path().or_else(|| one.name()).or_else(first).unwrap_or("");
    let mut hole = Text::default();
    hole.push_hole(name, is_list(one.text), one.source, one.offset);
    hole
}

/// The expression whose mark stands at a place, and what follows it: its bytes, the place behind it, and how many bytes of
/// a mark are text, where it is doubled.
fn hole(
    (all, at): (&str, usize),
    rest: &[u8],
    form: &StringForm,
    (language, table): (&Language, &Table),
) -> Option<((usize, usize), usize, usize)> {
    if let Some((mark, doubled)) = form.mark(rest) {
        if doubled {
            return Some(((at, at), at + 2 * mark.len(), mark.len()));
        }
        let end = hole_end(all, at, mark, language, table);
        let closed = end > at + mark.len();
        let inside = at + mark.len() - usize::from(mark == "{$");
        // What two braces open, two close.
        let next = end + usize::from(mark == "{{" && all.as_bytes().get(end) == Some(&b'}'));
        return closed.then_some(((inside, end - 1), next, 0));
    }
    let marks = form.marks();
    if marks.doubled && rest.starts_with(b"}}") {
        return Some(((at, at), at + 2, 1));
    }
    if !(marks.names && rest.first() == Some(&b'$')) {
        return None;
    }
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let starts = rest.get(1).is_some_and(|&byte| is_word(byte) && !byte.is_ascii_digit());
    let mut length = 1 + rest.iter().skip(1).take_while(|&&byte| is_word(byte)).count();
    // PHP: `$this->table`.
    if rest.get(length..).is_some_and(|rest| rest.starts_with(b"->")) && marks.open.contains(&"{$") {
        length += 2 + rest.iter().skip(length + 2).take_while(|&&byte| is_word(byte)).count();
    }
    starts.then_some(((at + 1, at + length), at + length, 0))
}
