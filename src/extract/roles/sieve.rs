//! A sieve in front of a large table of names: most words of a tree are the name of no function, and are told so by a
//! bit that stays in the cache.

/// The bits, as a power of two: sixteen for each name of a large tree.
const BITS: u32 = 18;

/// A set of names, as far as a sieve needs.
pub struct Sieve {
    bits: Vec<u64>,
}

impl Sieve {
    /// Whether the set may hold a name; never false for one that it holds.
    #[inline]
    pub fn may_hold(&self, name: &str) -> bool {
        let (word, bit) = place(name);
        self.bits.get(word).is_some_and(|bits| bits & bit != 0)
    }
}

/// The bit of a name, by its ends and its length.
#[inline]
fn place(name: &str) -> (usize, u64) {
    let bytes = name.as_bytes();
    let ends = match (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (Some(first), Some(last)) => u64::from_le_bytes(*first) ^ u64::from_le_bytes(*last).rotate_left(29),
        _ => bytes.iter().fold(0, |sum, &byte| (sum << 8) | u64::from(byte)),
    };
    let mixed = (ends ^ bytes.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - BITS);
    ((mixed >> 6) as usize, 1 << (mixed & 63))
}

impl<'a> FromIterator<&'a str> for Sieve {
    fn from_iter<T: IntoIterator<Item = &'a str>>(names: T) -> Self {
        let mut bits = vec![0; 1 << (BITS - 6)];
        for name in names {
            let (word, bit) = place(name);
            if let Some(bits) = bits.get_mut(word) {
                *bits |= bit;
            }
        }
        Self { bits }
    }
}
