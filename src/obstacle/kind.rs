//! What keeps a step from being narrowed, by kind; the words of the facts.

/// Why something does not narrow a step, or order it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// No index begins with the column.
    NoIndex,
    /// An index has the column behind one that is not compared.
    NotLeading,
    /// Another index finds the rows, and the column is tested on each.
    OtherIndex,
    /// A range on another column came first.
    SecondRange,
    /// An expression stands around the column.
    Wrapped,
    /// `hex()` stands around a blob.
    Hex,
    /// An index is on an expression, and on another one.
    ExpressionIndex,
    /// No index serves the operator.
    Operator,
    /// IS NOT, `<>`, NOT: what is wanted is all but one value.
    IsNot,
    /// LIKE or GLOB.
    Like,
    /// The index is ordered by another collation.
    Collation,
    /// The index is ordered as another type.
    Affinity,
    /// The column has no type, and is compared with one that has.
    Untyped,
    /// The index is partial, and its WHERE is not implied.
    Partial,
    /// The index is partial, and its WHERE is implied while one value is bound.
    Bound,
    /// The index is partial, and the statement says about the same as its WHERE, which SQLite does not see.
    Unseen,
    /// An index would bring another row first, and the first alone is taken.
    First,
    /// An arm of an OR.
    Or,
    /// `min()` and `max()` in one SELECT, or one of them of all that a search finds.
    Extreme,
    /// A name in double quotes that no column has.
    DoubleQuoted,
    /// All that a column holds is put in a list for IN.
    Member,
    /// All that a subquery finds is put in a list for NOT IN.
    Absent,
    /// No index yields the order.
    Order,
    /// An index has the columns of the order, and not in these directions.
    Direction,
    /// The order is random.
    Shuffled,
    /// The planner takes another way than the best.
    PassedOver,
}

impl Kind {
    /// The word of the facts.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NoIndex => "no_index",
            Self::NotLeading => "not_leading",
            Self::OtherIndex => "other_index",
            Self::SecondRange => "second_range",
            Self::Wrapped => "wrapped",
            Self::Hex => "hex",
            Self::ExpressionIndex => "expression_index",
            Self::Operator => "operator",
            Self::IsNot => "is_not",
            Self::Like => "like",
            Self::Collation => "collation",
            Self::Affinity => "affinity",
            Self::Untyped => "untyped",
            Self::Partial => "partial",
            Self::Bound => "bound",
            Self::Unseen => "unseen",
            Self::First => "first",
            Self::Or => "or",
            Self::Extreme => "extreme",
            Self::DoubleQuoted => "double_quoted",
            Self::Member => "member",
            Self::Absent => "absent",
            Self::Order => "order",
            Self::Direction => "direction",
            Self::Shuffled => "random_order",
            Self::PassedOver => "passed_over",
        }
    }
}
