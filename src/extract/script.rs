//! Files of SQL: the text of each is one literal. Knows no statements.

use super::{
    Found, Literal, Role,
    fold::{Folder, Unit},
    macros,
    sketch::{Candidate, NOWHERE},
    template,
    text::Text,
};
use crate::source::Site;

/// The text of a file, as a program puts it in.
pub(super) fn whole(folder: &Folder<'_>, unit: &Unit, index: usize) -> Option<Found> {
    let text = folder.sources.get(unit.source)?.text();
    let whole = macros::parted(template::bare(text, unit.source));
    let mut variants = folder.filled_in_place(unit.source, &whole);
    if variants.is_empty() {
        variants.push(template::values(template::settle(whole)));
    }
    let variants = variants.into_iter().map(macros::expand).collect();
    let site = Site { source: unit.source, start: 0, end: text.len() as u32 };
    let role = if unit.is_test { Role::Test } else { Role::Production };
    let literal = Literal { variants, role, ..Literal::bare(site, Text::default(), unit.language) };
    let candidate = Candidate {
        start: 0,
        literal: 0,
        function: NOWHERE,
        loop_depth: 0,
        callee: None,
        is_test: unit.is_test,
        is_likely: true,
        is_named: false,
    };
    Some(Found { literal, unit: index as u32, candidate, end: 0, handed: None })
}
