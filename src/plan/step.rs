//! One step of a plan: what SQLite said of it, as values.

use super::{Row, words};

/// One row of a plan, understood.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Step {
    /// As SQLite numbered it. The programs of triggers and foreign key actions number their steps anew.
    pub id: i64,
    /// The index, in [`Plan::steps`](super::Plan::steps), of the step above. A program's steps are below its
    /// [`Op::TriggerProgram`].
    pub parent: Option<usize>,
    /// How many steps are above.
    pub depth: u32,
    /// The text as printed; empty where it was NULL.
    pub detail: String,
    /// What is done.
    pub op: Op,
    /// The name that was printed: of a table, alias, view, common table expression or trigger, or the number
    /// of a subquery. It may contain anything, and `schema.table` only where the statement spells the schema.
    pub name: Option<String>,
    /// The table read. Not known here, and not to be taken from `name`: who has the schema fills it in.
    pub table: Option<String>,
    /// The schema of `table`: `main`, `temp` or that of an attached database. Filled in with it.
    pub schema: Option<String>,
    /// What leads to the rows; `None` where the table itself is walked.
    pub index: Option<Index>,
    /// The conditions that seek in the index, in its order. Those only tested on each row are not printed.
    pub terms: Vec<Term>,
    /// The right side of a LEFT JOIN.
    pub left_join: bool,
    /// An EXISTS that became a join: the loop ends at its first row.
    pub exists: bool,
    /// The loop ends at the first row that it comes to, which nothing tests: what the WHERE asks was known before.
    pub one_row: bool,
    /// What the planner thinks one run costs, as 10 times the binary logarithm: 33 is a lookup by rowid, 216
    /// a full scan of a table it knows nothing of. 0 where there is none, and before SQLite 3.48. Good for
    /// ranking only.
    pub cost: i64,
    /// The program that the step is part of; `None` for the statement itself.
    pub program: Option<Program>,
    /// The step runs once per row of another, or in the recursive part of a common table expression. Told
    /// from the tree alone, see [`Plan::parse`](super::Plan::parse).
    pub inside_loop: bool,
    /// The step is, or is in, a subquery that runs again for each row around it.
    pub correlated: bool,
}

/// What a step does. The names are those SQLite prints.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub enum Op {
    /// Reads all rows of a table, an index, or a subquery.
    Scan,
    /// Reads some rows by an index; also printed for `min()` and `max()`, which may still read everything.
    Search,
    /// Asks a virtual table, whatever the way it answers.
    VirtualScan {
        /// The module's `idxNum`.
        number: i64,
        /// The module's `idxStr`.
        text: String,
    },
    /// SELECT without FROM.
    ConstantRow,
    /// So many rows of a VALUES clause.
    Values(u32),
    /// Sorts, or removes duplicates, in a temporary B-tree.
    TempBTree(Purpose),
    /// A subquery that yields its rows to the SCAN that reads it.
    CoRoutine,
    /// A subquery that is stored before it is read.
    Materialize,
    /// The first part of a recursive common table expression.
    Setup,
    /// The part of a recursive common table expression that runs once per row found so far.
    RecursiveStep,
    /// SELECTs that are run one after the other.
    Compound,
    /// The first of a compound.
    LeftMost,
    /// A further one of a compound.
    Union(SetOperator),
    /// Two sorted SELECTs, merged.
    Merge(SetOperator),
    /// The left one of a merge.
    MergeLeft,
    /// The right one of a merge.
    MergeRight,
    /// A subquery that is one value, or EXISTS.
    Scalar {
        /// It runs again for each row around it; otherwise once.
        correlated: bool,
    },
    /// The subquery of an IN.
    List {
        /// It runs again for each row around it; otherwise once.
        correlated: bool,
    },
    /// A subquery that is already there.
    Reuse,
    /// A table is read by several indexes, one for each arm of an OR.
    MultiIndexOr,
    /// One arm of a [`Op::MultiIndexOr`].
    OrIndex,
    /// The rows of the right table of a RIGHT or FULL JOIN that matched nothing.
    RightJoin,
    /// A Bloom filter that spares lookups.
    BloomFilter,
    /// An IN that is answered by probing an existing index.
    InIndex,
    /// The program of a trigger or of a foreign key action begins.
    TriggerProgram,
    /// Words that are not known here.
    #[default]
    Other,
}

/// What a temporary B-tree is for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// All rows are sorted.
    OrderBy,
    /// Rows that are equal in the first terms, which an index orders, are sorted by so many last ones; 0
    /// where an old version does not say how many.
    LastTermsOfOrderBy(u32),
    /// SELECT DISTINCT.
    Distinct,
    /// GROUP BY.
    GroupBy,
    /// An aggregate with DISTINCT or ORDER BY within, as printed: `count(DISTINCT)`.
    Aggregate(String),
    /// Anything else.
    Other,
}

/// What joins the SELECTs of a compound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SetOperator {
    /// UNION ALL.
    All,
    /// UNION.
    Distinct,
    /// EXCEPT.
    Except,
    /// INTERSECT.
    Intersect,
}

/// What leads to the rows of a table.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Index {
    /// An index of the schema, its automatic ones included.
    Named {
        /// Its name.
        name: String,
        /// The table itself is not read.
        covering: bool,
    },
    /// The primary key of a WITHOUT ROWID table.
    PrimaryKey,
    /// The rowid, by whatever name.
    Rowid,
    /// An index that SQLite builds for this one run.
    Automatic {
        /// Only of the rows that can match.
        partial: bool,
        /// The table itself is not read.
        covering: bool,
    },
}

/// A condition that seeks in an index.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Term {
    /// The indexed column; `rowid`, and `<expr>` for an expression.
    pub column: String,
    /// What is asked of it.
    pub kind: TermKind,
    /// The bound began with the term before: `(a,b)>(?,?)` is two terms, and the second continues the first.
    pub continues: bool,
}

/// What a [`Term`] asks of its column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TermKind {
    /// `=`, IS or IN.
    Equal,
    /// `>` or `>=`.
    Lower,
    /// `<` or `<=`.
    Upper,
    /// Nothing: each distinct value is tried, to reach the columns after it (a skip-scan).
    Any,
}

/// What runs beside the statement itself, once per row that it changes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Program {
    /// The trigger of this name.
    Trigger(String),
    /// CASCADE, SET NULL or SET DEFAULT.
    ForeignKeyAction,
}

impl Step {
    /// What a row says by itself, without its place in the tree.
    pub(super) fn read(row: &Row) -> Self {
        let Some(detail) = &row.detail else {
            let program = Some(Program::ForeignKeyAction);
            return Self { id: row.id, op: Op::TriggerProgram, program, ..Self::default() };
        };
        let said = words::read(detail);
        let trigger = said.name.clone().filter(|_| said.op == Op::TriggerProgram);
        Self {
            id: row.id,
            detail: detail.clone(),
            op: said.op,
            name: said.name,
            index: said.index,
            terms: said.terms,
            left_join: said.left_join,
            exists: said.exists,
            one_row: row.one_row,
            cost: row.cost,
            program: trigger.map(Program::Trigger),
            ..Self::default()
        }
    }

    /// How many columns are sought by one value (or by each value of an IN).
    pub fn equalities(&self) -> u32 {
        self.count(|term| term.kind == TermKind::Equal)
    }

    /// How many bounds there are: `a>?` is one, `a>? AND a<?` two, `(a,b)>(?,?)` one.
    pub fn ranges(&self) -> u32 {
        self.count(|term| matches!(term.kind, TermKind::Lower | TermKind::Upper) && !term.continues)
    }

    fn count(&self, wanted: impl Fn(&Term) -> bool) -> u32 {
        self.terms.iter().filter(|term| wanted(term)).count() as u32
    }

    /// Whether an index holds all that is read, and the table is not touched.
    pub fn is_covering(&self) -> bool {
        matches!(
            self.index,
            Some(Index::Named { covering: true, .. } | Index::Automatic { covering: true, .. })
        )
    }

    /// Whether SQLite builds the index anew each time the statement runs.
    pub fn is_automatic(&self) -> bool {
        matches!(self.index, Some(Index::Automatic { .. }))
    }

    /// Whether the step is a loop over rows that grows with the tables, so that what is printed below it, or
    /// nested in it, can run many times. A search by `rowid=?` is not one; whether another index is unique is
    /// not known here.
    pub fn is_loop(&self) -> bool {
        match self.op {
            Op::Scan | Op::VirtualScan { .. } | Op::MultiIndexOr | Op::Compound | Op::Merge(_) => true,
            Op::Search => self.index != Some(Index::Rowid) || self.equalities() == 0,
            _ => false,
        }
    }
}

impl Op {
    /// One word or two for each operation, in SQLite's spelling; stable, for facts and for machines.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Scan => "SCAN",
            Self::Search => "SEARCH",
            Self::VirtualScan { .. } => "VIRTUAL TABLE",
            Self::ConstantRow => "CONSTANT ROW",
            Self::Values(_) => "VALUES",
            Self::TempBTree(_) => "TEMP B-TREE",
            Self::CoRoutine => "CO-ROUTINE",
            Self::Materialize => "MATERIALIZE",
            Self::Setup => "SETUP",
            Self::RecursiveStep => "RECURSIVE STEP",
            Self::Compound => "COMPOUND QUERY",
            Self::LeftMost => "LEFT-MOST SUBQUERY",
            Self::Union(operator) => operator.as_str(),
            Self::Merge(_) => "MERGE",
            Self::MergeLeft => "LEFT",
            Self::MergeRight => "RIGHT",
            Self::Scalar { .. } => "SCALAR SUBQUERY",
            Self::List { .. } => "LIST SUBQUERY",
            Self::Reuse => "REUSE SUBQUERY",
            Self::MultiIndexOr => "MULTI-INDEX OR",
            Self::OrIndex => "INDEX",
            Self::RightJoin => "RIGHT-JOIN",
            Self::BloomFilter => "BLOOM FILTER",
            Self::InIndex => "IN-OPERATOR",
            Self::TriggerProgram => "PROGRAM",
            Self::Other => "OTHER",
        }
    }
}

impl SetOperator {
    /// As SQL spells it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::All => "UNION ALL",
            Self::Distinct => "UNION",
            Self::Except => "EXCEPT",
            Self::Intersect => "INTERSECT",
        }
    }
}
