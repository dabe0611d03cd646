//! Which files of a crate use which other files of it, read from the sources.
//!
//! A file uses another one if its code names something that is defined there: in a path, in a private `use`,
//! in the arguments of a macro or in an attribute such as `#[serde(with = "…")]`. Re-exports are followed to the
//! file that defines the thing, so a `pub use` is no use by itself, nor is the declaration of a module.
//! Code for tests does not count. Methods are found by the type they are called on, not by the file of their `impl`.

mod collect;

use std::collections::{BTreeMap, BTreeSet};

/// The files of a crate, relative to the folder of its root, each with the files it uses.
pub type Uses = BTreeMap<String, BTreeSet<String>>;

/// The uses among the files of the crate with the given root, such as `lib.rs`. `read` gives the text of a file.
pub fn uses(root: &str, read: &dyn Fn(&str) -> Option<String>) -> Uses {
    let modules = collect::modules(root, read);
    let mut uses = Uses::new();
    for (number, module) in modules.iter().enumerate() {
        let used = uses.entry(module.file.clone()).or_default();
        let imports = module.imports.iter().filter(|import| !import.public && import.name != "*");
        let paths = imports.map(|import| &import.path).chain(&module.paths);
        for path in paths {
            if let Some(Found::Item(owner)) = find(&modules, number, path, Wanted::Item, 0) {
                used.insert(modules[owner].file.clone());
            }
        }
        used.remove(&module.file);
    }
    uses
}

/// The pairs of files that use each other, each pair once.
pub fn mutual(uses: &Uses) -> Vec<(&str, &str)> {
    let uses_back = |one: &str, other: &str| uses.get(other).is_some_and(|used| used.contains(one));
    let pairs = uses.iter().flat_map(|(one, used)| used.iter().map(move |other| (one, other)));
    pairs
        .filter(|(one, other)| one < other && uses_back(one, other))
        .map(|(one, other)| (one.as_str(), other.as_str()))
        .collect()
}

/// One module, whether in a file of its own or inside another.
#[derive(Default)]
struct Module {
    /// The file its text is in.
    file: String,
    parent: Option<usize>,
    children: BTreeMap<String, usize>,
    /// What it defines itself.
    items: BTreeSet<String>,
    imports: Vec<Import>,
    /// The paths its code names.
    paths: Vec<Vec<String>>,
}

/// One name that a `use` brings in.
struct Import {
    /// The name, or `*` for all names of a module.
    name: String,
    path: Vec<String>,
    /// Whether others see it too: a re-export.
    public: bool,
}

/// What the last name of a path stands for.
enum Found {
    Module(usize),
    /// Something that this module defines.
    Item(usize),
}

/// A module and a function may share a name; where the name stands tells which is meant.
#[derive(Clone, Copy, PartialEq)]
enum Wanted {
    Module,
    Item,
}

/// More re-exports in a row than any name has: only globs that import each other go on for longer.
const MOST_REEXPORTS: usize = 8;

/// What a path means in a module; `None` if it leads out of the crate.
fn find(
    modules: &[Module],
    from: usize,
    path: &[String],
    wanted: Wanted,
    depth: usize,
) -> Option<Found> {
    let (first, mut rest) = path.split_first()?;
    let wanted_of = |rest: &[String]| if rest.is_empty() { wanted } else { Wanted::Module };
    let mut found = match first.as_str() {
        "crate" | "$crate" => Found::Module(0),
        "self" => Found::Module(from),
        "super" => Found::Module(modules[from].parent?),
        name => look_up(modules, from, name, wanted_of(rest), depth)?,
    };
    while let (Found::Module(inside), Some((name, later))) = (&found, rest.split_first()) {
        found = match name.as_str() {
            "super" => Found::Module(modules[*inside].parent?),
            "self" => Found::Module(*inside),
            name => look_up(modules, *inside, name, wanted_of(later), depth)?,
        };
        rest = later;
    }
    Some(found)
}

/// What a name means in a module.
fn look_up(
    modules: &[Module],
    from: usize,
    name: &str,
    wanted: Wanted,
    depth: usize,
) -> Option<Found> {
    if depth > MOST_REEXPORTS {
        return None;
    }
    let module = &modules[from];
    let child = module.children.get(name).map(|child| Found::Module(*child));
    if wanted == Wanted::Module && child.is_some() {
        return child;
    }
    if module.items.contains(name) {
        return Some(Found::Item(from));
    }
    let through = |import: &Import| {
        let mut path = import.path.clone();
        if import.name == "*" {
            path.push(name.to_owned());
        }
        // A glob may take its own names from its own module: `use self::Kind::*`.
        find(modules, from, &path, wanted, depth + 1)
    };
    let named = module.imports.iter().filter(|import| import.name == name);
    let globs = module.imports.iter().filter(|import| import.name == "*");
    // A path of one name leads out of the crate if it says no more than the name itself.
    let further = |import: &&Import| import.path.len() > 1 || import.name != name;
    named.filter(further).chain(globs).find_map(through).or(child)
}
