//! The modules of a crate import each other one way: no two files need each other, but for a few pairs inside one
//! folder.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use crate::imports::{Uses, mutual, uses};
use tioga_testkit::root;

/// Crates whose modules are not in order yet.
const PENDING: &[&str] = &[];

/// In the whole workspace, there are fewer pairs of files than this that need each other.
const PAIRS_LIMIT: usize = 10;

/// The sources of every crate: its name and its folder `src`.
fn crates() -> Vec<(String, PathBuf)> {
    let mut folders: Vec<PathBuf> =
        fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.push(root().join("models/families"));
    folders.retain(|folder| folder.join("Cargo.toml").is_file());
    folders.sort();
    let name = |folder: &PathBuf| folder.file_name().unwrap().to_str().unwrap().to_owned();
    folders.iter().map(|folder| (name(folder), folder.join("src"))).collect()
}

/// What the files of each root of a crate use: of its library, its binary or both.
fn uses_of_crates() -> Vec<(String, Uses)> {
    let crates = crates().into_iter().filter(|(name, _)| !PENDING.contains(&name.as_str()));
    let roots = crates.flat_map(|(name, folder)| {
        let roots = ["lib.rs", "main.rs"].into_iter().filter(|root| folder.join(root).is_file());
        let found: Vec<(String, Uses)> = roots
            .map(|root| {
                (name.clone(), uses(root, &|file| fs::read_to_string(folder.join(file)).ok()))
            })
            .collect();
        assert!(!found.is_empty(), "{name} has neither a library nor a binary");
        found
    });
    roots.collect()
}

/// The folder of a file.
fn folder(file: &str) -> &str {
    file.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The folder directly below `src` that a file is in, if it is in one.
fn room(file: &str) -> Option<&str> {
    file.split_once('/').map(|(room, _)| room)
}

#[test]
fn modules_import_each_other_one_way() {
    let crates = uses_of_crates();
    let pairs: Vec<(&str, &str, &str)> = crates
        .iter()
        .flat_map(|(name, uses)| {
            mutual(uses).into_iter().map(|(one, other)| (name.as_str(), one, other))
        })
        .collect();
    let lines = |pairs: &[(&str, &str, &str)]| {
        let lines = pairs.iter().map(|(name, one, other)| format!("  {name}: {one} <-> {other}\n"));
        lines.collect::<String>()
    };
    let across = pairs.iter().filter(|(_, one, other)| folder(one) != folder(other));
    let across: Vec<(&str, &str, &str)> = across.copied().collect();
    let (count, all) = (pairs.len(), lines(&pairs));
    assert!(count < PAIRS_LIMIT, "{count} pairs of files need each other:\n{all}");
    assert!(across.is_empty(), "files of different folders need each other:\n{}", lines(&across));
}

/// No file needs itself through two others or more.
#[test]
fn circles_are_no_longer_than_pairs() {
    for (name, uses) in uses_of_crates() {
        let pairs = mutual(&uses);
        for file in uses.keys() {
            let mut reached = BTreeSet::new();
            let mut waiting = vec![file];
            while let Some(next) = waiting.pop() {
                waiting.extend(uses[next].iter().filter(|other| reached.insert(*other)));
            }
            let paired = pairs.iter().any(|(one, other)| file == one || file == other);
            assert!(paired || !reached.contains(file), "{name}: {file} is in a circle");
        }
    }
}

/// No folder uses another that uses it, not even through other files.
#[test]
fn folders_import_each_other_one_way() {
    for (name, uses) in uses_of_crates() {
        let files = uses.iter().flat_map(|(one, used)| used.iter().map(move |other| (one, other)));
        let mut between: BTreeMap<(&str, &str), Vec<String>> = BTreeMap::new();
        for (one, other) in files {
            if let (Some(from), Some(to)) = (room(one), room(other)) {
                between.entry((from, to)).or_default().push(format!("  {one} -> {other}\n"));
            }
        }
        for ((from, to), there) in between.iter().filter(|((from, to), _)| from < to) {
            let back = between.get(&(*to, *from)).map_or(String::new(), |back| back.concat());
            let there = there.concat();
            assert!(back.is_empty(), "{name}: {from} and {to} need each other:\n{there}{back}");
        }
    }
}

/// The pairs in a crate made of the given files.
fn pairs_of(files: &[(&str, &str)]) -> Vec<(String, String)> {
    let files: BTreeMap<&str, &str> = files.iter().copied().collect();
    let uses = uses("lib.rs", &|file| files.get(file).map(|text| text.to_string()));
    mutual(&uses).into_iter().map(|(one, other)| (one.to_owned(), other.to_owned())).collect()
}

fn pair(one: &str, other: &str) -> Vec<(String, String)> {
    vec![(one.to_owned(), other.to_owned())]
}

#[test]
fn imports_both_ways_are_a_pair() {
    let a = ("a.rs", "use crate::b::{self, inner::Y, X};\npub struct A;");
    let b = ("b.rs", "pub mod inner { pub struct Y; }\npub struct X(super::a::A);");
    assert_eq!(pairs_of(&[("lib.rs", "mod a; mod b;"), a, b]), pair("a.rs", "b.rs"));
}

#[test]
fn one_way_is_no_pair() {
    let a = ("a.rs", "use crate::b::X;\npub struct A(X);");
    let b = ("b.rs", "pub struct X; #[cfg(test)] mod tests { use crate::a::A; }");
    assert_eq!(pairs_of(&[("lib.rs", "mod a; mod b; pub use a::A;"), a, b]), []);
}

#[test]
fn reexports_lead_to_what_they_export() {
    let root = ("lib.rs", "mod a; mod room; pub use a::A; pub use room::*;");
    let a = ("a.rs", "pub struct A; fn f() { matches!(g(), crate::Other(_)); }");
    let room = ("room/mod.rs", "mod b; pub(crate) use self::b::B as Other;");
    let b = ("room/b.rs", "use crate::A;\npub struct B(A);");
    assert_eq!(pairs_of(&[root, a, room, b]), pair("a.rs", "room/b.rs"));
}

#[test]
fn a_child_needs_its_parent_only_for_what_the_parent_defines() {
    let child = ("room/child.rs", "use super::{Parent, Sister};\npub fn f(_: Parent) {}");
    let sister = ("room/sister.rs", "pub struct Sister;");
    let root = ("lib.rs", "mod room;");
    let uses =
        "mod child; mod sister; use sister::Sister; pub struct Parent; fn g() { child::f(Parent) }";
    assert_eq!(
        pairs_of(&[root, ("room/mod.rs", uses), child, sister]),
        pair("room/child.rs", "room/mod.rs")
    );
    let declares = "mod child; mod sister; pub use {child::f, sister::Sister}; pub struct Parent;";
    assert_eq!(pairs_of(&[root, ("room/mod.rs", declares), child, sister]), []);
}

#[test]
fn modules_and_functions_of_one_name_are_told_apart() {
    let root = ("lib.rs", "mod lower; mod user; pub use lower::lower;");
    let lower = ("lower/mod.rs", "mod deep; pub fn lower() {} pub use deep::Deep;");
    let deep = ("lower/deep.rs", "pub struct Deep(crate::user::User);");
    let by_function = ("user.rs", "pub struct User; fn f() { crate::lower() }");
    assert_eq!(pairs_of(&[root, lower, deep, by_function]), []);
    let by_module = ("user.rs", "pub struct User; fn f(_: &dyn Fn(crate::lower::Deep)) {}");
    assert_eq!(pairs_of(&[root, lower, deep, by_module]), pair("lower/deep.rs", "user.rs"));
}

#[test]
fn attributes_name_modules_too() {
    let a = ("a.rs", "pub struct A { #[serde(with = \"crate::b::time\")] at: u8 }");
    let b = ("b.rs", "pub mod time { pub fn serialize(_: super::super::a::A) {} }");
    assert_eq!(pairs_of(&[("lib.rs", "mod a; mod b;"), a, b]), pair("a.rs", "b.rs"));
}

#[test]
fn ids_are_defined_by_a_macro() {
    let a = ("a.rs", "define_id! { NodeId = \"node\"; }\nuse crate::b::B;");
    let b = ("b.rs", "pub struct B(crate::a::NodeId);");
    assert_eq!(pairs_of(&[("lib.rs", "mod a; mod b;"), a, b]), pair("a.rs", "b.rs"));
}
