//! Which table the name of a value tells, by the words that it is made of.

/// The table whose words a name ends with, where there is one: `sqlTableOpenOrders` is no other table than `open_orders`; of a call, the
/// one that it is given first.
pub(super) fn told(name: &str, tables: Vec<String>) -> (Vec<String>, Vec<String>) {
    // `songsTable` and `songs_table_name` are the table of songs.
    const KINDS: [&[&str]; 4] = [&["table"], &["tbl"], &["tablename"], &["table", "name"]];
    if let Some(argument) = argument(name)
        && tables.iter().any(|table| table.trim_matches('"').eq_ignore_ascii_case(argument))
    {
        return tables.into_iter().partition(|table| table.trim_matches('"').eq_ignore_ascii_case(argument));
    }
    let mut own = name_words(name);
    let is_table =
        |own: &[String]| tables.iter().any(|table| own.ends_with(&name_words(table.trim_matches('"'))));
    let kind = KINDS.iter().find(|kind| own.len() > kind.len() && own.ends_with(&words_of(kind)));
    if let Some(kind) = kind.filter(|_| !is_table(&own)) {
        own.truncate(own.len() - kind.len());
    }
    let fits = |table: &String| {
        let words = name_words(table.trim_matches('"'));
        own.ends_with(&words).then_some(words.len())
    };
    let longest = tables.iter().filter_map(fits).max();
    let Some(longest) = longest else { return (tables, Vec::new()) };
    tables.into_iter().partition(|table| fits(table) == Some(longest))
}

/// The text that the call which makes a value is given first: `table_name('ships', true)`.
fn argument(name: &str) -> Option<&str> {
    let (_, behind) = name.split_once('(')?;
    let quote = behind.chars().next().filter(|first| ['\'', '"'].contains(first))?;
    let (argument, rest) = behind.get(1..)?.split_once(quote)?;
    rest.trim_start().starts_with([',', ')']).then_some(argument)
}

/// Some words as [`name_words`] has them.
fn words_of(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

/// The words of a name, in lower case: `openOrders` and `open_orders` have the same.
pub fn name_words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    let mut was_lower = false;
    for one in name.chars() {
        let starts = !one.is_alphanumeric() || (one.is_uppercase() && was_lower);
        if starts && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if one.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(one.to_lowercase());
        }
        was_lower = one.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}
