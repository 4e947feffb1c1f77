//! Which of some words was probably meant.

/// The candidate that is nearest to a word, if one is near enough to be a slip of the keyboard; else the only one that has all its
/// parts, as `growing-table-scan` has those of `growing-scan`.
pub fn near<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str> + Clone) -> Option<&'a str> {
    let parts: Vec<&str> = word.split(['-', '_']).collect();
    let has_all = |candidate: &&str| {
        parts.len() > 1 && parts.iter().all(|part| candidate.split(['-', '_']).any(|one| one == *part))
    };
    let mut longer = candidates.clone().into_iter().filter(has_all);
    if let (Some(only), None) = (longer.next(), longer.next()) {
        return Some(only);
    }
    let allowed = 1 + word.chars().count() / 4;
    candidates
        .into_iter()
        .map(|candidate| (distance(&word.to_lowercase(), &candidate.to_lowercase()), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min()
        .map(|(_, candidate)| candidate)
}

/// The number of characters to insert, delete or replace to get from one word to the other.
fn distance(from: &str, to: &str) -> usize {
    let mut row: Vec<usize> = (0..=to.chars().count()).collect();
    for (above, a) in from.chars().enumerate() {
        let mut diagonal = above;
        let mut left = above + 1;
        let mut next = vec![left];
        for (b, &up) in to.chars().zip(row.iter().skip(1)) {
            left = (diagonal + usize::from(a != b)).min(left + 1).min(up + 1);
            diagonal = up;
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_recognised_and_another_word_is_not() {
        let keys = ["name", "migrations", "growing", "rule-folders"];
        assert_eq!(near("migratons", keys), Some("migrations"));
        assert_eq!(near("grwoing", keys), Some("growing"));
        let rules = ["growing-sort", "growing-table-scan", "wide-search"];
        assert_eq!(near("growing-scan", rules), Some("growing-table-scan"));
        assert_eq!(near("rule_folders", keys), Some("rule-folders"));
        assert_eq!(near("Name", keys), Some("name"));
        assert_eq!(near("bounded", keys), None);
        assert_eq!(near("id", ["is"]), Some("is"));
    }

    #[test]
    fn distances_are_symmetric() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("sitting", "kitten"), 3);
        assert_eq!(distance("", "abc"), 3);
    }
}
