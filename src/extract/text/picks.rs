//! Which values of several parts a text is made of, where they were taken apart: parts of two values never come together.

use super::{Choice, Text};

/// What was taken out of a value of several parts. Both places are a file, as an index of the units, and a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pick {
    /// Where it was taken apart; `None` until that is known.
    apart: Option<Choice>,
    /// Where the values are written that it may be of.
    of: Vec<Choice>,
}

impl Text {
    /// Takes note that it is a part of the value which is written at a place.
    pub fn mark_part(&mut self, written: Choice) {
        self.picks.retain(|pick| pick.apart.is_some());
        self.picks.push(Pick { apart: None, of: vec![written] });
    }

    /// Takes note of where the value was taken apart that it is a part of.
    pub fn settle_part(&mut self, apart: Choice) {
        self.picks.retain(|pick| pick.apart != Some(apart));
        for pick in &mut self.picks {
            pick.apart.get_or_insert(apart);
        }
    }

    /// Whether it is a part of a value that was taken apart.
    pub fn is_part(&self) -> bool {
        !self.picks.is_empty()
    }

    /// Whether two texts may come together: of what was taken apart once, both have parts of one value.
    pub fn goes_with(&self, other: &Self) -> bool {
        self.picks.iter().all(|own| {
            let same = other.picks.iter().find(|pick| pick.apart == own.apart);
            same.is_none_or(|pick| own.of.iter().any(|value| pick.of.contains(value)))
        })
    }

    /// Takes note of what another text is part of that stands in it now.
    pub(super) fn take_picks(&mut self, other: &Self) {
        for pick in &other.picks {
            match self.picks.iter_mut().find(|own| own.apart == pick.apart) {
                Some(own) => own.of.retain(|value| pick.of.contains(value)),
                None => self.picks.push(pick.clone()),
            }
        }
        // Of what does not go together nothing is known.
        self.picks.retain(|pick| !pick.of.is_empty());
    }

    /// Takes note that another text which reads the same is left out for it.
    pub fn stand_for(&mut self, twin: &Self) {
        self.picks.retain_mut(|own| {
            let same = twin.picks.iter().find(|pick| pick.apart == own.apart);
            let more = same.into_iter().flat_map(|pick| &pick.of);
            let more: Vec<Choice> = more.filter(|value| !own.of.contains(value)).copied().collect();
            own.of.extend(more);
            same.is_some()
        });
    }
}
