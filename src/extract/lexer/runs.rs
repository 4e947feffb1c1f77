//! Where a run of like bytes ends, eight bytes at a time: most words and indentations are over within one or two steps.

const ONES: u64 = 0x0101_0101_0101_0101;
/// The highest bit of each byte.
const HIGH: u64 = 0x80 * ONES;

/// The first byte from `at` on that is not part of a word.
#[inline]
pub(super) fn word_end(bytes: &[u8], at: usize) -> usize {
    end(bytes, at, |eight| !in_word(eight) & HIGH)
}

/// The first byte from `at` on that is not a space.
#[inline]
pub(super) fn spaces_end(bytes: &[u8], at: usize) -> usize {
    end(bytes, at, |eight| eight ^ (u64::from(b' ') * ONES))
}

/// Bytes to look for, eight of a kind each.
pub(super) type Stops = [u64; 6];

/// The stops of at most six bytes; `None` where there are more.
pub(super) fn stops(bytes: impl IntoIterator<Item = u8>) -> Option<Stops> {
    let mut stops = [0; 6];
    let mut last = 0;
    let mut bytes = bytes.into_iter();
    for stop in &mut stops {
        // Where there are fewer, one is looked for twice.
        last = bytes.next().unwrap_or(last);
        *stop = u64::from(last) * ONES;
    }
    bytes.next().is_none().then_some(stops)
}

/// The first byte from `at` on that is one of these.
#[inline]
pub(super) fn stop(bytes: &[u8], at: usize, stops: &Stops) -> usize {
    // Behind a byte that is zero others may seem to be, but never in front of it.
    let zeros = |eight: u64| eight.wrapping_sub(ONES) & !eight & HIGH;
    end(bytes, at, |eight| stops.iter().fold(0, |found, stop| found | zeros(eight ^ stop)))
}

/// The first byte from `at` on in which `others` has a bit, lowest byte first.
#[inline]
fn end(bytes: &[u8], mut at: usize, others: impl Fn(u64) -> u64) -> usize {
    while let Some(eight) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let others = others(u64::from_le_bytes(*eight));
        if others != 0 {
            return at + others.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let rest = bytes.get(at..).unwrap_or(&[]);
    let mut last = [0; 8];
    for (one, byte) in last.iter_mut().zip(rest) {
        *one = *byte;
    }
    at + rest.len().min(others(u64::from_le_bytes(last)).trailing_zeros() as usize / 8)
}

/// The highest bit of each byte that is a letter, a digit, `_`, or not ASCII.
#[inline]
fn in_word(eight: u64) -> u64 {
    let low = eight & !HIGH;
    let folded = low | (0x20 * ONES);
    // Bytes below 0x80 don't carry into the next one here.
    let from = |bytes: u64, least: u8| bytes + u64::from(0x80 - least) * ONES;
    let letter = from(folded, b'a') & !from(folded, b'z' + 1);
    let digit = from(low, b'0') & !from(low, b'9' + 1);
    let underscore = !from(low ^ (u64::from(b'_') * ONES), 1);
    (eight | letter | digit | underscore) & HIGH
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_is_judged_alone() {
        for byte in 0..=255_u8 {
            let is_word = byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
            for at in 0..12 {
                for length in at + 1..14 {
                    let mut bytes = vec![b'a'; length];
                    *bytes.get_mut(at).unwrap() = byte;
                    assert_eq!(word_end(&bytes, 0), if is_word { length } else { at }, "{byte} at {at}");
                    let mut bytes = vec![b' '; length];
                    *bytes.get_mut(at).unwrap() = byte;
                    assert_eq!(spaces_end(&bytes, 0), if byte == b' ' { length } else { at });
                }
            }
        }
        assert_eq!(word_end(b"ab", 2), 2);
    }

    #[test]
    fn the_first_stop_is_found_wherever_it_stands() {
        assert_eq!(stops(*b"{}\"'/#%"), None);
        let stops = stops(*b"{}\"").unwrap();
        for byte in 1..=255_u8 {
            for at in 0..20 {
                let mut bytes = vec![b'|'; 21];
                *bytes.get_mut(at).unwrap() = byte;
                let found = if b"{}\"".contains(&byte) { at } else { 20 };
                *bytes.get_mut(20).unwrap() = b'}';
                assert_eq!(stop(&bytes, 0, &stops), found, "{byte} at {at}");
                bytes.pop();
                assert_eq!(stop(&bytes, 0, &stops), found, "{byte} at {at}");
            }
        }
    }
}
