//! The folders of a repository as git keeps them: each is an object that names what lies in it, and folders that did not change
//! are one object. So each is read once, whatever the number of releases. Knows no releases.

use super::{Git, GitError, objects::Objects};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::collections::BTreeSet;

/// What is known of a repository so far.
#[derive(Debug, Default)]
pub(super) struct Trees {
    pub(super) objects: Objects,
    /// The folders that were read, by their names; `None` for one that is not here.
    known: HashMap<String, Option<Vec<u8>>>,
}

/// What a path is to lead to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    File,
    Folder,
}

/// What lies in a folder.
struct Entry<'a> {
    /// `None` for what is neither a file nor a folder.
    kind: Option<Kind>,
    name: &'a [u8],
    id: &'a [u8],
}

/// A part of the paths that are looked for.
#[derive(Default)]
struct Part<'a> {
    /// The paths that end here, by their number.
    ends: Vec<usize>,
    below: HashMap<&'a [u8], usize>,
}

/// What lies of the paths in one folder.
#[derive(Default)]
struct Held {
    found: Vec<(usize, String)>,
    below: Vec<(usize, String)>,
}

impl Trees {
    /// What these paths lead to from each of these folders; `None` for a folder that lacks one on the way.
    pub(super) fn resolve(
        &mut self,
        git: &Git,
        (roots, paths): (&[&str], &[String]),
        kind: Kind,
    ) -> Result<Vec<Option<Vec<Option<String>>>>, GitError> {
        let parts = parts(paths);
        let mut held: HashMap<(usize, String), Option<Held>> = HashMap::default();
        let mut wave: Vec<(usize, String)> = roots.iter().map(|root| (0, (*root).to_owned())).collect();
        while !wave.is_empty() {
            self.load(git, wave.iter().map(|(_, tree)| tree.as_str()))?;
            let mut further = Vec::new();
            for (part, tree) in wave {
                if held.contains_key(&(part, tree.clone())) {
                    continue;
                }
                let own = self.entries(&tree).zip(parts.get(part));
                let own = own.map(|(entries, part)| held_in(entries, part, &parts, kind));
                further.extend(own.iter().flat_map(|own| own.below.iter().cloned()));
                held.insert((part, tree), own);
            }
            wave = further;
        }
        let of_root = |root: &&str| {
            let mut found = vec![None; paths.len()];
            let mut open = vec![(0, (*root).to_owned())];
            while let Some(next) = open.pop() {
                let own = held.get(&next)?.as_ref()?;
                for (path, id) in &own.found {
                    if let Some(slot) = found.get_mut(*path) {
                        *slot = Some(id.clone());
                    }
                }
                open.extend(own.below.iter().cloned());
            }
            Some(found)
        };
        Ok(roots.iter().map(of_root).collect())
    }

    /// All that is no folder below these folders, by path; what is not here is left out.
    pub(super) fn names(
        &mut self,
        git: &Git,
        roots: Vec<(String, String)>,
    ) -> Result<BTreeSet<String>, GitError> {
        let mut seen: HashSet<(String, String)> = HashSet::default();
        let mut names = BTreeSet::new();
        let mut wave = roots;
        while !wave.is_empty() {
            self.load(git, wave.iter().map(|(_, tree)| tree.as_str()))?;
            let mut further = Vec::new();
            for (folder, tree) in wave.into_iter().filter(|one| seen.insert(one.clone())) {
                for entry in self.entries(&tree).into_iter().flatten() {
                    let Ok(name) = std::str::from_utf8(entry.name) else { continue };
                    let path = format!("{folder}/{name}");
                    if entry.kind == Some(Kind::Folder) {
                        further.push((path, hex(entry.id)));
                    } else {
                        names.insert(path);
                    }
                }
            }
            wave = further;
        }
        Ok(names)
    }

    /// All files below a folder with the names of their contents, in git's order; `None` where some folder is not here.
    pub(super) fn list(&mut self, git: &Git, root: &str) -> Result<Option<Vec<(String, String)>>, GitError> {
        let mut wave = vec![root.to_owned()];
        while !wave.is_empty() {
            self.load(git, wave.iter().map(String::as_str))?;
            let folders = wave.iter().filter_map(|tree| self.entries(tree)).flatten();
            wave =
                folders.filter(|entry| entry.kind == Some(Kind::Folder)).map(|entry| hex(entry.id)).collect();
        }
        let mut files = Vec::new();
        Ok(self.list_below(root, "", &mut files).map(|()| files))
    }

    fn list_below(&self, tree: &str, folder: &str, files: &mut Vec<(String, String)>) -> Option<()> {
        for entry in self.entries(tree)? {
            let Ok(name) = std::str::from_utf8(entry.name) else { continue };
            match entry.kind {
                Some(Kind::File) => files.push((format!("{folder}{name}"), hex(entry.id))),
                Some(Kind::Folder) => self.list_below(&hex(entry.id), &format!("{folder}{name}/"), files)?,
                None => {}
            }
        }
        Some(())
    }

    /// Reads those of these folders that were not read.
    fn load<'a>(&mut self, git: &Git, names: impl Iterator<Item = &'a str>) -> Result<(), GitError> {
        let mut seen = HashSet::default();
        let names: Vec<&str> =
            names.filter(|name| !self.known.contains_key(*name) && seen.insert(*name)).collect();
        if !names.is_empty() {
            let read = self.objects.read(git, &names)?;
            self.known.extend(names.into_iter().map(str::to_owned).zip(read));
        }
        Ok(())
    }

    fn entries(&self, tree: &str) -> Option<impl Iterator<Item = Entry<'_>>> {
        let mut rest = self.known.get(tree)?.as_deref()?;
        let length = tree.len() / 2;
        Some(std::iter::from_fn(move || {
            let end = memchr::memchr(0, rest)?;
            let (head, behind) = rest.split_at_checked(end)?;
            let (id, further) = behind.get(1..)?.split_at_checked(length)?;
            rest = further;
            let (mode, name) = head.split_at_checked(memchr::memchr(b' ', head)?)?;
            let kind = match mode {
                b"40000" => Some(Kind::Folder),
                _ => mode.starts_with(b"100").then_some(Kind::File),
            };
            Some(Entry { kind, name: name.get(1..)?, id })
        }))
    }
}

/// What lies of the paths in a folder with these entries.
fn held_in<'a>(
    entries: impl Iterator<Item = Entry<'a>>,
    part: &Part<'_>,
    parts: &[Part<'_>],
    kind: Kind,
) -> Held {
    let mut held = Held::default();
    for entry in entries {
        let Some(&number) = part.below.get(entry.name) else { continue };
        let Some(next) = parts.get(number) else { continue };
        if entry.kind == Some(kind) {
            held.found.extend(next.ends.iter().map(|&path| (path, hex(entry.id))));
        }
        if entry.kind == Some(Kind::Folder) && !next.below.is_empty() {
            held.below.push((number, hex(entry.id)));
        }
    }
    held
}

/// The parts of paths, each behind those in front of it; the first is that of no part at all.
fn parts(paths: &[String]) -> Vec<Part<'_>> {
    let mut parts = vec![Part::default()];
    for (index, path) in paths.iter().enumerate() {
        let mut at = 0;
        for name in path.split('/') {
            let fresh = parts.len();
            let Some(part) = parts.get_mut(at) else { break };
            at = *part.below.entry(name.as_bytes()).or_insert(fresh);
            if at == fresh {
                parts.push(Part::default());
            }
        }
        if let Some(part) = parts.get_mut(at) {
            part.ends.push(index);
        }
    }
    parts
}

fn hex(id: &[u8]) -> String {
    let mut name = String::with_capacity(id.len() * 2);
    for byte in id {
        name.extend([byte >> 4, byte & 15].map(|half| char::from_digit(half.into(), 16).unwrap_or('0')));
    }
    name
}
