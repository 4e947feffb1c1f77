//! One finding where several say the same for one reason, with the places of all. Knows what findings are told by; the
//! fingerprints, the baseline and what the user accepts are of each, and settled before.

use super::{
    Diagnostic, Place, Related, Report, State,
    home::{LIKE, VIEW},
};
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

/// What is said of the other places.
const LIKEWISE: &str = "likewise";

/// What is said of the other places that one index cures.
const SAME_INDEX: &str = "the same index is missing";

/// A leader among equals, by its place in the report, and where the others stand.
struct Group {
    leader: usize,
    places: HashSet<(String, u32)>,
}

impl Report {
    /// Keeps the first of the findings that count and say the same for one reason: of one function, of like statements in one
    /// file, or of all that goes through one view; the first of those of one statement on the tables of views; the first of those that one
    /// index cures; and that of those about no statement. The others are places of it.
    ///
    /// For programs, which want each place by itself, only like statements are folded.
    pub fn fold(&mut self, is_for_people: bool) {
        let is_like = |one: &Diagnostic| one.home.as_ref().is_some_and(|home| home.starts_with(LIKE));
        self.fold_by(LIKEWISE, |one| key(one).filter(|_| is_for_people || is_like(one)));
        if is_for_people {
            self.fold_views();
            self.fold_by(SAME_INDEX, index);
            self.fold_by(LIKEWISE, of_no_statement);
        }
    }

    /// Keeps the first of the findings that one statement has for the tables which it reads through views, and names those of the others.
    /// One that has a place of its own stays.
    fn fold_views(&mut self) {
        let mut leaders: HashMap<Vec<String>, (usize, Vec<String>)> = HashMap::new();
        let mut kept: Vec<Diagnostic> = Vec::with_capacity(self.diagnostics.len());
        for one in std::mem::take(&mut self.diagnostics) {
            let Some(key) = of_view(&one) else {
                kept.push(one);
                continue;
            };
            let (at, tables) = leaders.entry(key).or_insert((kept.len(), Vec::new()));
            let leader = kept.get(*at);
            let has = |place: &Place| leader.is_some_and(|leader| folded(leader).any(|own| own == place));
            // Without the name of its table, nothing would be left of it.
            let object = one.object.as_ref().filter(|_| leader.is_some() && folded(&one).all(has));
            let Some(object) = object else {
                kept.push(one);
                continue;
            };
            let table = format!("`{}`", object.name);
            if !tables.contains(&table) {
                tables.push(table);
            }
        }
        for (leader, tables) in leaders.into_values() {
            if let Some(leader) = kept.get_mut(leader).filter(|_| !tables.is_empty()) {
                // Writing to a string never fails.
                let _ = write!(leader.message, "; likewise {}", tables.join(", "));
            }
        }
        self.diagnostics = kept;
    }

    /// Keeps the first of the findings with one key, and says `what` of the places of the others.
    fn fold_by(&mut self, what: &str, key: impl Fn(&Diagnostic) -> Option<Vec<String>>) {
        let mut groups: HashMap<Vec<String>, Group> = HashMap::new();
        let mut kept: Vec<Diagnostic> = Vec::with_capacity(self.diagnostics.len());
        for one in std::mem::take(&mut self.diagnostics) {
            let Some(key) = key(&one) else {
                kept.push(one);
                continue;
            };
            match groups.get_mut(&key) {
                None => {
                    let places = one.place.iter().chain(folded(&one)).map(spot).collect();
                    groups.insert(key, Group { leader: kept.len(), places });
                    kept.push(one);
                }
                Some(group) => {
                    // Several texts of one place are one to who reads.
                    let places = one.place.iter().chain(folded(&one));
                    let places = places.filter(|place| group.places.insert(spot(place)));
                    let related =
                        places.map(|place| Related { place: place.clone(), message: what.to_owned() });
                    if let Some(leader) = kept.get_mut(group.leader) {
                        leader.related.extend(related);
                    }
                }
            }
        }
        for group in groups.values() {
            let Some(leader) = kept.get_mut(group.leader) else { continue };
            let others = leader.related.iter().filter(|related| related.message == what).count();
            if others > 0 {
                let noun = if others == 1 { "place" } else { "places" };
                // Writing to a string never fails.
                let _ = write!(leader.message, "; {what} at {others} other {noun}");
            }
        }
        self.diagnostics = kept;
    }
}

/// Whether this place is one of a finding that was told as another.
pub(super) fn is_folded(related: &Related) -> bool {
    related.message == LIKEWISE || related.message == SAME_INDEX
}

/// The places of those that a finding stands for.
fn folded(one: &Diagnostic) -> impl Iterator<Item = &Place> {
    one.related.iter().filter(|related| is_folded(related)).map(|related| &related.place)
}

/// What findings have in common that one index was proved to cure, and nothing else. Of statements and of foreign keys it is one
/// want, whichever rules say how it shows; what is said of an index that is there is another thing.
fn index(one: &Diagnostic) -> Option<Vec<String>> {
    let [cure] = one.cures.as_slice() else { return None };
    let is_told = one.state == State::New && one.place.is_some() && cure.kind == "index" && cure.proved;
    let is_read = one.object.as_ref().is_none_or(|object| object.kind == "table");
    let [rule, severity, database, context] = common(one);
    let rule = if is_read { String::new() } else { rule };
    is_told.then(|| vec![rule, severity, database, context, cure.sql.clone()])
}

/// What findings of one statement have in common that are about tables which it reads through views.
fn of_view(one: &Diagnostic) -> Option<Vec<String>> {
    let is_viewed = one.state == State::New && one.home.as_ref()?.starts_with(VIEW);
    let (path, offset) = one.place.as_ref().map(spot).filter(|_| is_viewed)?;
    let cures = one.cures.iter().map(|cure| cure.sql.clone());
    Some(common(one).into_iter().chain([path, offset.to_string()]).chain(cures).collect())
}

/// What findings have in common that are about no statement, but steps of a schema or the like, and say the same of one database.
fn of_no_statement(one: &Diagnostic) -> Option<Vec<String>> {
    let is_told =
        one.state == State::New && one.home.is_none() && one.place.is_some() && one.cures.is_empty();
    let is_its = is_told && one.database.is_some();
    is_its.then(|| common(one).into_iter().chain(words(one)).collect())
}

/// What findings have in common that are told as one; `None` where one stands alone.
fn key(one: &Diagnostic) -> Option<Vec<String>> {
    let home = one.home.clone().filter(|_| one.state == State::New)?;
    let object = one.object.as_ref().map_or("", |object| &object.name).to_lowercase();
    let said = common(one).into_iter().chain(words(one)).chain([home, object]);
    Some(said.chain(one.cures.iter().map(|cure| cure.sql.clone())).collect())
}

/// What all findings have in common that are told as one.
fn common(one: &Diagnostic) -> [String; 4] {
    let database = one.database.clone().unwrap_or_default();
    [one.rule.clone(), one.severity.as_str().to_owned(), database, one.context.clone()]
}

/// What a finding says.
fn words(one: &Diagnostic) -> [String; 2] {
    [one.message.clone(), one.help.clone().unwrap_or_default()]
}

/// Where a place begins.
fn spot(place: &Place) -> (String, u32) {
    (place.path.clone(), place.start.offset)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        config::Severity,
        report::{Cure, Object, sample},
    };

    fn at(offset: u32, home: &str, message: &str) -> Diagnostic {
        let mut place = sample::report().diagnostics.into_iter().find_map(|one| one.place).unwrap();
        place.start.offset = offset;
        let home = Some(home.to_owned());
        Diagnostic { place: Some(place), home, ..sample::bare("a-rule", Severity::Warning, message) }
    }

    #[test]
    fn what_says_the_same_in_one_home_is_one_finding_with_all_places() {
        let accepted = Diagnostic { state: State::Suppressed, ..at(5, "f", "a") };
        let all = vec![
            accepted,
            at(10, "f", "a"),
            at(20, "f", "b"),
            at(30, "f", "a"),
            at(30, "f", "a"),
            at(40, "g", "a"),
        ];
        let mut report = Report { diagnostics: all, ..Report::default() };
        report.fold(true);
        let said: Vec<(&str, usize)> =
            report.diagnostics.iter().map(|one| (one.message.as_str(), one.related.len())).collect();
        assert_eq!(said, [("a", 0), ("a; likewise at 1 other place", 1), ("b", 0), ("a", 0)]);
    }

    #[test]
    fn what_one_statement_has_of_the_tables_of_a_view_is_one_finding_for_people_alone() {
        let of = |offset, home: &str, table: &str| {
            let object = Some(Object { kind: "table".to_owned(), name: table.to_owned() });
            Diagnostic { object, ..at(offset, home, &format!("reads `{table}`")) }
        };
        let all =
            vec![of(10, "view v", "a"), of(10, "view v", "b"), of(10, "view w", "c"), of(20, "view v", "b")];
        let again = Diagnostic { message: "also".to_owned(), ..of(10, "view w", "c") };
        let nameless = Diagnostic { object: None, ..at(10, "view v", "of no table") };
        let other = vec![of(30, "f", "a"), of(30, "f", "b")];
        let cured = Cure { sql: "i".to_owned(), ..Cure::default() };
        let cured = Diagnostic { cures: vec![cured], ..of(10, "view v", "d") };
        let diagnostics: Vec<Diagnostic> =
            all.into_iter().chain(other).chain([cured, of(10, "view v", "e"), again, nameless]).collect();
        let mut report = Report { diagnostics, ..Report::default() };
        let mut whole = Report { diagnostics: report.diagnostics.clone(), ..Report::default() };
        report.fold(true);
        let said: Vec<&str> = report.diagnostics.iter().map(|one| one.message.as_str()).collect();
        assert_eq!(
            said,
            [
                "reads `a`; likewise `c`, `e`",
                "reads `b`; likewise at 1 other place",
                "reads `a`",
                "reads `b`",
                "reads `d`",
                "of no table"
            ]
        );
        whole.fold(false);
        assert_eq!(whole.diagnostics.len(), 10);
    }

    #[test]
    fn what_says_the_same_of_steps_of_one_schema_is_one_finding() {
        let step = |offset, database: &str, message| Diagnostic {
            home: None,
            database: Some(database.to_owned()),
            ..at(offset, "", message)
        };
        let all = vec![step(10, "d", "a"), step(20, "d", "b"), step(30, "d", "a"), step(40, "e", "a")];
        let mut report = Report { diagnostics: all, ..Report::default() };
        report.fold(true);
        let said: Vec<&str> = report.diagnostics.iter().map(|one| one.message.as_str()).collect();
        assert_eq!(said, ["a; likewise at 1 other place", "b", "a"]);
    }

    #[test]
    fn what_one_index_cures_is_one_finding_for_people_alone() {
        let cure = |sql: &str| Cure {
            kind: "index".to_owned(),
            sql: sql.to_owned(),
            proved: true,
            ..Cure::default()
        };
        let cured =
            |offset, home, message, sql| Diagnostic { cures: vec![cure(sql)], ..at(offset, home, message) };
        let of_index = Some(Object { kind: "index".to_owned(), name: "t_a".to_owned() });
        let all = vec![
            cured(10, "f", "a", "i"),
            cured(20, "g", "b", "j"),
            cured(30, "h", "c", "i"),
            Diagnostic { rule: "b-rule".to_owned(), ..cured(40, "h", "c", "i") },
            Diagnostic { rule: "key-rule".to_owned(), home: None, ..cured(60, "", "f", "i") },
            Diagnostic { context: "start_up".to_owned(), ..cured(45, "h", "s", "i") },
            Diagnostic { object: of_index, ..cured(46, "h", "e", "i") },
            Diagnostic { severity: Severity::Note, ..cured(50, "k", "d", "i") },
        ];
        let mut report = Report { diagnostics: all, ..Report::default() };
        let mut whole = Report { diagnostics: report.diagnostics.clone(), ..Report::default() };
        report.fold(true);
        let said: Vec<(&str, usize)> =
            report.diagnostics.iter().map(|one| (one.message.as_str(), one.related.len())).collect();
        assert_eq!(
            said,
            [("a; the same index is missing at 3 other places", 3), ("b", 0), ("s", 0), ("e", 0), ("d", 0)]
        );
        whole.fold(false);
        assert_eq!(whole.diagnostics.len(), 8);
    }
}
