//! The parameters of statements, as facts.

use super::Gatherer;

impl Gatherer<'_> {
    pub(super) fn gather_parameters(&mut self) {
        let statements = self.program.statements.iter().zip(&self.rows.statements).zip(self.program.columns);
        for ((statement, row), columns) in statements {
            let parameters = statement.explained().map_or(&[][..], |explained| &explained.parameters);
            for (ordinal, name) in parameters.iter().enumerate() {
                let known = columns.get(ordinal).and_then(Option::as_ref);
                let (at, column) = (known.map(|one| &one.table), known.map(|one| &one.column));
                let is_list = known.is_some_and(|one| one.is_list);
                self.facts.insert(
                    "parameter",
                    [
                        ("statement", row),
                        ("ordinal", &(ordinal as i64 + 1)),
                        ("name", name),
                        ("table", &at),
                        ("column", &column),
                        ("is_list", &is_list),
                    ],
                );
            }
        }
    }
}
