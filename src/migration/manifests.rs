//! What a program's packages say of the SQLite that they build, which may enforce foreign keys from the start, and of the
//! drivers of other systems; and which packages use which. Knows manifests line by line; which package a file belongs to is for `servers` to say.

use crate::source::{Site, Sources};

/// A kind of manifest, by the end of its name, and what stands in one that says something of the SQLite it builds.
const KINDS: [(&str, &str); 2] = [(OF_CARGO, "\"bundled"), ("package.json", "\"better-sqlite3\"")];

const OF_CARGO: &str = "Cargo.toml";

/// The drivers of servers as the manifests of each kind, by the end of its name, write them.
const DRIVERS: [(&str, &[&str]); 12] = [
    (OF_CARGO, &["postgres", "mysql", "mssql", "tiberius", "clickhouse"]),
    (
        "package.json",
        &[
            "\"pg\":",
            "\"pg-promise\":",
            "\"postgres\":",
            "\"mysql\":",
            "\"mysql2\":",
            "\"mariadb\":",
            "\"mssql\":",
            "\"tedious\":",
            "\"@neondatabase/serverless\":",
            "\"@vercel/postgres\":",
        ],
    ),
    (
        "go.mod",
        &[
            "github.com/lib/pq ",
            "github.com/jackc/pgx",
            "github.com/go-pg/pg",
            "github.com/go-sql-driver/mysql",
            "gorm.io/driver/postgres",
            "gorm.io/driver/mysql",
            "go-mssqldb",
            "clickhouse-go",
        ],
    ),
    ("pyproject.toml", OF_PYTHON),
    ("requirements.txt", OF_PYTHON),
    ("Pipfile", OF_PYTHON),
    ("pom.xml", OF_JAVA),
    ("build.gradle", OF_JAVA),
    ("composer.json", &["\"ext-pgsql\"", "\"ext-pdo_pgsql\"", "\"ext-mysqli\"", "\"ext-pdo_mysql\""]),
    (
        "Gemfile",
        &["gem \"pg\"", "gem 'pg'", "gem \"mysql2\"", "gem 'mysql2'", "gem \"trilogy\"", "gem 'trilogy'"],
    ),
    (
        ".csproj",
        &["\"Npgsql", "\"MySql", "\"Pomelo.", "\"Microsoft.Data.SqlClient\"", "\"System.Data.SqlClient\""],
    ),
    ("pubspec.yaml", &["  postgres:", "  mysql1:", "  mysql_client:"]),
];

const OF_PYTHON: &[&str] = &[
    "psycopg",
    "asyncpg",
    "aiopg",
    "pg8000",
    "pymysql",
    "PyMySQL",
    "mysqlclient",
    "aiomysql",
    "mysql-connector",
];
const OF_JAVA: &[&str] = &["postgresql", "mysql-connector", "mariadb-java-client", "mssql-jdbc", "ojdbc"];

/// What a manifest names that has something of SQLite, in lower case: a driver of it, or what may be one.
const OF_SQLITE: [&str; 14] = [
    "sqlite",
    "libsql",
    "turso",
    "sqflite",
    "drift",
    "wrangler",
    "apsw",
    "grdb",
    "rqlite",
    "sql.js",
    "androidx.room",
    "sqldelight",
    "\"any\"",
    "sqlcipher",
];

/// The packages of Rust that hand the wish for a SQLite of their own on.
const OF_RUST: [&str; 4] = ["rusqlite", "libsqlite3-sys", "r2d2_sqlite", "tokio-rusqlite"];

/// The packages of Rust that speak to several systems, as their features say.
const OF_MANY: [&str; 9] = [
    "sqlx",
    "diesel",
    "diesel-async",
    "diesel_migrations",
    "sea-orm",
    "sea-query-binder",
    "refinery",
    "deadpool-diesel",
    "toasty",
];

fn kind(path: &str) -> Option<&'static (&'static str, &'static str)> {
    let name = file_name(path);
    KINDS.iter().find(|(file, _)| *file == name)
}

/// The name of a file; of a build that is written in Kotlin, that of one which is not.
fn file_name(path: &str) -> &str {
    let file = path.rsplit('/').next().unwrap_or(path);
    file.strip_suffix(".kts").unwrap_or(file)
}

fn drivers(path: &str) -> Option<&'static [&'static str]> {
    // It is asked for each file again and again: most have another letter at the end.
    let ends_alike = |name: &str| name.as_bytes().last() == path.as_bytes().last();
    if !DRIVERS.iter().any(|(name, _)| ends_alike(name)) && !path.as_bytes().ends_with(b".kts") {
        return None;
    }
    let file = file_name(path);
    let is_it = |name: &str| file == name || (name.starts_with('.') && file.ends_with(name));
    DRIVERS.iter().find(|(name, _)| is_it(name)).map(|(_, drivers)| *drivers)
}

/// Whether a path is that of a manifest.
pub(super) fn is_one(path: &str) -> bool {
    drivers(path).is_some()
}

/// Whether a file is worth keeping: it is no manifest, or one that says something, as each of Rust does of its package.
pub(super) fn tells(path: &str, text: &str) -> bool {
    let builds = || kind(path).is_some_and(|(name, word)| *name == OF_CARGO || text.contains(word));
    drivers(path).is_none_or(|drivers| builds() || drivers.iter().any(|driver| text.contains(driver)))
}

/// The folders of the packages of Rust that depend on the one in a folder, for more than their tests.
pub fn dependents<'a>(sources: &'a Sources, folder: &str) -> Vec<&'a str> {
    let own = if folder.is_empty() { OF_CARGO.to_owned() } else { format!("{folder}/{OF_CARGO}") };
    let Some((_, manifest)) = sources.find(&own) else { return Vec::new() };
    let Some(name) = package_name(manifest.text()) else { return Vec::new() };
    let others = sources.iter().filter(|(_, source)| {
        is_cargo(&source.path) && source.path != own && depends_on(source.text(), name)
    });
    others.map(|(_, source)| source.path.trim_end_matches(OF_CARGO).trim_end_matches('/')).collect()
}

fn is_cargo(path: &str) -> bool {
    kind(path).is_some_and(|(name, _)| *name == OF_CARGO)
}

/// The lines of a manifest with the section that each stands in.
fn lines(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut section = "";
    text.lines().map(move |line| {
        if let Some(head) = line.trim().strip_prefix('[') {
            section = head.trim_end_matches(']');
        }
        (section, line)
    })
}

fn package_name(text: &str) -> Option<&str> {
    let mut own = lines(text).filter(|(section, _)| *section == "package");
    own.find_map(|(_, line)| {
        let (key, value) = line.split_once('=')?;
        (key.trim() == "name").then(|| value.trim().trim_matches(['"', '\'']))
    })
}

/// Whether a manifest has a dependency of this name, or one that is called otherwise there.
fn depends_on(text: &str, name: &str) -> bool {
    if !text.contains(name) {
        return false;
    }
    let renamed = format!("package = \"{name}\"");
    lines(text).any(|(section, line)| {
        let Some(rest) = section.strip_prefix("dependencies") else { return false };
        let key = if rest.is_empty() { line.split(['=', '.']).next().unwrap_or("") } else { rest };
        key.trim_matches(['.', '"', ' ']) == name || line.contains(&renamed)
    })
}

/// Whether the package of a manifest has drivers of servers, and none of SQLite. `above` is the text of each manifest of its
/// kind in the folders above.
pub(super) fn has_servers_alone<'t>(path: &str, text: &str, above: impl Iterator<Item = &'t str>) -> bool {
    let speaks_of = |text: &str| {
        let lower = text.to_ascii_lowercase();
        OF_SQLITE.iter().any(|word| lower.contains(word))
    };
    if speaks_of(text) {
        return false;
    }
    if file_name(path) != OF_CARGO {
        let mut own = text.lines().filter(|line| !line.contains("// indirect"));
        let is_driver = |line: &str, all: &[&str]| all.iter().any(|one| line.contains(one));
        return drivers(path).is_some_and(|all| own.any(|line| is_driver(line, all)));
    }
    let taken: Vec<&str> = inherited(text).collect();
    let features: Vec<&str> = above
        .flat_map(dependencies)
        .filter(|(key, ..)| taken.contains(key))
        .map(|(_, _, line)| line)
        .collect();
    let is_server = |line: &str| ["\"postgres", "\"mysql", "\"mssql"].iter().any(|word| line.contains(word));
    let own = dependencies(text).any(
        |(key, _, line)| {
            if OF_MANY.contains(&key) { is_server(line) } else { is_driver(key) }
        },
    );
    !features.iter().any(|line| speaks_of(line)) && (own || features.iter().any(|line| is_server(line)))
}

/// The packages for several systems whose features are those of the workspace, too.
fn inherited(text: &str) -> impl Iterator<Item = &str> {
    let own = dependencies(text).filter(|(key, _, line)| OF_MANY.contains(key) && line.contains("workspace"));
    own.map(|(key, ..)| key)
}

/// Whether a package of Rust is a driver of a server.
fn is_driver(key: &str) -> bool {
    key.split(['-', '_']).any(|part| ["postgres", "mysql", "mssql", "tiberius", "clickhouse"].contains(&part))
}

/// Where a package of Rust is built with a SQLite of its own, and where better-sqlite3 is one of JavaScript: the first place
/// of each.
pub fn built_in(sources: &Sources, file: &str) -> Option<Site> {
    sources.iter().find_map(|(id, source)| {
        let (name, word) = kind(&source.path).filter(|(name, _)| *name == file)?;
        let at = if *name == OF_CARGO { bundles(source.text()) } else { source.text().find(word) };
        at.map(|at| Site::at(id, at))
    })
}

/// Where a manifest of Rust has a package build its own SQLite, for all that it is run on.
fn bundles(text: &str) -> Option<usize> {
    let asks = |line: &str| {
        let mut words = line.match_indices("\"bundled").filter_map(|(at, _)| line.get(at + 1..));
        words.any(|word| !word.starts_with("bundled-windows"))
    };
    let mut all = dependencies(text);
    all.find(|(key, _, line)| OF_RUST.contains(key) && asks(line)).map(|(_, start, _)| start)
}

/// The lines of a manifest of Rust on what a package is built with everywhere, without comments: whose each is, and where it
/// begins.
fn dependencies(text: &str) -> impl Iterator<Item = (&str, usize, &str)> {
    let mut at = 0;
    let (mut is_wanted, mut ours, mut has_head) = (false, "", false);
    text.split_inclusive('\n').filter_map(move |line| {
        let start = at;
        at += line.len();
        let line = line.split('#').next().unwrap_or(line);
        let key = line.split(['=', '.']).next().unwrap_or("").trim().trim_matches('"');
        if let Some(section) = line.strip_prefix('[') {
            let section = section.trim_end().trim_end_matches(']');
            // Those of tests, of what builds, and of one system alone are none of the program everywhere.
            let rest = section.strip_prefix("workspace.").unwrap_or(section).strip_prefix("dependencies");
            is_wanted = rest.is_some();
            let head = rest.and_then(|rest| rest.strip_prefix('.'));
            has_head = head.is_some();
            ours = head.unwrap_or("").trim_matches('"');
            return (is_wanted && has_head).then_some((ours, start, line));
        }
        let is_key = is_wanted && line.contains('=') && !line.starts_with([' ', '\t']);
        // Below a head of its own, the keys of a package are the package's.
        if is_key && !has_head {
            ours = key;
        }
        (is_wanted && !ours.is_empty()).then_some((ours, start, line))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_bundles_where_a_feature_of_its_dependency_says_so() {
        let inline =
            "[dependencies]\nserde = \"1\"\nrusqlite = { version = \"0.37\", features = [\"bundled\"] }\n";
        assert_eq!(bundles(inline), inline.find("rusqlite"));
        assert!(
            bundles("[workspace.dependencies]\nrusqlite = { features = [\n    \"bundled-full\",\n] }\n")
                .is_some()
        );
        assert!(
            bundles("[dependencies.libsqlite3-sys]\nversion = \"0.30\"\nfeatures = [\"bundled\"]\n")
                .is_some()
        );
        for other in [
            "[dependencies]\nrusqlite = \"0.37\"\nzstd = { features = [\"bundled\"] }\n",
            "[dev-dependencies]\nrusqlite = { features = [\"bundled\"] }\n",
            "[target.'cfg(windows)'.dependencies]\nrusqlite = { features = [\"bundled\"] }\n",
            "[dependencies]\nrusqlite = { features = [\"bundled-windows\"] }\n",
            "[dependencies]\n# rusqlite = { features = [\"bundled\"] }\n",
            "[features]\nbundled = [\"rusqlite/bundled\"]\n",
        ] {
            assert_eq!(bundles(other), None, "{other}");
        }
    }

    #[test]
    fn drivers_tell_whether_a_package_speaks_to_servers_alone() {
        let alone = |path: &str, text: &str| has_servers_alone(path, text, std::iter::empty());
        for (path, text) in [
            ("a/Cargo.toml", "[dependencies]\nsqlx = { version = \"0.8\", features = [\"postgres\"] }\n"),
            ("a/Cargo.toml", "[dependencies.diesel]\nversion = \"2\"\nfeatures = [\n \"postgres\",\n]\n"),
            ("a/Cargo.toml", "[dependencies]\ntokio-postgres = \"0.7\"\n"),
            ("package.json", "{\"dependencies\": {\n\"pg\": \"^8\"\n}}"),
            ("go.mod", "require (\n\tgithub.com/jackc/pgx/v5 v5.1.0\n)\n"),
            ("b/Pay.csproj", "<PackageReference Include=\"Npgsql\" />"),
            ("app/build.gradle.kts", "implementation(\"org.postgresql:postgresql:42\")"),
        ] {
            assert!(alone(path, text), "{path}: {text}");
        }
        for (path, text) in [
            ("Cargo.toml", "[dependencies]\nsqlx = { features = [\"postgres\", \"sqlite\"] }\n"),
            ("Cargo.toml", "[dependencies]\nsqlx = { features = [\"postgres\", \"any\"] }\n"),
            ("Cargo.toml", "[dev-dependencies]\npostgres = \"0.19\"\n"),
            ("Cargo.toml", "[dependencies]\ndiesel = { version = \"2\" }\n"),
            ("package.json", "{\"dependencies\": {\"pg\": \"8\", \"better-sqlite3\": \"11\"}}"),
            ("go.mod", "github.com/jackc/pgx/v5 v5.1.0 // indirect\n"),
            ("src/notes.txt", "psycopg"),
        ] {
            assert!(!alone(path, text), "{path}: {text}");
        }
        let own = "[dependencies]\nsqlx = { workspace = true }\n";
        let above =
            |features: &str| format!("[workspace.dependencies]\nsqlx = {{ features = [{features}] }}\n");
        assert!(has_servers_alone("a/Cargo.toml", own, std::iter::once(above("\"postgres\"").as_str())));
        let both = above("\"postgres\", \"sqlite\"");
        assert!(!has_servers_alone("a/Cargo.toml", own, std::iter::once(both.as_str())));
        assert!(!alone("a/Cargo.toml", own));
    }
}
