//! An existing database, looked at without a scan and without a trace: how large each table and index is, how old its
//! statistics are, and, beside a program, what it lacks of what the program declares and what that costs.
//!
//! Reads some hundred pages of each B-tree. Knows no report, and says nothing of the values in rows: of a few, it looks at
//! numbers and times, for how fast a table grows.

mod cost;
mod creation;
mod drift;
mod estimate;
mod forecast;
mod homes;
mod pages;
mod program;
mod reading;
mod sample;
mod summary;
mod tables;
mod trend;

pub use cost::{Costs, IndexCost, costs};
pub use creation::{BYTES_PER_SECOND, Creation};
pub use estimate::{Estimate, Pages, TreeSize, estimate};
pub use forecast::{Budget, Cured, Forecast, Passes, SIZES};
pub use homes::{Home, homes};
pub use pages::{Content, Kind, Page, varint};
pub use program::{Against, Found, MissingIndex, Program, Reading, Slow, against};
pub use trend::{Clock, Trend, Unit};

use crate::schema::{
    Live, Objects, SchemaError, Settings,
    file::{self, Entry, FileDatabase, FileError, Header, Statistics, Way},
    same,
};
use sample::Row;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// How many pages are read of a B-tree where nobody says otherwise.
pub const PAGES: u64 = 300;
/// No lock is held longer than this and what one page takes.
const AT_ONCE: Duration = Duration::from_millis(40);
/// So often all is begun anew, and after so long, where somebody opens or closes the file, or changes its schema.
const TRIES: u32 = 4;
const PAUSE: Duration = Duration::from_millis(30);
/// So many seconds longer it is waited for who holds the file: not in silence.
const WAITS: u32 = 4;
/// What is told then.
pub const WAITING: &str = "waiting for another program, which holds the file locked";
/// A table whose rows went up or down by more than this since it was analyzed has old statistics.
const OLD: f64 = 2.0;

/// A database file, as it is.
#[derive(Debug)]
pub struct Audited {
    /// How it was read.
    pub way: Way,
    /// Its header.
    pub header: Header,
    /// Bytes of the file.
    pub bytes: u64,
    /// Its pages.
    pub pages: u32,
    /// The pages of which a newer content stood in its WAL, and was read there.
    pub in_wal: usize,
    /// Its WAL is too large to be read: sizes are those without it.
    pub leaves_out_wal: bool,
    /// Its tables, in the order of their names.
    pub tables: Vec<FileTable>,
    /// Its statistics.
    pub statistics: Statistics,
    /// Somebody wrote to it while it was read: not all that is said is of one moment.
    pub is_moved: bool,
    /// Pages that were read.
    pub reads: u64,
    catalogue: Vec<Entry>,
    /// Some rows of each B-tree, by its name.
    samples: Vec<(String, Vec<Row>)>,
}

/// A table of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct FileTable {
    /// Its name.
    pub name: String,
    /// How large it is; `None` of a virtual table, and where its first page can't be read.
    pub size: Option<TreeSize>,
    /// Whether it has no B-tree of its own.
    pub is_virtual: bool,
    /// Its rows when it was analyzed.
    pub analyzed: Option<u64>,
    /// How fast it grows; `None` where nothing tells.
    pub trend: Option<Trend>,
    /// Its indexes, in the order of their names.
    pub indexes: Vec<FileIndex>,
}

/// An index of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct FileIndex {
    /// Its name.
    pub name: String,
    /// How large it is.
    pub size: Option<TreeSize>,
    /// Its row of `sqlite_stat1`.
    pub stat: Option<String>,
    /// CREATE INDEX; `None` where a constraint made it.
    pub sql: Option<String>,
}

/// The schema of a file in memory.
#[derive(Debug)]
pub struct InMemory {
    /// The database.
    pub live: Live,
    /// What is in it.
    pub objects: Objects,
    /// What of the file this SQLite refuses, and why.
    pub refused: Vec<(String, String)>,
}

impl FileTable {
    /// Whether its statistics say another number of rows than it has; `None` where it has none.
    pub fn is_stale(&self) -> Option<bool> {
        let (analyzed, size) = (self.analyzed? as f64, self.size?);
        let (least, most) = size.rows.bounds();
        // Of few rows a plan is as good as another.
        Some(most > analyzed.max(100.0) * OLD || least.max(100.0) * OLD < analyzed)
    }

    /// Its rows, estimated or counted.
    pub fn rows(&self) -> Option<f64> {
        self.size.map(|size| size.rows.value)
    }
}

impl Audited {
    /// A table by its name.
    pub fn table(&self, name: &str) -> Option<&FileTable> {
        self.tables.iter().find(|table| same(&table.name, name))
    }

    /// Bytes of the pages of a B-tree.
    pub fn bytes_of(&self, size: &TreeSize) -> f64 {
        // A damaged file may seem to hold more.
        size.pages.value.min(f64::from(self.pages)) * f64::from(self.header.page_size)
    }

    /// Some rows of a B-tree.
    fn sample(&self, name: &str) -> &[Row] {
        self.samples.iter().find(|(one, _)| one == name).map_or(&[], |(_, rows)| rows)
    }

    /// Its schema in memory, with its statistics and without its rows.
    ///
    /// # Errors
    /// SQLite has no memory left.
    pub fn in_memory(&self, settings: &Settings) -> Result<InMemory, SchemaError> {
        let (mut live, refused) = file::in_memory(&self.catalogue, &self.statistics, settings)?;
        let objects = live.objects()?;
        Ok(InMemory { live, objects, refused })
    }
}

/// Looks at a file. Of each B-tree, about so many pages are read at most.
///
/// # Errors
/// It is none that can be audited, or not now.
pub fn audit(path: &Path, pages: u64) -> Result<Audited, FileError> {
    audit_telling(path, pages, &|_| {})
}

/// The same, where somebody is told what it is at.
///
/// # Errors
/// As [`audit`].
pub fn audit_telling(path: &Path, pages: u64, tell: &dyn Fn(&str)) -> Result<Audited, FileError> {
    let mut tries = 1..TRIES;
    let mut audited = loop {
        match once(path, pages, tell) {
            Err(error) if error.may_pass() && tries.next().is_some() => thread::sleep(PAUSE),
            other => break other?,
        }
    };
    // Without a schema there are no trends, and all else is as it is.
    if let Ok(InMemory { objects, .. }) = audited.in_memory(&Settings::default()) {
        tables::agree(&mut audited.tables, &objects);
        let trends = trend::trends(&audited, &objects);
        audited.tables.iter_mut().zip(trends).for_each(|(table, trend)| table.trend = trend);
    }
    Ok(audited)
}

fn once(path: &Path, pages: u64, tell: &dyn Fn(&str)) -> Result<Audited, FileError> {
    tell("opening the file");
    let mut file = FileDatabase::open(path)?;
    let found = read(&mut file, pages, tell);
    file.end();
    // What was read while others wrote may be anything.
    let is_same = file.check_unchanged()?;
    let found = found?;
    let is_moved = found.is_moved || !is_same && file.way() == Way::Locked;
    Ok(Audited { is_moved, ..found })
}

/// Begins a transaction, and tells where that takes long.
fn begin(file: &mut FileDatabase, tell: &dyn Fn(&str)) -> Result<bool, FileError> {
    let mut waits = 0..WAITS;
    loop {
        match file.begin() {
            Err(FileError::Busy) if waits.next().is_some() => tell(WAITING),
            other => return other,
        }
    }
}

fn read(file: &mut FileDatabase, pages: u64, tell: &dyn Fn(&str)) -> Result<Audited, FileError> {
    begin(file, tell)?;
    let (catalogue, statistics) = (file.catalogue()?, file.statistics());
    let (header, count, in_wal) = (file.header().clone(), file.pages(), file.in_wal());
    let mut source = Source {
        since: Instant::now(),
        is_moved: false,
        failed: None,
        cookie: header.schema_cookie,
        file,
        tell,
    };
    let mut sizes = Vec::new();
    let mut samples = Vec::new();
    for (seed, entry) in (1_u64..).zip(&catalogue) {
        tell(&format!("reading {} ({seed} of {})", entry.name, catalogue.len()));
        let size = (entry.root > 0).then(|| source.size(entry.root, pages, seed)).flatten();
        // A table of few rows has no trend.
        if size.is_some_and(|size| size.rows.value >= trend::FEW) {
            samples.push((entry.name.clone(), sample::rows(&mut source, entry.root)));
        }
        source.pause();
        if let Some(error) = source.failed.take() {
            return Err(error);
        }
        sizes.push(size);
    }
    let (is_moved, reads) = (source.is_moved, file.reads());
    file.end();
    let tables = tables::tables(&catalogue, sizes, &statistics);
    Ok(Audited {
        leaves_out_wal: file.leaves_out_wal(),
        way: file.way(),
        bytes: file.bytes(),
        header,
        pages: count,
        in_wal,
        tables,
        statistics,
        is_moved,
        reads,
        catalogue,
        samples,
    })
}

/// The pages of a file, for the estimates: lets go of the file from time to time, where others wait for it.
struct Source<'a> {
    file: &'a mut FileDatabase,
    since: Instant,
    is_moved: bool,
    failed: Option<FileError>,
    cookie: u32,
    tell: &'a dyn Fn(&str),
}

impl Source<'_> {
    /// The size of a B-tree; read anew where it was rebuilt under the reader.
    fn size(&mut self, root: u32, pages: u64, seed: u64) -> Option<TreeSize> {
        let mut tries = 1..TRIES;
        loop {
            let was_moved = std::mem::take(&mut self.is_moved);
            let size = estimate(self, root, pages, seed);
            let is_torn = self.is_moved && size.as_ref().is_none_or(|size| size.damaged > 0);
            self.is_moved |= was_moved;
            if !is_torn || self.failed.is_some() || tries.next().is_none() {
                return size;
            }
        }
    }
}

impl Pages for Source<'_> {
    fn page(&mut self, number: u32) -> Option<Vec<u8>> {
        if self.failed.is_some() { None } else { self.file.page(number) }
    }

    fn usable(&self) -> u32 {
        self.file.header().usable()
    }

    fn pause(&mut self) {
        if self.failed.is_some() || !self.file.holds_up() || self.since.elapsed() < AT_ONCE {
            return;
        }
        match begin(self.file, self.tell) {
            Ok(is_same) => self.is_moved |= !is_same,
            Err(error) => self.failed = Some(error),
        }
        // Where the schema changed, B-trees may stand elsewhere.
        if self.file.header().schema_cookie != self.cookie {
            self.failed = Some(FileError::Changed);
        }
        self.since = Instant::now();
    }
}
