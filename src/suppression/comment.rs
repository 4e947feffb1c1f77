//! The words of a comment that accepts findings: `planlint: allow(rule, rule) reason`. Knows the words; knows neither
//! where the comment stands nor which rules there are.

use crate::extract::comments::MARK;

/// What a comment says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Said {
    pub rules: Vec<String>,
    /// Whether it is about the whole file.
    pub is_for_file: bool,
    pub until: Option<String>,
    pub bounded: Option<u64>,
    pub reason: Option<String>,
    /// Why it can't be followed.
    pub fault: Option<String>,
}

const FORM: &str = "write `planlint: allow(rule) reason`, or `allow-file` for all of the file";

/// Reads a comment from the mark on.
pub(super) fn parse(text: &str) -> Said {
    let mut said = Said::default();
    if let Err(fault) = said.read(text) {
        said.fault = Some(fault);
    }
    said
}

impl Said {
    fn read(&mut self, text: &str) -> Result<(), String> {
        let body = text.strip_prefix(MARK).unwrap_or(text).trim();
        let listed = body.split_once('(').and_then(|(verb, rest)| Some((verb.trim(), rest.split_once(')')?)));
        let Some((verb, (inside, behind))) = listed else {
            return Err(format!("`{body}` is nothing that a comment can say: {FORM}"));
        };
        self.is_for_file = match verb {
            "allow" => false,
            "allow-file" => true,
            _ => return Err(format!("`{verb}` is nothing that a comment can say: {FORM}")),
        };
        for word in inside.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            match word.split_once('=') {
                Some((key, value)) => self.claim(key.trim(), value.trim())?,
                None => self.rules.push(word.to_owned()),
            }
        }
        let mut reason = behind.trim_start_matches([':', ' ', '\t']);
        // What is claimed may stand in front of the reason as well.
        while let Some((key, value, rest)) = leading_claim(reason) {
            self.claim(key, value)?;
            reason = rest;
        }
        let mut reason = reason.trim();
        // And behind it, as the last words.
        while let Some((key, value, rest)) = trailing_claim(reason) {
            self.claim(key, value)?;
            reason = rest;
        }
        self.reason = (!reason.is_empty()).then(|| reason.to_owned());
        if self.rules.is_empty() {
            return Err(format!("it names no rule: {FORM}"));
        }
        Ok(())
    }

    fn claim(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key {
            "until" if is_day(value) => self.until = Some(value.to_owned()),
            "until" => return Err(format!("`{value}` is no day: write `until=2027-12-31`")),
            "bounded" => match value.replace('_', "").parse() {
                Ok(rows) => self.bounded = Some(rows),
                Err(_) => return Err(format!("`{value}` is no number of rows: write `bounded=1000`")),
            },
            _ => return Err(format!("`{key}=` is no claim that can be checked: until= and bounded= are")),
        }
        Ok(())
    }
}

/// A claim in front of a text: key, value, and the rest.
fn leading_claim(text: &str) -> Option<(&str, &str, &str)> {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let (key, value) = word.split_once('=')?;
    matches!(key, "until" | "bounded").then(|| (key, value.trim_end_matches([',', ';']), rest.trim_start()))
}

/// A claim that ends a text: key, value, and what stands in front.
fn trailing_claim(text: &str) -> Option<(&str, &str, &str)> {
    let (rest, word) = text.rsplit_once(char::is_whitespace).unwrap_or(("", text));
    let (key, value, _) = leading_claim(word.trim_start_matches('(').trim_end_matches([')', '.']))?;
    Some((key, value, rest.trim_end().trim_end_matches([',', ';', ':'])))
}

/// Whether a text is a day, as `YYYY-MM-DD`.
fn is_day(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts.as_slice() else { return false };
    let number = |part: &str, length: usize| {
        let digits = part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| part.parse::<u32>().ok()).flatten()
    };
    match (number(year, 4), number(month, 2), number(day, 2)) {
        (Some(year), Some(month), Some(day)) => {
            let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let days = match month {
                2 => 28 + u32::from(leap),
                4 | 6 | 9 | 11 => 30,
                1..=12 => 31,
                _ => 0,
            };
            (1..=days).contains(&day)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_claims_and_the_reason_are_read() {
        let said = parse("planlint: allow(wide-search, full-read) the admin asks once a year");
        assert_eq!(said.rules, ["wide-search", "full-read"]);
        assert_eq!(said.reason.as_deref(), Some("the admin asks once a year"));
        assert!(!said.is_for_file && said.fault.is_none());
        for text in [
            "planlint: allow(wide-search, until=2027-01-31, bounded=1_000) few peers",
            "planlint: allow(wide-search) until=2027-01-31 bounded=1000 few peers",
            "planlint:allow(wide-search): bounded=1000, until=2027-01-31 few peers",
            "planlint: allow(wide-search) few peers, until=2027-01-31 bounded=1000",
            "planlint: allow(wide-search) bounded=1000 few peers (until=2027-01-31)",
        ] {
            let said = parse(text);
            assert_eq!(said.until.as_deref(), Some("2027-01-31"), "{text}");
            assert_eq!((said.bounded, said.reason.as_deref()), (Some(1000), Some("few peers")), "{text}");
        }
        let said = parse("planlint: allow(wide-search) peers with until=never are few");
        assert_eq!((said.until, said.reason.is_some_and(|said| said.contains("until="))), (None, true));
        assert!(parse("planlint: allow-file(wide-search) a tool").is_for_file);
        assert_eq!(parse("planlint: allow(wide-search)").reason, None);
    }

    #[test]
    fn what_can_not_be_followed_says_why() {
        for (text, fault) in [
            ("planlint: ignore(wide-search) why", "`ignore` is nothing that a comment can say"),
            ("planlint: allow wide-search", "`allow wide-search` is nothing that a comment can say"),
            ("planlint: allow() why", "it names no rule"),
            ("planlint: allow(a, until=tomorrow) why", "`tomorrow` is no day"),
            ("planlint: allow(a, until=2027-13-01) why", "`2027-13-01` is no day"),
            ("planlint: allow(a, until=2027-02-29) why", "`2027-02-29` is no day"),
            ("planlint: allow(a) bounded=few why", "`few` is no number of rows"),
            ("planlint: allow(a) why until=spring", "`spring` is no day"),
            ("planlint: allow(a, size=3) why", "`size=` is no claim"),
        ] {
            let said = parse(text);
            assert!(said.fault.as_ref().is_some_and(|said| said.starts_with(fault)), "{text}: {said:?}");
        }
    }
}
