//! The book: its table of contents lists every page, every link leads somewhere, and every command in it is run by the
//! tests or is one of the few that cannot be.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use tioga_testkit::{files_below, root};

/// Programs whose commands are shown and not run: they install, build or serve.
const NOT_RUN: &[&str] = &[
    "cargo",
    "mdbook",
    ".ci/run",
    "git",
    "rustc",
    "cc",
    "TIOGA_BLESS=1",
    "TIOGA_GAMES=100000",
    "TIOGA_FORMULAS=10000",
];

/// Programs whose commands are run.
const RUN: &[&str] = &["tioga", "cat", "echo", "cd", "sed", "cp"];

fn docs() -> PathBuf {
    root().join("docs")
}

fn pages() -> Vec<PathBuf> {
    let mut pages = files_below(&docs());
    pages.retain(|path| path.extension().is_some_and(|end| end == "md"));
    pages
}

/// Where the links of a Markdown text lead, without those in code.
fn links(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            code = !code;
            continue;
        }
        if code {
            continue;
        }
        // What is between backticks is no link.
        let plain: String = line.split('`').step_by(2).collect();
        let mut rest = plain.as_str();
        while let Some(at) = rest.find("](") {
            let end = rest[at..].find(')').map_or(rest.len(), |end| at + end);
            found.push(rest[at + 2..end].to_owned());
            rest = &rest[end..];
        }
        for part in line.split("src=\"").skip(1) {
            found.extend(part.split('"').next().map(str::to_owned));
        }
    }
    found
}

/// The anchors that the headings of a page have.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut code = false;
    let mut found = BTreeSet::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            code = !code;
        }
        let title = line.trim_start_matches('#');
        if code || title.len() == line.len() {
            continue;
        }
        let kept = title.trim().to_lowercase().replace(' ', "-");
        found.insert(
            kept.chars().filter(|one| one.is_alphanumeric() || "-_".contains(*one)).collect(),
        );
    }
    found
}

/// What is wrong with the links of a page.
fn broken(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    let mut wrong = Vec::new();
    for link in links(&text) {
        if link.contains("://") || link.starts_with("mailto:") {
            continue;
        }
        let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
        let target =
            if file.is_empty() { path.to_owned() } else { path.parent().unwrap().join(file) };
        if !target.exists() {
            wrong.push(format!("{}: {link} does not exist", path.display()));
        } else if !anchor.is_empty()
            && !anchors(&fs::read_to_string(&target).unwrap()).contains(anchor)
        {
            wrong.push(format!("{}: {link} has no such heading", path.display()));
        }
    }
    wrong
}

#[test]
fn the_table_of_contents_lists_every_page_once() {
    let text = fs::read_to_string(docs().join("SUMMARY.md")).unwrap();
    let listed: Vec<PathBuf> = links(&text).iter().map(|link| docs().join(link)).collect();
    let once: BTreeSet<&PathBuf> = listed.iter().collect();
    assert_eq!(once.len(), listed.len(), "a page is listed twice");
    let missing: Vec<PathBuf> = pages()
        .into_iter()
        .filter(|page| !page.ends_with("SUMMARY.md") && !listed.contains(page))
        .collect();
    assert!(missing.is_empty(), "not in docs/SUMMARY.md: {missing:?}");
}

#[test]
fn every_link_leads_somewhere() {
    let mut files = pages();
    files.extend(["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].map(|name| root().join(name)));
    let wrong: Vec<String> = files.iter().flat_map(|path| broken(path)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_command_of_the_book_is_run() {
    let mut files = pages();
    files.push(root().join("README.md"));
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        let mut console = false;
        for line in text.lines() {
            if line.starts_with("```") {
                console = !console && line.trim_end() == "```console";
            }
            let Some(command) = line.strip_prefix("$ ").filter(|_| console) else { continue };
            let program = command.split(' ').next().unwrap();
            assert!(
                RUN.contains(&program) || NOT_RUN.contains(&program),
                "{}: `{command}` is not run by the tests",
                path.display()
            );
        }
    }
}

/// The table of commands in the README is by task, and still complete.
#[test]
fn the_readme_names_every_command() {
    let folder = crate::binary::Folder::new("commands");
    let help = folder.tioga(&["--help"], "").out;
    let commands: Vec<&str> = help
        .lines()
        .skip_while(|line| !line.starts_with("Commands:"))
        .skip(1)
        .take_while(|line| line.starts_with("  "))
        .filter(|line| !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|command| *command != "help")
        .collect();
    assert!(commands.len() > 25, "{commands:?}");
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    for command in commands {
        let named = ["`", " "].iter().any(|end| readme.contains(&format!("`tioga {command}{end}")));
        assert!(named, "README.md does not name `tioga {command}`");
    }
}

#[test]
fn a_broken_link_is_noticed() {
    let folder = tioga_testkit::folder("links");
    let page = folder.join("page.md");
    let text = "# A page\n[good](page.md#a-page) [wrong](no.md) [none](#nowhere) `[code](x)`\n\
                ```text\n[code](y)\n```\n<img src=\"z.svg\"> [out](https://example.org)\n";
    fs::write(&page, text).unwrap();
    let wrong = broken(&page);
    assert_eq!(wrong.len(), 3, "{wrong:?}");
}

/// If mdBook is installed, it builds the book without a complaint.
#[test]
fn mdbook_builds_the_book() {
    let Ok(version) = std::process::Command::new("mdbook").arg("--version").output() else {
        eprintln!("skipped: mdbook is not installed");
        return;
    };
    assert!(version.status.success());
    let target = tioga_testkit::folder("book");
    let output = std::process::Command::new("mdbook")
        .args(["build", "--dest-dir"])
        .arg(&target)
        .arg(docs())
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{told}");
    assert!(!told.contains("ERROR"), "{told}");
    assert!(target.join("index.html").exists());
    assert!(target.join("tutorial.html").exists());
}
