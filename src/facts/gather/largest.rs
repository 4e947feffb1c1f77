//! The statements that want the largest text of a column, as facts.

use super::Gatherer;

impl Gatherer<'_> {
    pub(super) fn gather_largest(&mut self) {
        for one in self.program.largest {
            let Some(statement) = self.rows.statements.get(one.statement) else { continue };
            self.facts.insert(
                "largest_text",
                [("statement", statement), ("table", &one.table), ("column", &one.column)],
            );
        }
        for one in self.program.written {
            let Some(&database) = self.rows.databases.get(one.database) else { continue };
            let number = one.value.parse::<i64>().ok().filter(|number| number.to_string() == one.value);
            let site = self.optional_site(one.site);
            self.facts.insert(
                "written_text",
                [
                    ("database", &database),
                    ("table", &one.table),
                    ("column", &one.column),
                    ("value", &one.value),
                    ("number", &number),
                    ("site", &site),
                ],
            );
        }
    }
}
