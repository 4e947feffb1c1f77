//! The page of an audit, in a browser: at two widths, light and dark. `.ci/outside-tools` installs one.

use crate::printed;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What else than its looks would start a browser's own traffic.
const QUIET: [&str; 10] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--enable-logging=stderr",
    "--dump-dom",
];

const SQL: &str = r#"
    CREATE TABLE events (id INTEGER PRIMARY KEY, name TEXT, came_at INTEGER);
    CREATE TABLE "<script>document.title = 'broken'</script>" (a);
    CREATE TABLE a_table_whose_name_is_longer_than_any_narrow_screen_is_wide_and_has_no_space (a);
    CREATE INDEX an_index_whose_name_is_longer_than_any_narrow_screen_is_wide_and_has_none ON events (name, came_at);
    INSERT INTO a_table_whose_name_is_longer_than_any_narrow_screen_is_wide_and_has_no_space VALUES (1);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000)
    INSERT INTO events SELECT i, hex(randomblob(9)), 1700000000 + i * 600 FROM n;"#;

const PROGRAM: &str = "def put(db, e):\n    db.execute('INSERT INTO events (name, came_at) VALUES (?, ?)', e)\n\n\n\
    def of(db, name):\n    return db.execute('SELECT id FROM events WHERE name = ? AND came_at > ?', (name, 1)).fetchall()\n\n\n\
    def at(db, at):\n    return db.execute('SELECT name FROM events WHERE came_at = ?', (at,)).fetchall()\n";

fn browser() -> PathBuf {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = env::split_paths(&path).collect();
    let names = ["chromium", "chromium-browser", "google-chrome", "chrome"];
    let paths = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    let found = paths.into_iter().find(|path| path.is_file());
    found.expect("a browser, such as Chromium: .ci/outside-tools installs one")
}

/// What the browser makes of a page, and what it says of it.
fn shown(browser: &Path, page: &Path, width: u32, scheme: u32) -> String {
    let user = tempfile::tempdir().unwrap();
    let output = Command::new(browser)
        .args(QUIET)
        .arg(format!("--user-data-dir={}", user.path().display()))
        .arg(format!("--window-size={width},900"))
        .arg(format!("--blink-settings=preferredColorScheme={scheme}"))
        .arg(format!("file://{}", page.display()))
        .output()
        .unwrap_or_else(|error| panic!("{}: {error}", browser.display()));
    printed(&output)
}

fn page(folder: &Path) -> PathBuf {
    let file = folder.join("a.db");
    rusqlite::Connection::open(&file).unwrap().execute_batch(SQL).unwrap();
    let tree = folder.join("tree");
    fs::create_dir_all(tree.join("migrations")).unwrap();
    let schema = "CREATE TABLE events (id INTEGER PRIMARY KEY, name TEXT, came_at INTEGER);\n\
        CREATE INDEX events_came_at ON events (came_at);\n";
    fs::write(tree.join("migrations/0001_init.sql"), schema).unwrap();
    fs::write(tree.join("events.py"), PROGRAM).unwrap();
    let page = folder.join("report.html");
    let output = Command::new(env!("CARGO_BIN_EXE_planlint"))
        .arg("audit")
        .arg(file)
        .arg("--source")
        .arg(tree)
        .arg("--html")
        .arg(&page)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", printed(&output));
    page
}

#[test]
fn a_browser_shows_the_page_and_has_nothing_to_say() {
    let browser = browser();
    let folder = tempfile::tempdir().unwrap();
    let page = page(folder.path());
    let text = shown(&browser, &page, 1280, 1);
    assert!(text.contains("<polyline") && text.contains("events_came_at on events"), "{text}");
    assert!(text.contains("&lt;script&gt;") && !text.contains("CONSOLE"), "{text}");
    // What would be loaded is refused, and the browser says so.
    let written = fs::read_to_string(&page).unwrap();
    let broken = folder.path().join("broken.html");
    fs::write(&broken, written.replace("<footer>", "<footer><img src=\"http://127.0.0.1:9/x\">")).unwrap();
    assert!(shown(&browser, &broken, 1280, 1).contains("CONSOLE"));
}

#[test]
fn nothing_is_wider_than_the_screen_and_dark_is_dark() {
    let browser = browser();
    let folder = tempfile::tempdir().unwrap();
    let page = page(folder.path());
    let written = fs::read_to_string(&page).unwrap();
    // A page that measures itself; ours has no script, and allows none.
    let policy = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">";
    assert!(written.contains(policy));
    let script = "<script>parent.document.title = 'is ' + document.documentElement.scrollWidth + ' of ' + innerWidth + ' on ' \
        + getComputedStyle(document.body).backgroundColor + ';'</script></body>";
    let measuring = folder.path().join("measuring.html");
    let inner = written.replace(policy, "").replace("</body>", script);
    let inner = inner.replace('&', "&amp;").replace('"', "&quot;");
    for width in [390, 1280] {
        // No window is narrower than 500: the page is in a frame.
        let outer = format!(
            "<title></title><body style='margin: 0'><iframe width={width} height=900 frameborder=0 srcdoc=\"{inner}\">"
        );
        fs::write(&measuring, outer).unwrap();
        let grounds = [0, 1].map(|scheme| {
            let text = shown(&browser, &measuring, 1400, scheme);
            let title = text.split_once("<title>is ").unwrap_or_else(|| panic!("{text}")).1;
            let (widths, ground) = title.split_once(';').unwrap().0.split_once(" on ").unwrap();
            let (wide, inner) = widths.split_once(" of ").unwrap();
            let [wide, inner] = [wide, inner].map(|text| text.parse::<u32>().unwrap());
            assert!(wide <= inner && inner <= width && inner + 20 >= width, "{widths}");
            ground.trim_start_matches("rgb(").split(',').next().unwrap().parse::<u32>().unwrap()
        });
        assert!(grounds[0] < 60 && grounds[1] > 200, "{grounds:?}");
    }
}
