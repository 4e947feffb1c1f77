//! What is written is read again, what is wrong is said with its place, and of a row of statistics only numbers are kept.

use super::*;

fn refused(text: &str) -> (String, String) {
    match FileStatistics::parse("planlint.stats.toml", text).unwrap_err() {
        ConfigError::Invalid { text, span, message, .. } | ConfigError::Parse { text, span, message, .. } => {
            (text.get(span).unwrap().to_owned(), message)
        }
        other @ ConfigError::Read { .. } => panic!("{other}"),
    }
}

#[test]
fn what_is_written_is_read_again() {
    let index = IndexStatistics {
        name: "odd \"name\"\n".to_owned(),
        entries: 4000,
        bytes: 65_536,
        stat1: Some("4000 10 1".to_owned()),
        distinct: vec![400, 4000],
        samples: 24,
        most: vec![90, 1],
    };
    let table = TableStatistics {
        name: "blocks\\".to_owned(),
        rows: 4000,
        error: 12,
        bytes: 1 << 40,
        row_bytes: 80,
        stat1: Some("4000".to_owned()),
        indexes: vec![index],
        ..TableStatistics::default()
    };
    let written = FileStatistics {
        date: "2026-11-22".to_owned(),
        page_size: 4096,
        pages: 9,
        tables: vec![table, TableStatistics { name: "empty".to_owned(), ..TableStatistics::default() }],
        ..FileStatistics::default()
    };
    let mut read = FileStatistics::parse("a", &written.render()).unwrap();
    (read.path, read.text) = (String::new(), String::new());
    read.tables.iter_mut().for_each(|table| table.span = 0..0);
    assert_eq!(read, written);
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    assert_eq!(refused("version = 2").0, "2");
    let (at, message) = refused("version = 1\n[[table]]\nname = \"t\"\nrows = 1\nbites = 2");
    assert_eq!((at.as_str(), message.as_str()), ("bites", "unknown key `bites`"));
    let twice = "version = 1\n[[table]]\nname = \"t\"\nrows = 1\n[[table]]\nname = \"T\"\nrows = 1";
    assert_eq!(refused(twice), ("\"T\"".to_owned(), "a second table `T`".to_owned()));
    let stat = "version = 1\n[[table]]\nname = \"t\"\nrows = 1\nstat1 = \"many\"";
    assert_eq!(refused(stat).0, "\"many\"");
    assert!(refused("version = 1\n[[table").1.len() > 3);
}

#[test]
fn of_a_row_of_statistics_only_numbers_are_kept() {
    assert_eq!(numbers("400 20 1").as_deref(), Some("400 20 1"));
    assert_eq!(numbers("400 20 sz=12 unordered me@example.org").as_deref(), Some("400 20 sz=12 unordered"));
    assert_eq!(numbers("secret 400"), None);
    assert_eq!(numbers(""), None);
    assert_eq!(numbers("-4 1"), None);
}

#[test]
fn statistics_of_few_rows_are_never_old() {
    let of = |rows, error, stat: &str| {
        let stat1 = Some(stat.to_owned());
        TableStatistics { rows, error, stat1, ..TableStatistics::default() }.is_stale()
    };
    assert_eq!(of(90, 0, "1"), Some(false));
    assert_eq!(of(1000, 0, "400"), Some(true));
    assert_eq!(of(1000, 250, "400"), Some(false));
    assert_eq!(of(1000, 0, "2001"), Some(true));
    assert_eq!(TableStatistics::default().is_stale(), None);
}
