//! A sieve for sets of words: by its first byte and its length, most words are told to be none of them without being
//! compared or hashed.

/// A set of words, as far as a sieve needs.
pub struct Words {
    /// For each first byte the lengths, a bit each.
    lengths: [u32; 256],
}

impl Words {
    /// Whether the set may hold a word that starts so and is so long; never false for one that it holds.
    #[inline]
    pub fn may_hold(&self, first: u8, length: usize) -> bool {
        self.lengths.get(usize::from(first)).is_some_and(|lengths| lengths & bit(length) != 0)
    }

    /// Whether the set may hold a word; never false for one that it holds.
    pub fn may_hold_word(&self, word: &str) -> bool {
        self.may_hold(word.as_bytes().first().copied().unwrap_or(0), word.len())
    }
}

/// Words of 31 bytes and more share a bit.
fn bit(length: usize) -> u32 {
    1 << length.min(31)
}

impl<'a> FromIterator<&'a str> for Words {
    fn from_iter<T: IntoIterator<Item = &'a str>>(words: T) -> Self {
        let mut lengths = [0; 256];
        for word in words {
            let first = word.as_bytes().first().copied().unwrap_or(0);
            if let Some(entry) = lengths.get_mut(usize::from(first)) {
                *entry |= bit(word.len());
            }
        }
        Self { lengths }
    }
}

/// Whether a name is one that other files see: in capitals, with a capital in front as in Go, or with a `k` in front of that.
pub fn is_global(name: &str) -> bool {
    let name = name.strip_prefix('k').filter(|rest| rest.starts_with(char::is_uppercase)).unwrap_or(name);
    name.len() > 2 && name.bytes().next().is_some_and(|byte| byte.is_ascii_uppercase() || byte == b'_')
}
