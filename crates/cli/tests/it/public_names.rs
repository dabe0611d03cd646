//! How many names each crate exports: a crate that exports more than its share is two crates, or tells what no other
//! crate needs to know. Modules that are public themselves count with all they export, so nothing hides in them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use syn::{Item, UseTree, Visibility};
use tioga_testkit::root;

/// The most names that each crate may export. A crate that is not in this table is an error.
const CEILINGS: &[(&str, usize)] = &[
    ("adapters", 25),
    ("base", 35),
    ("certify", 20),
    ("concrete", 35),
    ("confirm", 25),
    ("conform", 10),
    ("determinize", 16),
    ("estimate", 25),
    ("execute", 45),
    ("explore", 15),
    ("games", 30),
    ("machines", 50),
    ("data", 30),
    ("grids", 55),
    ("model", 115),
    ("setexp", 90),
    ("smt", 5),
    ("terms", 30),
    ("mutate", 15),
    ("observe", 25),
    ("parse", 115),
    ("report", 75),
    ("symbolic", 35),
    ("synthesize", 5),
    ("testcase", 75),
    ("testkit", 25),
    ("tioga", 295),
    ("viewer", 10),
    ("views", 80),
    ("zones", 20),
];

/// The public names of a file, and of the public modules in it; `inside` is the folder of its modules.
fn exported(file: &Path, inside: &Path, path: &str, names: &mut BTreeSet<String>) {
    let text = fs::read_to_string(file).unwrap();
    items(&syn::parse_file(&text).unwrap().items, inside, path, names);
}

fn items(all: &[Item], inside: &Path, path: &str, names: &mut BTreeSet<String>) {
    for item in all {
        let (visibility, name) = match item {
            Item::Use(one) => {
                if matches!(one.vis, Visibility::Public(_)) {
                    leaves(&one.tree, path, names);
                }
                continue;
            }
            Item::Mod(one) => {
                let is_test = one.attrs.iter().any(|attribute| {
                    let condition = attribute.parse_args::<syn::Ident>();
                    attribute.path().is_ident("cfg") && condition.is_ok_and(|one| one == "test")
                });
                if matches!(one.vis, Visibility::Public(_)) && !is_test {
                    let (name, path) = (one.ident.to_string(), format!("{path}{}::", one.ident));
                    let folder = inside.join(&name);
                    match &one.content {
                        Some((_, content)) => items(content, &folder, &path, names),
                        None => {
                            let file = inside.join(format!("{name}.rs"));
                            let file = if file.is_file() { file } else { folder.join("mod.rs") };
                            exported(&file, &folder, &path, names);
                        }
                    }
                }
                continue;
            }
            Item::Const(one) => (&one.vis, &one.ident),
            Item::Enum(one) => (&one.vis, &one.ident),
            Item::Fn(one) => (&one.vis, &one.sig.ident),
            Item::Static(one) => (&one.vis, &one.ident),
            Item::Struct(one) => (&one.vis, &one.ident),
            Item::Trait(one) => (&one.vis, &one.ident),
            Item::Type(one) => (&one.vis, &one.ident),
            _ => continue,
        };
        if matches!(visibility, Visibility::Public(_)) {
            names.insert(format!("{path}{name}"));
        }
    }
}

fn leaves(tree: &UseTree, path: &str, names: &mut BTreeSet<String>) {
    match tree {
        UseTree::Path(one) => leaves(&one.tree, path, names),
        UseTree::Group(group) => group.items.iter().for_each(|one| leaves(one, path, names)),
        UseTree::Name(one) => drop(names.insert(format!("{path}{}", one.ident))),
        UseTree::Rename(one) => drop(names.insert(format!("{path}{}", one.rename))),
        UseTree::Glob(_) => panic!("a crate says what it exports, one name after the other"),
    }
}

#[test]
fn no_crate_exports_more_than_its_share() {
    let folders = fs::read_dir(root().join("crates")).unwrap();
    let mut crates: Vec<String> =
        folders.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    crates.sort();
    let mut wrong = Vec::new();
    for name in crates {
        let source = root().join("crates").join(&name).join("src");
        let library = source.join("lib.rs");
        if !library.is_file() {
            continue; // A binary exports nothing.
        }
        let mut names = BTreeSet::new();
        exported(&library, &source, "", &mut names);
        let count = names.len();
        assert!(count > 0, "{name} exports nothing");
        let ceiling = CEILINGS.iter().find(|(one, _)| *one == name).map(|(_, ceiling)| *ceiling);
        if ceiling.is_none_or(|ceiling| count > ceiling) {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            wrong.push(format!("{name}: {count} of {ceiling:?}: {}", names.join(" ")));
        }
    }
    assert!(wrong.is_empty(), "too many public names:\n{}", wrong.join("\n"));
}
