//! Files of SQL for engines that SQLite does not resemble: told by words that it refuses wherever they stand. Knows a few words of
//! theirs; what SQLite takes as well is taken for its own.

use crate::extract::sql::comments;

/// Whether a text makes tables in the words of another engine alone.
pub fn is_of_another(sql: &str) -> bool {
    // Most texts have none of the words.
    if !["LOCALIZABLE", "localizable", "KEY `", "key `", "KEY \"", "key \""]
        .iter()
        .any(|word| sql.contains(word))
    {
        return false;
    }
    let code = without_comments(sql).to_ascii_lowercase();
    let mut tables = code.match_indices("create table ").map(|(at, _)| at).peekable();
    let mut all = tables.peek().is_some();
    while let Some(start) = tables.next() {
        let end = tables.peek().copied().unwrap_or(code.len());
        all &= code.get(start..end).is_some_and(is_of_installer);
    }
    all
}

/// Whether a table is one of a Windows installer: its key is named without brackets, or texts of it may be translated.
fn is_of_installer(table: &str) -> bool {
    const KEY: &str = "primary key ";
    let key = table.match_indices(KEY).any(|(at, _)| {
        table.get(at + KEY.len()..).is_some_and(|rest| rest.trim_start().starts_with(['`', '"']))
    });
    let translated = table.match_indices(" localizable").any(|(at, _)| {
        table.get(..at).is_some_and(|before| before.trim_end().ends_with(')') || before.ends_with(" null"))
    });
    key || translated
}

fn without_comments(sql: &str) -> String {
    let mut code = String::with_capacity(sql.len());
    let mut at = 0;
    for (start, end) in comments(sql) {
        code.push_str(sql.get(at..start).unwrap_or(""));
        at = end;
    }
    code.push_str(sql.get(at..).unwrap_or(""));
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_an_installer_are_told_from_those_of_sqlite() {
        for sql in [
            "-- permissions\nCREATE TABLE `Locks` (`Id` CHAR(72) NOT NULL, `Part` CHAR(72) PRIMARY KEY `Id`, `Part`)\n",
            "CREATE TABLE `Texts` (`Id` SHORT NOT NULL, `Text` CHAR(255) NOT NULL LOCALIZABLE PRIMARY KEY `Id`)",
        ] {
            assert!(is_of_another(sql), "{sql}");
        }
        for sql in [
            "-- primary key `Id`\nCREATE TABLE `Locks` (`Id` CHAR(72) NOT NULL PRIMARY KEY, `Part` TEXT)",
            "CREATE TABLE a (b, c, PRIMARY KEY (\"b\", \"c\"))",
            "INSERT INTO a SELECT 'PRIMARY KEY `b`'",
            "CREATE TABLE a (localizable TEXT)",
        ] {
            assert!(!is_of_another(sql), "{sql}");
        }
    }
}
