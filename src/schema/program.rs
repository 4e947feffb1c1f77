//! The compiled program of a statement, as SQLite lists it: the rows of its plan, and which table each row reads.
//!
//! A plan prints aliases, and the names of views and subqueries; the program opens B-trees by their root pages, and those
//! cannot be mistaken. After the instruction that stands for a row of the plan come those that begin its loop, and the
//! cursor they use says what is read. Knows instructions, and neither names nor the schema.

use super::sqlite;
use crate::plan::{Index, Op, Row, Step};

/// An instruction, as far as it matters here.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Instruction {
    code: Code,
    p1: i64,
    p2: i64,
    p3: i64,
    p5: i64,
    /// Of [`Code::Explain`], [`Code::Init`] and [`Code::OpenVirtual`] only.
    text: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Code {
    /// A program begins.
    Init,
    /// A row of the plan.
    Explain,
    /// A cursor on a B-tree of a schema.
    OpenRoot,
    OpenVirtual,
    OpenAutomatic,
    /// A walk begins at one end.
    Ends,
    /// A walk begins where a key is.
    Seek,
    /// A row is looked up by its rowid.
    SeekRowid,
    /// A key is looked up in an index.
    Probe,
    /// A co-routine begins, and ends.
    BeginRoutine,
    EndRoutine,
    /// A row of a co-routine.
    Yield,
    /// The program goes on elsewhere, as back to a row that is next.
    Jump,
    /// The same, and comes back: what is done with each group.
    Gosub,
    FilterVirtual,
    /// The rows of a B-tree are counted.
    Count,
    /// What follows is done once.
    Once,
    /// An empty Bloom filter.
    Blob,
    /// A loop goes on to its next row.
    Next,
    /// A loop ends where it has found as many rows as are wanted.
    Enough,
    /// A value is taken, and the next instruction follows.
    Value,
    /// Something that takes longer the more rows there are, without a loop: a B-tree is emptied, a virtual table written.
    Sweep,
    Other,
}

impl Code {
    fn of(name: &str) -> Self {
        match name {
            "Init" => Self::Init,
            "Explain" => Self::Explain,
            "OpenRead" | "OpenWrite" | "ReopenIdx" => Self::OpenRoot,
            "VOpen" => Self::OpenVirtual,
            "OpenAutoindex" => Self::OpenAutomatic,
            "Rewind" | "Last" => Self::Ends,
            "SeekGE" | "SeekGT" | "SeekLE" | "SeekLT" => Self::Seek,
            "SeekRowid" | "NotExists" => Self::SeekRowid,
            "Found" | "NotFound" | "NoConflict" => Self::Probe,
            "InitCoroutine" => Self::BeginRoutine,
            "EndCoroutine" => Self::EndRoutine,
            "Yield" => Self::Yield,
            "Goto" => Self::Jump,
            "Gosub" => Self::Gosub,
            "VFilter" => Self::FilterVirtual,
            "Count" => Self::Count,
            "Once" => Self::Once,
            "Blob" => Self::Blob,
            "Next" | "Prev" | "VNext" | "SorterNext" => Self::Next,
            "DecrJumpZero" => Self::Enough,
            "Integer" | "Int64" | "Real" | "String8" | "Null" | "Variable" | "Param" | "Column" | "Rowid"
            | "IdxRowid" | "DeferredSeek" | "Copy" | "SCopy" | "RealAffinity" => Self::Value,
            "VUpdate" | "Clear" | "Destroy" | "Vacuum" | "RowCell" => Self::Sweep,
            _ => Self::Other,
        }
    }
}

impl Instruction {
    /// Reads what matters of an instruction. Most do not, and reading a column costs as much as listing it.
    fn read(code: Code, row: &sqlite::Row<'_>) -> sqlite::Result<Self> {
        let mut instruction = Self { code, p1: 0, p2: 0, p3: 0, p5: 0, text: None };
        let is_bare = matches!(code, Code::Next | Code::Sweep | Code::Once | Code::Blob | Code::Other);
        if is_bare || matches!(code, Code::Enough | Code::Value) {
            return Ok(instruction);
        }
        instruction.p1 = row.get(2)?;
        if matches!(code, Code::OpenRoot | Code::Explain) {
            instruction.p2 = row.get(3)?;
            instruction.p3 = row.get(4)?;
            instruction.p5 = row.get(6)?;
        }
        if matches!(code, Code::Init | Code::Explain | Code::OpenVirtual) {
            instruction.text = row.get_ref(5)?.as_str_or_null().ok().flatten().map(str::to_owned);
        }
        Ok(instruction)
    }
}

/// What a step of a plan reads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Target {
    /// The program does not say.
    #[default]
    Unknown,
    /// Something that is no table of a schema: a subquery, a co-routine, a list of values.
    Nothing,
    /// The B-tree at a root page of a schema, by the number of the schema.
    Root { schema: i64, page: i64 },
    /// The virtual table at an address.
    Virtual(u64),
}

/// The program of a statement, and those of its triggers and foreign key actions.
#[derive(Debug, Default)]
pub(super) struct Program {
    instructions: Vec<Instruction>,
    /// The rows of the plan, each with the number of its instruction.
    rows: Vec<(usize, Row)>,
}

impl Program {
    /// Reads a listing to its end.
    pub fn read(mut listing: sqlite::Rows<'_>) -> sqlite::Result<Self> {
        let mut program = Self::default();
        while let Some(row) = listing.next()? {
            let name = row.get_ref(1)?.as_str().unwrap_or_default();
            let code = Code::of(name);
            program.push(Instruction::read(code, row)?);
        }
        Ok(program)
    }

    fn push(&mut self, instruction: Instruction) {
        let at = self.instructions.len();
        // The first Init is that of the statement itself. Those of the others are rows of the plan.
        if instruction.code == Code::Explain || (instruction.code == Code::Init && at > 0) {
            let once = self.instructions.last().is_some_and(|before| before.code == Code::Once);
            let Instruction { p1: id, p2: parent, p3: cost, ref text, .. } = instruction;
            self.rows.push((at, Row { id, parent, cost, detail: text.clone(), once, ..Row::default() }));
        }
        self.instructions.push(instruction);
    }

    /// The rows of the plan, as EXPLAIN QUERY PLAN returns them.
    pub fn plan_rows(&self) -> Vec<Row> {
        let read = |(at, row): &(usize, Row)| {
            let (single, one_row) = (self.yields_once(*at), self.ends_at_once(*at));
            Row { single, one_row, ..row.clone() }
        };
        self.rows.iter().map(read).collect()
    }

    /// Whether the loop of a row of the plan ends at the first row that it comes to, for nothing tests that, and a subquery
    /// that is one value wants no more.
    fn ends_at_once(&self, at: usize) -> bool {
        let begins = |one: &&Instruction| matches!(one.code, Code::Ends | Code::Explain | Code::Init);
        let mut behind = self.instructions.iter().skip(at + 1).skip_while(|one| !begins(one));
        let is_walk = behind.next().is_some_and(|one| one.code == Code::Ends);
        let mut body = behind.take_while(|one| one.code != Code::Next).map(|one| one.code);
        is_walk
            && body.clone().all(|code| matches!(code, Code::Enough | Code::Value))
            && body.any(|code| code == Code::Enough)
    }

    /// Whether the co-routine of a row of the plan gives one row, as a sum of all does: no loop stands around that.
    fn yields_once(&self, at: usize) -> bool {
        let begin = at.checked_sub(1).and_then(|before| self.instructions.get(before));
        let Some(begin) = begin.filter(|one| one.code == Code::BeginRoutine) else { return false };
        let is_within = |one: &&Instruction| one.code != Code::EndRoutine || one.p1 != begin.p1;
        let body = self.instructions.get(at..).unwrap_or_default().iter().take_while(is_within);
        // Rows of another routine, and those that a recursion finds, are walked without a Next.
        let behind = body.clone().skip_while(|one| one.code != Code::Yield);
        let loops = behind.filter(|one| matches!(one.code, Code::Next | Code::Jump | Code::Yield));
        loops.count() == 1 && body.clone().all(|one| one.code != Code::Gosub)
    }

    /// Whether it may take longer the more rows there are, by what no step of the plan shows: a loop where the plan has
    /// none, and what is no loop at all.
    pub fn hides_work(&self, steps: &[Step]) -> bool {
        let shown = steps.iter().any(|step| step.op != Op::TriggerProgram);
        self.instructions.iter().any(|instruction| match instruction.code {
            Code::Count | Code::Sweep => true,
            Code::Next => !shown,
            _ => false,
        })
    }

    /// The address of the first virtual table that is opened.
    pub fn virtual_table(&self) -> Option<u64> {
        self.instructions.iter().find(|instruction| instruction.code == Code::OpenVirtual).map(address)
    }

    /// What each step reads, given the steps made of [`Program::plan_rows`], and the index that the B-tree at a root page
    /// of a schema is, if it is one.
    pub fn targets<'a>(&self, steps: &[Step], index_at: impl Fn(i64, i64) -> Option<&'a str>) -> Vec<Target> {
        let mut targets = vec![Target::Unknown; steps.len()];
        let mut scope = Scope::default();
        let mut rows = self.rows.iter().map(|(at, _)| *at).enumerate().peekable();
        for (at, instruction) in self.instructions.iter().enumerate() {
            if instruction.code == Code::Init {
                scope = Scope::default();
            }
            scope.open(at, self.instructions.get(at..).unwrap_or_default());
            if let Some((row, _)) = rows.next_if(|(_, place)| *place == at) {
                scope.expect(row, steps);
            } else if !scope.building.contains(&at)
                && let Some((row, target)) = scope.begins(instruction, steps, &index_at)
                && let Some(slot) = targets.get_mut(row)
            {
                *slot = target;
            }
        }
        for (row, step) in steps.iter().enumerate() {
            let arm = step.parent.filter(|_| is_in_arm(steps, step));
            if let (Some(arm), Some(slot)) =
                (arm.and_then(|arm| targets.get(arm).copied()), targets.get_mut(row))
            {
                *slot = arm;
            }
        }
        targets
    }
}

/// What is known of one program while it is read.
#[derive(Debug, Default)]
struct Scope {
    /// What the cursors are open on, by their numbers; there are few.
    cursors: Vec<(i64, Cursor)>,
    /// Instructions that begin the building of an automatic index or of a Bloom filter, and no step.
    building: Vec<usize>,
    /// The steps whose loops have not begun yet; what is nested in one stands above it.
    waiting: Vec<Waiting>,
}

#[derive(Debug, Clone, Copy)]
struct Waiting {
    row: usize,
    parent: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cursor {
    Root {
        schema: i64,
        page: i64,
    },
    Virtual(u64),
    /// An automatic index on what another cursor reads.
    Automatic(Option<i64>),
}

impl Scope {
    /// Notes what is opened by the first of some instructions, which is number `at`.
    fn open(&mut self, at: usize, instructions: &[Instruction]) {
        let Some(instruction) = instructions.first() else { return };
        let opened = match instruction.code {
            Code::OpenRoot if !has_root_in_register(instruction) => {
                Cursor::Root { schema: instruction.p3, page: instruction.p2 }
            }
            Code::OpenVirtual => Cursor::Virtual(address(instruction)),
            Code::OpenAutomatic => {
                let begins = |next: &Instruction| matches!(next.code, Code::Ends | Code::Yield);
                let place = instructions.iter().position(begins);
                self.building.extend(place.map(|offset| at + offset));
                let first = place.and_then(|offset| instructions.get(offset));
                let walked = first.filter(|first| first.code == Code::Ends).map(|first| first.p1);
                Cursor::Automatic(walked)
            }
            Code::Blob => return self.building.push(at + 1),
            _ => return,
        };
        self.cursors.push((instruction.p1, opened));
    }

    /// A row of the plan: if it is a loop, its beginning is to come.
    fn expect(&mut self, row: usize, steps: &[Step]) {
        let Some(step) = steps.get(row) else { return };
        let reads =
            matches!(step.op, Op::Scan | Op::Search | Op::VirtualScan { .. } | Op::InIndex | Op::OrIndex);
        if !reads || is_in_arm(steps, step) {
            return;
        }
        let parent = step.parent;
        if step.op != Op::InIndex {
            // A loop of the same join: one before that has not begun never will. The rows of a recursive table come
            // one by one from a queue, without a loop.
            self.waiting.retain(|waiting| waiting.parent != parent);
        }
        self.waiting.push(Waiting { row, parent });
    }

    /// If the loop of the innermost waiting step begins here, that step and what it reads.
    fn begins<'a>(
        &mut self,
        instruction: &Instruction,
        steps: &[Step],
        index_at: impl Fn(i64, i64) -> Option<&'a str>,
    ) -> Option<(usize, Target)> {
        let row = self.waiting.last()?.row;
        let step = steps.get(row)?;
        let step = if step.op == Op::OrIndex { search_of_arm(steps, row)? } else { step };
        let cursor = self.cursor(instruction.p1);
        let begins = match (&step.op, instruction.code) {
            (Op::Scan, Code::Ends | Code::Count)
            | (Op::Search, Code::Ends | Code::Seek)
            | (Op::InIndex, Code::Ends | Code::Seek | Code::Probe) => is_by(step, cursor, index_at),
            (Op::Search | Op::InIndex, Code::SeekRowid) => step.index == Some(Index::Rowid),
            (Op::VirtualScan { .. }, Code::FilterVirtual) => true,
            (Op::Scan | Op::Search, Code::Yield) => is_by(step, None, index_at),
            _ => false,
        };
        if !begins {
            return None;
        }
        self.waiting.pop();
        let target = if instruction.code == Code::Yield { Target::Nothing } else { self.target(cursor) };
        Some((row, target))
    }

    fn cursor(&self, number: i64) -> Option<Cursor> {
        self.cursors.iter().rev().find(|(other, _)| *other == number).map(|(_, cursor)| *cursor)
    }

    fn target(&self, cursor: Option<Cursor>) -> Target {
        match cursor {
            Some(Cursor::Root { schema, page }) => Target::Root { schema, page },
            Some(Cursor::Virtual(address)) => Target::Virtual(address),
            // It is built of a table or of a subquery, never of another automatic index.
            Some(Cursor::Automatic(base)) => match base.and_then(|base| self.cursor(base)) {
                Some(Cursor::Automatic(_)) => Target::Nothing,
                table => self.target(table),
            },
            None => Target::Nothing,
        }
    }
}

/// Whether a step goes by what a cursor is open on: by the index it names, or by none. Lookups that are no steps of their
/// own, such as that of the row after its index, are told apart by this.
fn is_by<'a>(step: &Step, cursor: Option<Cursor>, index_at: impl Fn(i64, i64) -> Option<&'a str>) -> bool {
    match cursor {
        Some(Cursor::Root { schema, page }) => match &step.index {
            Some(Index::Named { name, .. }) => index_at(schema, page) == Some(name),
            Some(Index::Automatic { .. }) => false,
            Some(Index::PrimaryKey | Index::Rowid) | None => index_at(schema, page).is_none(),
        },
        Some(Cursor::Automatic(_)) => matches!(step.index, Some(Index::Automatic { .. })),
        Some(Cursor::Virtual(_)) => false,
        // A subquery is walked, or its one end is taken.
        None => step.index.is_none() && step.terms.is_empty(),
    }
}

/// Where a virtual table is in memory: the only name that the program has for it. 0 is none.
fn address(instruction: &Instruction) -> u64 {
    let digits = instruction.text.as_deref().and_then(|text| text.strip_prefix("vtab:"));
    digits.and_then(|digits| u64::from_str_radix(digits.trim_start_matches("0x"), 16).ok()).unwrap_or(0)
}

/// The search of an arm of an OR.
fn search_of_arm(steps: &[Step], arm: usize) -> Option<&Step> {
    steps.iter().skip(arm).find(|step| step.parent == Some(arm) && is_in_arm(steps, step))
}

/// The search of one arm of an OR is listed after its loop has begun; the arm itself stands before.
fn is_in_arm(steps: &[Step], step: &Step) -> bool {
    let loops = matches!(step.op, Op::Scan | Op::Search | Op::VirtualScan { .. });
    loops && step.parent.and_then(|above| steps.get(above)).is_some_and(|above| above.op == Op::OrIndex)
}

/// SQLite's `OPFLAG_P2ISREG`: the root page is only known when the program runs.
fn has_root_in_register(instruction: &Instruction) -> bool {
    instruction.p5 & 0x10 != 0
}
