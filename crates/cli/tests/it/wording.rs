//! Plain words: no help, message or page uses a paraphrase that `docs/style.md` replaces.

use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::Visit;
use tioga_testkit::{files_below, root};

use crate::binary::Folder;

/// What is not written, in lower case. Words are whole words.
const WORDS: &[&str] =
    &["somebody", "nobody", "whoever", "anybody", "someone", "anyone", "whomever", "somebody's"];

/// Phrases that are not written, in lower case.
const PHRASES: &[&str] = &[
    "as little luck",
    "with luck",
    "needs luck",
    "how much luck",
    "as it gets",
    "on the wall",
    "as often and as",
    "whatever it is like",
    "to blame",
    "may be looked at",
    "answer that nothing forces",
    "do not count it against",
    "was late by",
    "cannot bear",
    "nothing wrong was seen",
    "which nothing explains",
    "something that makes no sense",
    "was not begun so",
];

/// The paraphrases in a text.
fn found(text: &str) -> Vec<&'static str> {
    // A line break inside a phrase does not hide it.
    let text = text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
    let mut all: Vec<&str> = PHRASES.iter().copied().filter(|one| text.contains(one)).collect();
    let words: Vec<&str> = text.split(|one: char| !one.is_alphanumeric() && one != '\'').collect();
    all.extend(WORDS.iter().filter(|one| words.contains(one)));
    all
}

/// The string literals of a source outside its tests, and the text of doc comments if they are help.
struct Strings {
    found: Vec<String>,
    help: bool,
}

impl<'ast> Visit<'ast> for Strings {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        let test = module.attrs.iter().any(|one| {
            one.path().is_ident("cfg")
                && one.parse_args::<syn::Ident>().is_ok_and(|condition| condition == "test")
        });
        if !test {
            syn::visit::visit_item_mod(self, module);
        }
    }

    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        // Doc comments of arguments are their help.
        if let (true, syn::Meta::NameValue(value)) = (self.help, &attribute.meta)
            && attribute.path().is_ident("doc")
        {
            syn::visit::visit_expr(self, &value.value);
        }
    }

    fn visit_macro(&mut self, one: &'ast syn::Macro) {
        self.tokens(one.tokens.clone());
    }

    fn visit_lit_str(&mut self, literal: &'ast syn::LitStr) {
        self.found.push(literal.value());
    }
}

impl Strings {
    /// Literals in the arguments of macros, such as `format!`.
    fn tokens(&mut self, tokens: proc_macro2::TokenStream) {
        for token in tokens {
            match token {
                proc_macro2::TokenTree::Group(group) => self.tokens(group.stream()),
                proc_macro2::TokenTree::Literal(literal) => {
                    if let Ok(literal) = syn::parse_str::<syn::LitStr>(&literal.to_string()) {
                        self.found.push(literal.value());
                    }
                }
                _ => {}
            }
        }
    }
}

fn sources() -> Vec<PathBuf> {
    let crates = fs::read_dir(root().join("crates")).unwrap();
    let mut files: Vec<PathBuf> =
        crates.flat_map(|one| files_below(&one.unwrap().path().join("src"))).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "rs"));
    files
}

fn messages(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    let help = path.to_string_lossy().contains("cli/src/args/");
    let mut strings = Strings { found: Vec::new(), help };
    strings.visit_file(&syn::parse_file(&text).unwrap());
    strings.found
}

#[test]
fn messages_use_plain_words() {
    let mut wrong = Vec::new();
    let mut seen = 0;
    for path in sources() {
        for message in messages(&path) {
            seen += 1;
            for one in found(&message) {
                wrong.push(format!("{}: `{one}` in {message:?}", path.display()));
            }
        }
    }
    assert!(seen > 2000, "the messages were not found: {seen}");
    assert!(wrong.is_empty(), "docs/style.md says what to write:\n{}", wrong.join("\n"));
}

#[test]
fn the_help_uses_plain_words() {
    let folder = Folder::new("help");
    let help = folder.tioga(&["--help"], "").out;
    let commands: Vec<String> = help
        .lines()
        .skip_while(|line| !line.starts_with("Commands:"))
        .skip(1)
        .take_while(|line| line.starts_with("  "))
        .filter(|line| !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next().map(str::to_owned))
        .collect();
    assert!(commands.len() > 20, "{commands:?}");
    for command in commands {
        let text = folder.tioga(&["help", &command], "").out;
        assert_eq!(found(&text), Vec::<&str>::new(), "tioga help {command}");
    }
}

#[test]
fn the_documentation_uses_plain_words() {
    let mut pages = files_below(&root().join("docs"));
    pages.extend(files_below(&root().join("examples")));
    pages.extend(files_below(&root().join("crates/tioga/templates")));
    pages.extend(["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"].map(|name| root().join(name)));
    pages.retain(|path| path.extension().is_some_and(|end| end == "md"));
    pages.retain(|path| !path.ends_with("docs/style.md"));
    assert!(pages.len() > 50);
    let mut wrong = Vec::new();
    for path in pages {
        let text = fs::read_to_string(&path).unwrap();
        wrong.extend(found(&text).iter().map(|one| format!("{}: `{one}`", path.display())));
    }
    assert!(wrong.is_empty(), "docs/style.md says what to write:\n{}", wrong.join("\n"));
}

#[test]
fn a_paraphrase_is_noticed() {
    assert_eq!(found("so that Nobody\nwaits"), ["nobody"]);
    assert_eq!(found("the system is not to\nblame"), ["to blame"]);
    assert_eq!(found("nobody-else's"), ["nobody"]);
    assert_eq!(found("the tester waits"), Vec::<&str>::new());
}
