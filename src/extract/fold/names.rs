//! Names: what they stand for in the function around, in the file, in the tree. An `impl` of [`Folder`], apart for its
//! length.

use super::{
    Folded, Folder, MAX_DEPTH, Spot, distinct, is_list, is_only_hole, lists::is_list_value, product,
};
use crate::extract::{
    constants::REPLACES,
    lexer::Kind,
    sketch::{Binding, NOWHERE},
    text::Text,
};
use rustc_hash::FxHashMap as HashMap;

impl Folder<'_> {
    /// The value of a name: of the function around, of the file, of the tree.
    pub fn named(&self, spot: Spot, at: usize) -> Vec<Text> {
        let name = self.word(spot, at);
        if self.code(spot).is_some_and(|code| !code.declared_empty(at).is_empty()) {
            return vec![Text::default()];
        }
        let is_own = self.is_own_field(spot, at);
        if let Some(values) = is_own.then(|| self.of_heirs(spot, name)).flatten() {
            return values;
        }
        if let Some(values) = self.of_any_class(spot, at, name) {
            return values;
        }
        let kept = || is_own.then(|| self.of_field(spot, name)).flatten();
        self.value_of(spot, name, at)
            .or_else(kept)
            .unwrap_or_else(|| vec![self.hole(spot, at, name, is_list(name))])
    }

    /// The value of a name, and of the literals that stand side by side with it: `NAME " WHERE …"`.
    pub(super) fn with_adjacent(&self, spot: Spot, name: usize) -> Folded {
        if let Some(number) = self.discriminant(spot, name) {
            return number;
        }
        let value = self.named(spot, name);
        let next = name + 1;
        let joins = self.language(spot).is_some_and(|language| language.adjacent && !language.indented);
        if !joins || self.kind(spot, next) != Some(Kind::Text) {
            return (value, next);
        }
        let (rest, end) = self.literals(spot, next);
        (product(value, &rest), end)
    }

    /// The value of a name, as seen from a token; `None` where it is not text.
    pub fn value_of(&self, spot: Spot, name: &str, at: usize) -> Option<Vec<Text>> {
        // A parameter of a macro is what is handed over: `$table`.
        let is_of_macro = || {
            let before = at.checked_sub(1).filter(|&before| self.is(spot, before, b'$'));
            before.is_some() && self.language(spot).is_some_and(|language| language.block_values)
        };
        if spot.depth > MAX_DEPTH || self.is_held(spot, name) || is_of_macro() {
            return None;
        }
        let mut values = match self.local(spot, name, at) {
            Some(values) => values,
            None => self.distant(spot, name, at),
        };
        values.retain(|text| !is_only_hole(text) && !is_list_value(text));
        values = self.narrowed(spot, name, at, values);
        if values.is_empty() {
            let known = self.turned(spot, name, at).or_else(|| self.looped(spot, name, at));
            let known =
                known.or_else(|| self.asked_number(spot, name, at)).or_else(|| self.handed(spot, name));
            return known.or_else(|| self.number_of(spot, name, at));
        }
        distinct(&mut values);
        Some(values)
    }

    /// The last word of a path such as `super::names::TABLE` or `self.table`, unless a call stands in between.
    pub(super) fn path_end(&self, spot: Spot, at: usize) -> usize {
        let mut name = at;
        loop {
            let colons = self.is(spot, name + 1, b':') && self.is(spot, name + 2, b':');
            let arrow = self.is_arrow(spot, name + 1);
            let step = if colons || arrow { 3 } else { 2 };
            // `QueryBuilder::<Sqlite>::new`
            if colons && self.is(spot, name + 3, b'<') {
                let end = self.types_end(spot, name + 3);
                let is_path = |end: &usize| {
                    self.is(spot, end + 1, b':') && self.kind(spot, end + 3) == Some(Kind::Word)
                };
                match end.filter(is_path) {
                    Some(end) => name = end + 3,
                    None => return name,
                }
                continue;
            }
            let dotted = self.is_dot(spot, name + 1) && !self.is_method(spot, name + 2);
            if !(colons || arrow || dotted) || self.kind(spot, name + step) != Some(Kind::Word) {
                return name;
            }
            name += step;
        }
    }

    /// The `>` that closes the types whose `<` stands at a token.
    fn types_end(&self, spot: Spot, open: usize) -> Option<usize> {
        const LONGEST: usize = 40;
        let mut depth = 0_usize;
        (open..open + LONGEST).find(|&at| {
            depth += usize::from(self.is(spot, at, b'<'));
            let closes = self.is(spot, at, b'>') && !self.is(spot, at - 1, b'-');
            depth = depth.saturating_sub(usize::from(closes));
            depth == 0
        })
    }

    /// The token behind the name of a call, past the types that it is called with: `table::<Ship>(…)`.
    pub(super) fn call_open(&self, spot: Spot, name: usize) -> usize {
        let is_typed = [b':', b':', b'<'].iter().zip(name + 1..).all(|(&sign, at)| self.is(spot, at, sign));
        let end = self.types_end(spot, name + 3).filter(|_| is_typed);
        end.map_or(name + 1, |end| end + 1)
    }

    /// Whether the word at a token is a method of the text in front of it, and not a part of its path.
    fn is_method(&self, spot: Spot, at: usize) -> bool {
        let Some(language) = self.language(spot) else { return false };
        let word = self.word(spot, at);
        let method = language.identities.contains(&word)
            || REPLACES.contains(&word)
            || language.fills(word) && !self.is_class(spot, at);
        method && self.is(spot, at + 1, b'(')
    }

    /// Whether what a method is called on is named as classes are: `String.format(…)`.
    fn is_class(&self, spot: Spot, method: usize) -> bool {
        let name = method.checked_sub(2).map_or("", |at| self.word(spot, at));
        name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase)
    }

    /// What the source says between two tokens, where that is short: two calls of one name are not one value.
    pub(super) fn spelled(&self, spot: Spot, from: usize, end: usize) -> &str {
        const LONGEST: usize = 40;
        let tokens = self.tokens(spot);
        let last = end.checked_sub(1).and_then(|last| tokens.get(last));
        let (Some(first), Some(last)) = (tokens.get(from), last) else { return "" };
        let is_bare = end == from + 3 && self.is(spot, from + 1, b'(');
        let text =
            self.sources.get(self.source(spot)).map_or("", |source| source.slice(first.start, last.end));
        if is_bare || text.len() > LONGEST || text.contains('\n') { self.word(spot, from) } else { text }
    }

    /// Whether a name stays open, for it is being put together.
    pub(super) fn is_held(&self, spot: Spot, name: &str) -> bool {
        spot.held != NOWHERE && self.word(spot, spot.held as usize) == name
    }

    /// What a name at the level of a file stands for.
    fn distant(&self, spot: Spot, name: &str, at: usize) -> Vec<Text> {
        let path = if self.word(spot, at) == name { self.path_to(spot, at) } else { vec![name] };
        if let Some((inner, value)) = self.member(spot, &path) {
            return self.chain(inner, value).0;
        }
        let qualifier = if self.word(spot, at) == name { self.qualifier(spot, at) } else { "" };
        let files = if self.word(spot, at) == name { self.files_of_type(spot, at) } else { &[] };
        let found = self.scoped(spot, name, at).or_else(|| self.lookup_tree(spot, name, (qualifier, files)));
        // In a string it is read by its whole path.
        let shown = || {
            let front = (self.word(spot, at) == name).then(|| self.path_in_front(spot, at))??;
            self.lookup_shown(spot, name, &front)
        };
        let Some((inner, value)) = found.or_else(shown) else {
            let assigned = self.assigned_beside(spot, name, at);
            return assigned.or_else(|| self.embedded_text(spot, name, at)).unwrap_or_default();
        };
        // What the type has is no text, where its file has none of that name.
        let is_of_type = files.is_empty() || files.contains(&(inner.unit as u32));
        if is_of_type { self.chain(inner, value).0 } else { Vec::new() }
    }

    /// The list that a name at the level of a file stands for.
    pub(super) fn distant_list(&self, spot: Spot, name: &str) -> Option<Vec<Text>> {
        let found = self.lookup_tree(spot, name, ("", &[]));
        let (inner, value) = found.or_else(|| self.lookup_shown(spot, name, &[]))?;
        self.list_at(inner, value)
    }

    /// Whether a token is part of what a name is given here: there, `x = f"({x})"` means what it was before.
    pub(super) fn gives(&self, spot: Spot, value: usize, at: usize) -> bool {
        /// The longest value, in tokens: each deed of a name asks.
        const LONGEST: usize = 512;
        let tokens = self.tokens(spot);
        let (Some(first), Some(last)) = (tokens.get(value), tokens.get(at)) else { return false };
        let source = self.sources.get(self.source(spot));
        value <= at
            && at - value <= LONGEST
            && source.is_some_and(|source| !source.slice(first.start, last.start).contains(['\n', ';']))
    }

    /// The type in front of a name: `Store::table`.
    pub(super) fn qualifier(&self, spot: Spot, at: usize) -> &str {
        let is_path = at > 2 && self.is(spot, at - 1, b':') && self.is(spot, at - 2, b':');
        if is_path { self.word(spot, at - 3) } else { "" }
    }

    /// The files that are named like the type in front of a name, as in `Store.TABLE` and `Store::TABLE`; none where the file
    /// itself declares that type.
    pub(super) fn files_of_type(&self, spot: Spot, at: usize) -> &[u32] {
        self.files_named(spot, self.type_in_front(spot, at))
    }

    /// What stands in front of a name: `Store` in `Store.TABLE` and `Store::TABLE`.
    pub(super) fn type_in_front(&self, spot: Spot, at: usize) -> &str {
        let is_member = at > 1 && self.is(spot, at - 1, b'.');
        if is_member { self.word(spot, at - 2) } else { self.qualifier(spot, at) }
    }

    /// The value of `Store.TABLE` in a string in front of a token.
    pub(in crate::extract) fn of_type_within(&self, spot: Spot, path: &str) -> Option<Vec<Text>> {
        let (owner, name) = path.split_once('.').filter(|_| spot.depth <= MAX_DEPTH)?;
        let files = self.files_named(spot, owner);
        let beside = || {
            self.lookup_tree(spot, name, ("", files))
                .filter(|(inner, _)| files.contains(&(inner.unit as u32)))
        };
        let found = self.lookup_type(spot, ("", owner), name).or_else(beside);
        let (inner, value) = found.or_else(|| self.lookup_shown(spot, name, &[owner]))?;
        Some(self.chain(inner, value).0).filter(|values| !values.iter().all(is_only_hole))
    }

    /// The files that are named like a type; none where the file itself declares that.
    fn files_named(&self, spot: Spot, owner: &str) -> &[u32] {
        if !owner.starts_with(|one: char| one.is_ascii_uppercase()) {
            return &[];
        }
        let types = self.types.get_or_init(|| {
            let mut types: HashMap<String, Vec<u32>> = HashMap::default();
            for (index, unit) in (0..).zip(self.units) {
                let path = self.sources.path(unit.source);
                let file = path.rsplit('/').next().unwrap_or(path);
                let stem = file.split('.').next().unwrap_or(file);
                if stem.starts_with(|one: char| one.is_ascii_uppercase()) {
                    types.entry(stem.to_owned()).or_default().push(index);
                }
            }
            types
        });
        types.get(owner).filter(|_| !self.declares_type(spot, owner)).map_or(&[], Vec::as_slice)
    }

    /// Whether a file declares a type of this name.
    pub(super) fn declares_type(&self, spot: Spot, name: &str) -> bool {
        self.declared_types(spot).iter().any(|&at| self.word(spot, at as usize) == name)
    }

    /// The names of the types that a file declares, as tokens.
    pub(super) fn declared_types(&self, spot: Spot) -> &[u32] {
        let (Some(known), Some(language)) = (self.known.unit(spot.unit), self.language(spot)) else {
            return &[];
        };
        known.types.get_or_init(|| {
            let is_one = |at: &usize| language.types.contains(&self.word(spot, at - 1));
            (1..self.tokens(spot).len()).filter(is_one).map(|at| at as u32).collect()
        })
    }

    /// The nearest binding of this name at the level of a file. One that is of a type is seen from elsewhere with the name of
    /// that in front, or in its own methods.
    pub(super) fn lookup_tree(
        &self,
        spot: Spot,
        name: &str,
        (qualifier, files): (&str, &[u32]),
    ) -> Option<(Spot, usize)> {
        let places = self.names.get(name)?;
        let path = self.sources.path(self.source(spot));
        let of_package = self.language(spot).is_some_and(|language| language.packages);
        let language = self.language(spot).map_or("", |language| language.name);
        let mut best: Option<((bool, usize), usize, Binding)> = None;
        for &(unit_index, index) in places {
            let unit_index = unit_index as usize;
            let Some(unit) = self.units.get(unit_index).filter(|unit| unit.language.name == language) else {
                continue;
            };
            let Some(binding) = unit.sketch.bindings.get(index as usize) else { continue };
            let is_hidden = unit_index != spot.unit && self.is_private(unit_index, binding.name as usize);
            if is_hidden || self.is_static(unit_index, binding.name as usize) {
                continue;
            }
            let is_of_type = files.contains(&(unit_index as u32));
            if unit_index == spot.unit {
                // `CardModel::TABLE` beside a `TABLE` of the file's own type.
                if !files.is_empty() && !is_of_type {
                    continue;
                }
                best = Some(((true, usize::MAX), unit_index, *binding));
                break;
            }
            let owner = self.qualifier(Spot::at(unit_index, NOWHERE), binding.name as usize);
            let is_seen = owner.is_empty() || owner == qualifier || owner == self.owner(spot);
            let is_beside = of_package && self.is_beside(spot.unit, unit_index);
            // `DataStore.tableName`, in a file of that name.
            let is_member = is_of_type && qualifier.is_empty();
            let shows = unit.language.shows(name);
            if !(shows || is_beside || is_member) || !is_seen {
                continue;
            }
            let near =
                (is_of_type, common_folders(path, self.sources.path(unit.source)) + usize::from(is_beside));
            if best.as_ref().is_none_or(|(most, ..)| near > *most) {
                best = Some((near, unit_index, *binding));
            }
        }
        let (_, unit, binding) = best?;
        let inner = Spot { depth: spot.depth + 1, pieces: spot.pieces, ..Spot::at(unit, binding.function) };
        Some((inner, binding.value as usize))
    }

    /// Whether a name is of a class, and is not seen without that: `static SHIP = "ships"`.
    fn is_static(&self, unit: usize, name: usize) -> bool {
        let spot = Spot::at(unit, NOWHERE);
        let before = || name.checked_sub(1).map_or("", |before| self.word(spot, before));
        self.language(spot).is_some_and(|language| language.objects)
            && matches!(before(), "static" | "readonly")
    }

    /// Whether the declaration of a name says that it is for its own file or type: `private const val NAME`. A type of C# may stand in
    /// several files.
    pub(super) fn is_private(&self, unit: usize, name: usize) -> bool {
        /// The most words in front of a name.
        const WORDS: usize = 6;
        let spot = Spot::at(unit, NOWHERE);
        if !self.language(spot).is_some_and(|language| language.typed && language.name != "C#") {
            return false;
        }
        let mut words = (name.saturating_sub(WORDS)..name)
            .rev()
            .take_while(|&at| self.kind(spot, at) == Some(Kind::Word));
        words.any(|at| matches!(self.word(spot, at), "private" | "fileprivate"))
    }
}

/// How many folders two paths have in common, from the root on.
pub(in crate::extract) fn common_folders(a: &str, b: &str) -> usize {
    a.split('/').zip(b.split('/')).take_while(|(a, b)| a == b).count()
}
