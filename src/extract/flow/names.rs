//! Names of a function, and what each depends on.

use rustc_hash::FxHashMap as HashMap;

/// Names, each with the values that it depends on, a bit each. What a bit stands for is for the asker to say: a
/// parameter of the function; or the element of a loop, where there is only one.
#[derive(Debug, Default, Clone)]
pub(super) struct Names<'a> {
    values: HashMap<&'a str, u64>,
    /// Of the first byte and the length of each name a bit, so that most words need not be looked up.
    sieve: u64,
    /// What any of them depends on.
    all: u64,
}

impl<'a> Names<'a> {
    /// Names that depend on one value.
    pub fn of_one(names: impl IntoIterator<Item = &'a str>) -> Self {
        let mut found = Self::default();
        for name in names {
            found.add(name, 1);
        }
        found
    }

    /// Lets a name depend on more values; false if it did so before.
    pub fn add(&mut self, name: &'a str, values: u64) -> bool {
        let known = self.values.entry(name).or_default();
        let before = std::mem::replace(known, *known | values);
        let is_new = *known != before;
        self.sieve |= bit(name.as_bytes().first().copied().unwrap_or(0), name.len());
        self.all |= values;
        is_new
    }

    /// What any of the names depends on.
    pub fn all(&self) -> u64 {
        self.all
    }

    /// Whether there may be a name that starts so and is so long.
    #[inline]
    pub fn may_hold(&self, first: u8, length: usize) -> bool {
        self.sieve & bit(first, length) != 0
    }

    /// What a name depends on; nothing if it is none of these.
    pub fn of(&self, name: &str) -> u64 {
        self.values.get(name).copied().unwrap_or(0)
    }
}

#[inline]
fn bit(first: u8, length: usize) -> u64 {
    1 << ((usize::from(first) ^ (length * 11)) & 63)
}
