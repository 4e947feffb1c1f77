//! The releases and the databases in the field, as facts: how their schemas differ from the declared ones, and how the
//! statements run that run otherwise there.

use super::{Gatherer, statements::refusal_kind};
use crate::{
    migration::{Runs, Step},
    schema::compare::Difference,
    source::Site,
    workload::Other,
};

impl Gatherer<'_> {
    pub(super) fn gather_field(&mut self) {
        let names = &self.program.releases.names;
        let releases: Vec<i64> = (0_i64..)
            .zip(names)
            .map(|(ordinal, name)| self.facts.insert("release", [("name", name), ("ordinal", &ordinal)]))
            .collect();
        self.gather_released(&releases);
        let growths = self.program.other_growths.iter().map(Some).chain(std::iter::repeat(None));
        for (other, growths) in self.program.others.iter().zip(growths) {
            let Some(variant) = self.gather_other(other, &releases) else { continue };
            for growth in growths.into_iter().flatten() {
                let Some(&statement) = self.rows.statements.get(growth.statement) else { continue };
                for trial in &growth.trials {
                    self.gather_trial(statement, variant, trial);
                }
            }
        }
    }

    /// A variant, its differences, and the plans that are others on it.
    fn gather_other(&mut self, other: &Other, releases: &[i64]) -> Option<i64> {
        let &database = self.rows.databases.get(other.database)?;
        let &declared = self.variants.get(other.database)?;
        let own: Vec<i64> =
            other.releases.iter().filter_map(|release| releases.get(*release)).copied().collect();
        let variant = self.facts.insert(
            "variant",
            [
                ("database", &database),
                ("kind", &other.kind()),
                ("first_release", &own.first()),
                ("last_release", &own.last()),
            ],
        );
        self.rows.others.push(variant);
        for release in &own {
            self.facts.insert("variant_releases", [("variant", &variant), ("release", release)]);
        }
        for difference in &other.differences {
            self.gather_difference(other.database, (declared, variant), difference);
        }
        for (statement, then) in &other.statements {
            let Some(&row) = self.rows.statements.get(*statement) else { continue };
            match then {
                Ok(explained) => {
                    let names = self.program.statements.get(*statement).and_then(|one| one.names.as_deref());
                    let plan = self.facts.insert(
                        "plan",
                        [("statement", &row), ("variant", &variant), ("engine", &self.engine)],
                    );
                    self.gather_steps(plan, &explained.plan, names);
                }
                Err(refusal) => {
                    let (kind, name) = refusal_kind(&refusal.kind);
                    self.facts.insert(
                        "refusal",
                        [
                            ("statement", &row),
                            ("variant", &variant),
                            ("kind", &kind),
                            ("name", &name),
                            ("message", &refusal.message),
                        ],
                    );
                }
            }
        }
        Some(variant)
    }

    fn gather_difference(&mut self, database: usize, (declared, other): (i64, i64), one: &Difference) {
        let site = self.made_at(database, one);
        let site = self.optional_site(site);
        self.facts.insert(
            "difference",
            [
                ("variant", &declared),
                ("other", &other),
                ("object_kind", &one.kind),
                ("table", &one.table),
                ("object", &one.object),
                ("property", &one.property),
                ("here", &one.here),
                ("there", &one.there),
                ("site", &site),
            ],
        );
    }

    /// Where an object is made as declared, or else its table.
    fn made_at(&self, database: usize, one: &Difference) -> Option<Site> {
        let places = self.places.get(database)?;
        let of =
            |kind: &'static str, name: &str| places.get(&(kind, name.to_lowercase())).map(|(site, _)| *site);
        let own = match one.kind {
            "index" | "trigger" | "view" if one.here.is_some() => of(one.kind, &one.object),
            _ => None,
        };
        own.or_else(|| of("table", &one.table)).or_else(|| of("view", &one.table))
    }

    /// The migrations of each release.
    fn gather_released(&mut self, releases: &[i64]) {
        for one in &self.program.releases.released {
            let Some(&database) = self.rows.databases.get(one.database) else { continue };
            let once = |step: &&Step| step.runs == Runs::Migration;
            let steps: Vec<&Step> = one.declaration.steps.iter().filter(once).collect();
            // Of equal releases the last stands for all.
            let Some(&release) = one.releases.last().and_then(|release| releases.get(*release)) else {
                continue;
            };
            for (index, step) in steps.iter().enumerate() {
                let before = steps.iter().take(index).filter(|other| other.name == step.name).count();
                let migration = self.migration_now(one.database, &step.name, before);
                self.facts.insert(
                    "released_migration",
                    [
                        ("release", &release),
                        ("migration", &migration),
                        ("database", &database),
                        ("name", &step.name),
                        ("text_key", &step.key),
                        ("unit", &(step.unit as i64)),
                    ],
                );
            }
        }
    }

    /// Today's migration of a name; of several, as in a list, that of this place among them.
    fn migration_now(&self, database: usize, name: &str, place: usize) -> Option<i64> {
        let steps = &self.program.databases.get(database)?.declaration.steps;
        let own = steps.iter().zip(self.migrations.get(database)?).filter(|(step, _)| step.name == name);
        own.map(|(_, migration)| *migration).nth(place)
    }
}
