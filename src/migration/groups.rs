//! Puts the files together that declare one database: lists that name each other's texts, code that runs another
//! file's declarations, declarations and statements that need the tables of two files.

use super::{
    Step, bases, mentions,
    tables::{Deed, deeds},
};
use crate::source::{Source, SourceId, Sources, Words, folder_of};
use std::collections::{BTreeMap, BTreeSet};

/// A file that declares tables, or changes them.
#[derive(Debug, Clone, Default)]
pub(super) struct Member {
    /// Its path.
    pub path: String,
    /// What its declarations create.
    pub created: BTreeSet<String>,
    /// What its declarations use.
    pub used: BTreeSet<String>,
    /// What its lists alter before they have made it.
    pub alters: BTreeSet<String>,
    /// The versions of its own ladder, and the tables that this changes before it has made them.
    pub ladder: (BTreeSet<u64>, BTreeSet<String>),
    /// How often it takes away tables, or names them anew, which another must have made first, and how often it makes these.
    pub taken: BTreeMap<String, (usize, usize)>,
    /// The folder of numbered migrations that it is one of, or makes tables for.
    pub series: Option<String>,
    /// The class that makes a database of its own by name, and what it stands in: what another one makes is no part of that.
    pub opener: Option<String>,
}

/// Whether a file of code has a class that opens a database, and which: of Room, all files that use it are of one.
fn opener(source: &Source) -> Option<String> {
    static HELPERS: Words<'_> = Words::new(&["extends SQLiteOpenHelper", ": SQLiteOpenHelper("]);
    static ROOM: Words<'_> = Words::new(&["androidx.room.", "android.arch.persistence.room."]);
    if source.has_any(&ROOM) {
        return Some("Room".to_owned());
    }
    source.has_any(&HELPERS).then(|| source.path.clone())
}

impl Member {
    /// A file of which no step is known yet.
    pub fn of(sources: &Sources, file: SourceId) -> Self {
        let opener = sources.get(file).and_then(opener);
        Self { path: sources.path(file).to_owned(), opener, ..Self::default() }
    }

    /// Adds what a step says that stands behind those that were added.
    pub fn add(&mut self, step: &Step) {
        let found = mentions(step.text.as_str());
        self.take(step.text.as_str());
        if let Some(version) = step.version.filter(|_| step.is_upgrade) {
            self.ladder.0.insert(version);
            self.ladder
                .1
                .extend(bases::lacking([step]).into_iter().filter(|table| !self.created.contains(table)));
        }
        // What stands alone waits for what it needs, wherever that stands.
        if step.is_ordered && found.alters && !found.has_trigger {
            let mut made = BTreeSet::new();
            for deed in deeds(step.text.as_str()) {
                match deed {
                    Deed::Creates { name, .. } | Deed::Renames(_, name) => {
                        made.insert(name);
                    }
                    Deed::Needs(name) if !made.contains(&name) && !self.created.contains(&name) => {
                        self.alters.insert(name);
                    }
                    Deed::Needs(_) | Deed::Drops(_) => {}
                }
            }
        }
        self.created.extend(found.created);
        self.used.extend(found.used);
    }

    /// Counts what a text does to tables that it takes away, and has not made before.
    fn take(&mut self, sql: &str) {
        let mut needed = BTreeSet::new();
        let mut made: BTreeSet<String> = BTreeSet::new();
        for deed in deeds(sql) {
            let (gone, new) = match deed {
                Deed::Needs(name) => {
                    needed.insert(name);
                    continue;
                }
                Deed::Creates { name, .. } => (None, Some(name)),
                Deed::Drops(name) => (Some(name).filter(|name| needed.contains(name)), None),
                Deed::Renames(from, to) => (Some(from), Some(to)),
            };
            if let Some(name) = gone.filter(|name| !made.remove(name) && !self.created.contains(name)) {
                self.taken.entry(name).or_default().0 += 1;
            }
            if let Some(name) = new {
                if let Some((_, makes)) = self.taken.get_mut(&name) {
                    *makes += 1;
                }
                made.insert(name);
            }
        }
    }

    /// The tables that another makes first: each time that it makes them, it has taken them away.
    pub fn takes(&self) -> impl Iterator<Item = &String> {
        self.taken.iter().filter(|(_, (takes, makes))| makes <= takes).map(|(table, _)| table)
    }

    /// Whether both make a table, and none of them has taken it away before.
    pub fn clashes(&self, other: &Self) -> bool {
        let taken: BTreeSet<&String> = self.takes().chain(other.takes()).collect();
        self.created.intersection(&other.created).any(|table| !taken.contains(table))
    }
}

/// The members and the groups that they form.
pub(super) struct Groups {
    pub members: Vec<Member>,
    parents: Vec<usize>,
}

impl Groups {
    pub fn new(members: Vec<Member>) -> Self {
        let parents = (0..members.len()).collect();
        Self { members, parents }
    }

    /// The first member of a member's group.
    pub fn root(&self, member: usize) -> usize {
        let mut at = member;
        while let Some(&parent) = self.parents.get(at)
            && parent != at
        {
            at = parent;
        }
        at
    }

    /// Makes one group of two.
    pub fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        if let Some(parent) = self.parents.get_mut(a.max(b)) {
            *parent = a.min(b);
        }
    }

    /// The members of a group, with their places.
    fn of(&self, root: usize) -> impl Iterator<Item = (usize, &Member)> {
        self.members.iter().enumerate().filter(move |(index, _)| self.root(*index) == root)
    }

    fn created(&self, root: usize) -> BTreeSet<&str> {
        self.of(root).flat_map(|(_, member)| member.created.iter().map(String::as_str)).collect()
    }

    /// The tables that both of two groups make, and none has taken away before.
    fn clashes(&self, one: usize, other: usize) -> usize {
        let taken = |root: usize| self.of(root).flat_map(|(_, member)| member.takes());
        let taken: BTreeSet<&str> = taken(one).chain(taken(other)).map(String::as_str).collect();
        let (one, other) = (self.created(one), self.created(other));
        one.intersection(&other).filter(|table| !taken.contains(*table)).count()
    }

    /// The folder of numbered migrations that a group is, or works for.
    fn series(&self, root: usize) -> Option<&str> {
        self.of(root).find_map(|(_, member)| member.series.as_deref())
    }

    /// Whether two groups are of classes that each make a database of their own, or of two folders of numbered migrations.
    fn are_apart(&self, one: usize, other: usize) -> bool {
        let opener = |root: usize| self.of(root).find_map(|(_, member)| member.opener.as_deref());
        let differ = |one: Option<&str>, other: Option<&str>| one.zip(other).is_some_and(|(a, b)| a != b);
        differ(opener(one), opener(other)) || differ(self.series(one), self.series(other))
    }

    /// The tables that a member uses and its group does not create.
    fn missing(&self, index: usize) -> Vec<&str> {
        let own = self.created(self.root(index));
        let used = self.members.get(index).into_iter().flat_map(|member| &member.used);
        used.map(String::as_str).filter(|name| !own.contains(name)).collect()
    }

    /// Whether a group has enough of what another one lacks to be a part of it: of a folder of migrations that is half of it.
    fn is_enough(&self, root: usize, created: &BTreeSet<&str>) -> bool {
        if self.series(root).is_none() {
            return true;
        }
        let missing: BTreeSet<&str> = self.of(root).flat_map(|(index, _)| self.missing(index)).collect();
        missing.intersection(created).count() * 2 >= missing.len()
    }

    /// Those of some members whose lists alter tables which others of them create.
    pub fn altering(&self, members: &[usize]) -> BTreeSet<usize> {
        let all = || members.iter().filter_map(|&at| Some((at, self.members.get(at)?)));
        let mut makers: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        for (at, table) in all().flat_map(|(at, one)| one.created.iter().map(move |table| (at, table))) {
            makers.entry(table).or_default().insert(at);
        }
        let of_others = |at: usize, table: &String| {
            makers.get(table.as_str()).is_some_and(|makers| makers.iter().any(|&maker| maker != at))
        };
        let is_one = |(at, one): &(usize, &Member)| {
            one.alters.iter().chain(one.takes()).any(|table| of_others(*at, table))
        };
        all().filter(is_one).map(|(at, _)| at).collect()
    }

    /// The groups, by their first member.
    pub fn roots(&self) -> BTreeMap<usize, Vec<usize>> {
        let mut roots: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for index in 0..self.members.len() {
            roots.entry(self.root(index)).or_default().push(index);
        }
        roots
    }

    /// Joins each group to the one that creates the tables which its declarations use and do not create.
    pub fn join_by_declarations(&mut self) {
        for index in 0..self.members.len() {
            let missing = self.missing(index);
            if let Some(other) = self.provider(index, &missing) {
                self.join(index, other);
            }
        }
    }

    /// Joins each member to the only group that creates a table which a list of it alters, where that is one of the same folder, and
    /// has no table of its own group.
    pub fn join_by_alterations(&mut self) {
        let mut makers: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, member) in self.members.iter().enumerate() {
            for table in &member.created {
                makers.entry(table.clone()).or_default().push(index);
            }
        }
        for index in 0..self.members.len() {
            let Some(member) = self.members.get(index) else { continue };
            for table in member.alters.clone() {
                let making = makers.get(&table).into_iter().flatten();
                let roots: BTreeSet<usize> = making.clone().map(|&at| self.root(at)).collect();
                let is_beside = making.clone().any(|&at| self.is_beside(index, at));
                if let [other] = roots.into_iter().collect::<Vec<_>>()[..]
                    && is_beside
                    && self.may_be_one(self.root(index), other)
                {
                    self.join(index, other);
                }
            }
        }
    }

    /// Whether two members stand in one folder.
    fn is_beside(&self, one: usize, other: usize) -> bool {
        let folder = |at: usize| self.members.get(at).map(|member| folder_of(&member.path));
        folder(one) == folder(other)
    }

    /// Whether two groups make no table both, and may be of one database.
    fn may_be_one(&self, one: usize, other: usize) -> bool {
        !self.are_apart(one, other) && self.clashes(one, other) == 0
    }

    /// Joins the groups that a statement needs together, if no group serves it alone that is as near to it.
    pub fn join_by_statement(&mut self, path: &str, used: &BTreeSet<&str>) {
        let is_created = |name: &&str| self.members.iter().any(|member| member.created.contains(*name));
        let known: Vec<&str> = used.iter().copied().filter(is_created).collect();
        if known.len() < 2 {
            return;
        }
        let home = self.members.iter().position(|member| member.path == path);
        let own = home.map_or_else(BTreeSet::new, |home| self.created(self.root(home)));
        let missing: Vec<&str> = known.iter().copied().filter(|name| !own.contains(name)).collect();
        if missing.is_empty() {
            return;
        }
        let Some(home) = home.filter(|_| missing.len() < known.len()) else {
            self.join_beside(path, &known);
            return;
        };
        let serves = |root| {
            let created = self.created(root);
            known.iter().all(|name| created.contains(name))
        };
        let whole: Vec<usize> = self.roots().into_keys().filter(|root| serves(*root)).collect();
        if let Some(other) = self.provider(home, &missing)
            && whole.iter().all(|&root| self.nearness(root, path) < self.nearness(other, path))
        {
            self.join(home, other);
        }
    }

    /// Joins the groups that make the tables of a statement in the files of its own folder, each table in one of them.
    fn join_beside(&mut self, path: &str, tables: &[&str]) {
        let folder = |path: &str| path.rsplit_once('/').map_or(0, |(folder, _)| folder.len());
        let is_beside = |member: &Member| {
            folder(&member.path) == folder(path)
                && member.path.get(..folder(path)) == path.get(..folder(path))
        };
        let mut roots = BTreeSet::new();
        for table in tables {
            let makes = |(_, member): &(usize, &Member)| is_beside(member) && member.created.contains(*table);
            let making = self.members.iter().enumerate().filter(makes);
            let making: BTreeSet<usize> = making.map(|(index, _)| self.root(index)).collect();
            let [root] = making.into_iter().collect::<Vec<_>>()[..] else { return };
            roots.insert(root);
        }
        let all: Vec<&str> = roots.iter().flat_map(|root| self.created(*root)).collect();
        let distinct: BTreeSet<&str> = all.iter().copied().collect();
        if distinct.len() < all.len() {
            return;
        }
        for pair in roots.into_iter().collect::<Vec<_>>().windows(2) {
            if let [a, b] = pair {
                self.join(*a, *b);
            }
        }
    }

    /// Joins the files of a folder that nothing joins to the group that most of them are of: a class for each table.
    pub fn join_siblings(&mut self) {
        /// The fewest files of one group that tell what a folder is.
        const FEWEST: usize = 3;
        let mut folders: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, member) in self.members.iter().enumerate() {
            folders.entry(folder_of(&member.path).to_owned()).or_default().push(index);
        }
        for members in folders.into_values().filter(|members| members.len() > FEWEST) {
            let mut roots: BTreeMap<usize, usize> = BTreeMap::new();
            for &member in &members {
                *roots.entry(self.root(member)).or_default() += 1;
            }
            let Some((&most, &count)) = roots.iter().max_by_key(|(_, count)| **count) else { continue };
            if count < FEWEST || count * 2 < members.len() {
                continue;
            }
            for root in roots.into_keys().filter(|&root| root != most) {
                let most = self.root(most);
                if self.of(root).count() == 1 && self.may_be_one(root, most) {
                    self.join(root, most);
                }
            }
        }
    }

    /// Whether a group has a ladder of the same versions in another folder, and a member changes of its tables only what the member's
    /// own ladder takes to be there: two databases that begin with tables of the same name.
    fn is_another_ladder<'n>(
        &self,
        asking: usize,
        root: usize,
        mut served: impl Iterator<Item = &'n &'n str>,
    ) -> bool {
        /// The fewest versions of a ladder that both have.
        const FEWEST: usize = 3;
        let Some(Member { path, ladder: (own, lacking), .. }) = self.members.get(asking) else {
            return false;
        };
        let is_one = |(_, member): (usize, &Member)| {
            own.intersection(&member.ladder.0).count() >= FEWEST && folder_of(&member.path) != folder_of(path)
        };
        self.of(root).any(is_one) && served.all(|name| lacking.contains(*name))
    }

    /// How many folders the nearest member of a group shares with a path.
    fn nearness(&self, root: usize, path: &str) -> usize {
        self.of(root).map(|(_, member)| common_parts(path, &member.path)).max().unwrap_or(0)
    }

    /// The group that creates most of these tables, and hardly one that the asking group has; the nearest of equals.
    fn provider(&self, asking: usize, missing: &[&str]) -> Option<usize> {
        let asking_root = self.root(asking);
        let path = self.members.get(asking).map_or("", |member| member.path.as_str());
        let mut best: Option<(usize, usize, usize)> = None;
        for root in self.roots().into_keys() {
            let created = self.created(root);
            let serves = missing.iter().filter(|name| created.contains(*name)).count();
            // Two that create the same tables are two databases, unless much more speaks for one.
            if root == asking_root || serves == 0 || self.clashes(root, asking_root) * 4 > serves {
                continue;
            }
            // Two folders of migrations are two databases, and what makes tables for one is no part of the other.
            if self.are_apart(root, asking_root) || !self.is_enough(asking_root, &created) {
                continue;
            }
            if self.is_another_ladder(asking, root, missing.iter().filter(|name| created.contains(*name))) {
                continue;
            }
            let near = self.nearness(root, path);
            if best.is_none_or(|(most, nearest, _)| (serves, near) > (most, nearest)) {
                best = Some((serves, near, root));
            }
        }
        best.map(|(_, _, root)| root)
    }
}

/// How many folders two paths share from the root.
pub fn common_parts(a: &str, b: &str) -> usize {
    a.split('/').zip(b.split('/')).take_while(|(a, b)| a == b).count()
}
