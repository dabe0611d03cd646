//! Runs what the documentation shows. In `console` blocks, a line `$ tioga …` is run with the built
//! binary in an empty folder, one for each document, and the lines below it must be its output; a
//! line `...` stands for any lines, and no lines stand for any output. `< FILE` at its end feeds it
//! a file. `$ cat FILE` makes the file with the lines below it, or compares them with a file that is
//! there. `$ echo $?` shows the exit code. `$ cd FOLDER` goes to a folder below the first one, and back with `..`;
//! `$ sed …` and `$ cp …` are run, too. Commands of other programs are not run here.
//!
//! With `TIOGA_BLESS=1`, documents get the output there is now, and keep their `...`.

mod renewed;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::binary::{Folder, TIOGA, be_patient, patiently};
use renewed::renewed;
use tioga_testkit::root;

/// A command and the output shown for it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Shown {
    line: usize,
    command: String,
    output: Vec<String>,
}

/// The commands in the `console` blocks of a Markdown text.
fn shown(text: &str) -> Vec<Shown> {
    let mut all: Vec<Shown> = Vec::new();
    let (mut inside, mut started) = (false, false);
    for (index, line) in text.lines().enumerate() {
        if line.starts_with("```") {
            inside = !inside && line.trim_end() == "```console";
            started = false;
        } else if let (true, Some(command)) = (inside, line.strip_prefix("$ ")) {
            let command = command.trim().to_owned();
            all.push(Shown { line: index + 1, command, output: Vec::new() });
            started = true;
        } else if let (true, true, Some(last)) = (inside, started, all.last_mut()) {
            last.output.push(line.trim_end().to_owned());
        }
    }
    all
}

/// Splits a command line at spaces; single and double quotes keep a word together.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut word, mut open, mut begun) = (String::new(), None, false);
    for character in command.chars() {
        match (open, character) {
            (Some(quote), _) if quote == character => open = None,
            (Some(_), _) => word.push(character),
            (None, '\'' | '"') => (open, begun) = (Some(character), true),
            (None, ' ') => {
                if begun {
                    words.push(std::mem::take(&mut word));
                }
                begun = false;
            }
            (None, _) => {
                word.push(character);
                begun = true;
            }
        }
    }
    if begun {
        words.push(word);
    }
    words
}

/// Whether the lines fit the pattern, in which `...` stands for any number of lines.
fn matches(pattern: &[String], lines: &[String]) -> bool {
    match pattern.split_first() {
        None => lines.is_empty(),
        Some((first, rest)) if first.trim() == "..." => {
            (0..=lines.len()).any(|skipped| matches(rest, &lines[skipped..]))
        }
        Some((first, rest)) => {
            lines.split_first().is_some_and(|(line, lines)| line == first && matches(rest, lines))
        }
    }
}

/// Runs `tioga …` in a folder, with standard output and then standard error as lines, and the exit
/// code.
fn run(command: &str, folder: &Path) -> (Vec<String>, i32) {
    let (command, input) = match command.split_once(" < ") {
        Some((command, file)) => (command, fs::read(folder.join(file.trim())).unwrap()),
        None => (command, Vec::new()),
    };
    let words = words(command);
    let arguments: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
    let mut process = Command::new(TIOGA);
    process.args(patiently(&arguments)).current_dir(folder);
    let run = tioga_testkit::run(process.env("NO_COLOR", "1").env("COLUMNS", "100"), &input);
    (lines(&(run.out + &run.err)), run.code)
}

/// The lines of a text without blanks at their ends and without empty ones at the end.
fn lines(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = text.lines().map(|line| line.trim_end().to_owned()).collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// What came of running the commands of one text.
struct Checked {
    /// What is wrong and stays so.
    mistakes: Vec<String>,
    /// Outputs that are not what they were.
    outdated: Vec<String>,
    /// The text with the outputs there are.
    renewed: String,
}

/// Runs the commands of one text.
fn check(name: &str, text: &str) -> Checked {
    let (mut mistakes, mut outdated) = (Vec::new(), Vec::new());
    let mut text: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut code = 0;
    let top = tioga_testkit::folder(&name.replace(['/', '\\', '.'], "_"));
    let mut folder = top.clone();
    let mut replaced: Vec<(usize, usize, Vec<String>)> = Vec::new();
    let all = shown(&text.join("\n"));
    for (index, one) in all.iter().cloned().enumerate() {
        let place = format!("{name}:{}: `{}`", one.line, one.command);
        let actual = if one.command == "echo $?" {
            vec![code.to_string()]
        } else if let Some(file) = one.command.strip_prefix("cat ") {
            let path = folder.join(file.trim());
            if !path.exists() {
                fs::write(&path, one.output.join("\n") + "\n").unwrap();
            }
            lines(&fs::read_to_string(path).unwrap())
        } else if let Some(path) = one.command.strip_prefix("cd ") {
            folder = folder.join(path.trim()).canonicalize().unwrap_or_default();
            code = i32::from(!folder.starts_with(top.canonicalize().unwrap()));
            Vec::new()
        } else if one.command.starts_with("sed ") || one.command.starts_with("cp ") {
            let words = words(&one.command);
            let mut process = Command::new(&words[0]);
            let run = tioga_testkit::run(process.args(&words[1..]).current_dir(&folder), b"");
            code = run.code;
            lines(&(run.out + &run.err))
        } else if one.command == "tioga" || one.command.starts_with("tioga ") {
            let (lines, exit) = run(&one.command, &folder);
            code = exit;
            if let (Some(project), 0) = (one.command.strip_prefix("tioga new "), exit) {
                be_patient(&folder.join(project.split(' ').next().unwrap()));
            }
            // A command that is wrong may be shown, but not behind dots.
            let told = one.output.iter().any(|line| line.starts_with("error"))
                || all.get(index + 1).is_some_and(|next| next.command == "echo $?");
            if exit == 4 || (exit == 2 && !told) {
                mistakes.push(format!("{place} failed:\n{}", lines.join("\n")));
            }
            lines
        } else {
            continue;
        };
        let mut expected = one.output;
        while expected.last().is_some_and(String::is_empty) {
            expected.pop();
        }
        if expected.is_empty() {
            // Without shown output the reader expects success.
            if code != 0 {
                mistakes.push(format!("{place} exits with {code}:\n{}", actual.join("\n")));
            }
        } else if !matches(&expected, &actual) {
            outdated.push(format!("{place} prints\n{}", actual.join("\n")));
            replaced.push((one.line, expected.len(), renewed(&expected, &actual)));
        }
    }
    for (from, count, lines) in replaced.into_iter().rev() {
        text.splice(from..from + count, lines);
    }
    Checked { mistakes, outdated, renewed: text.join("\n") + "\n" }
}

/// The Markdown files whose commands are run.
fn documents() -> Vec<PathBuf> {
    let mut files = vec![root().join("README.md")];
    let examples = fs::read_dir(root().join("examples")).into_iter().flatten();
    files.extend(examples.map(|entry| entry.unwrap().path().join("README.md")));
    files.extend(tioga_testkit::files_below(&root().join("docs")));
    files.retain(|path| path.is_file() && path.extension().is_some_and(|end| end == "md"));
    files.sort();
    files
}

#[test]
fn the_documentation_shows_what_really_happens() {
    let bless = std::env::var_os("TIOGA_BLESS").is_some();
    let mut all = Vec::new();
    for path in documents() {
        let text = fs::read_to_string(&path).unwrap();
        let name = path.strip_prefix(root()).unwrap().display().to_string();
        let checked = check(&name, &text);
        all.extend(checked.mistakes);
        if !bless {
            all.extend(checked.outdated);
        } else if !checked.outdated.is_empty() {
            fs::write(&path, checked.renewed).unwrap();
        }
    }
    let hint = "`TIOGA_BLESS=1 cargo test -p tioga-cli --test it readme` renews outputs";
    assert!(all.is_empty(), "{}\n\n{hint}", all.join("\n\n"));
}

/// Draws the picture of the documentation that has this name; nothing if a program for it is missing. Most are what
/// `tioga convert @EXAMPLE -o EXAMPLE.svg` draws; `door` is the model of new projects, and `door-failed` the run of the README.
fn drawn(folder: &Folder, name: &str) -> Option<String> {
    let (model, place) = match name {
        "door" | "door-failed" => ("door.tioga".to_owned(), Folder(folder.0.join(name))),
        name => (format!("@{name}"), Folder(folder.0.clone())),
    };
    if name.starts_with("door") {
        assert_eq!(folder.tioga(&["new", name], "").code, 0);
        be_patient(&place.0);
    }
    let run = if name == "door-failed" {
        if Command::new("python3").arg("--version").output().is_err() {
            println!("skipped: python3 is not installed");
            return None;
        }
        let program = place.read("door.py");
        let kept = program.lines().filter(|line| !line.ends_with("count again"));
        place.write("door.py", kept.collect::<Vec<_>>().join("\n"));
        assert_eq!(place.tioga(&["test", "--purposes-only"], "").code, 1);
        place.tioga(&["report", "door.journal", "--timing", "drawn.svg"], "")
    } else {
        place.tioga(&["convert", &model, "-o", "drawn.svg"], "")
    };
    assert_eq!(run.code, 0, "{name}: {}", run.err);
    Some(place.read("drawn.svg"))
}

/// With `TIOGA_BLESS=1` they are drawn anew.
#[test]
fn the_pictures_of_the_documentation_are_drawn_by_the_binary() {
    let folder = Folder::new("pictures");
    let mut paths = tioga_testkit::files_below(&root().join("docs/pictures"));
    // Screenshots are made by `npm run pictures` in `studio`.
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "svg"));
    assert!(!paths.is_empty());
    for path in paths {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let Some(now) = drawn(&folder, name) else { continue };
        if std::env::var_os("TIOGA_BLESS").is_some() {
            fs::write(&path, &now).unwrap();
        }
        assert!(fs::read_to_string(&path).unwrap() == now, "{name}: the picture is not up to date");
    }
}

/// A picture stands where a reader sees it without scrolling.
#[test]
fn the_first_screen_of_the_readme_has_a_picture() {
    let text = fs::read_to_string(root().join("README.md")).unwrap();
    let first: Vec<&str> = text.lines().take(12).collect();
    let image = first.iter().find_map(|line| line.split_once("<img src=\"")).unwrap().1;
    assert!(root().join(image.split('"').next().unwrap()).exists(), "{image}");
}

#[test]
fn the_readme_has_commands_to_check() {
    let text = fs::read_to_string(root().join("README.md")).unwrap();
    assert!(shown(&text).iter().any(|one| one.command.starts_with("tioga ")));
}

#[test]
fn a_wrong_output_is_noticed() {
    let block = |body: &str| format!("text\n```console\n{body}\n```\n");
    let complaints = |name: &str, text: &str| {
        let checked = check(name, text);
        [checked.mistakes, checked.outdated].concat()
    };
    assert_eq!(complaints("t", &block("$ tioga --version\ntioga 0.0.0")).len(), 1);
    assert_eq!(complaints("t", &block("$ tioga --version\n...")).len(), 0);
    assert_eq!(complaints("t", &block("$ tioga no-such-command\n...\n$ echo $?\n2")).len(), 0);
    assert_eq!(complaints("t", &block("$ tioga no-such-command")).len(), 2);
    assert_eq!(complaints("t", &block("$ tioga no-such-command\n...")).len(), 1);
    assert_eq!(complaints("t", &block("$ rm -rf nothing\nfine")).len(), 0);
    let files = "$ cat a.tioga\nautomaton\n$ tioga fmt --stdin < a.tioga\n...\n$ echo $?\n2";
    assert_eq!(complaints("t", &block(files)).len(), 0);
    assert_eq!(complaints("t", &block("$ cat a\nb\n$ cat a\nc")).len(), 1);
    assert_eq!(complaints("t", &block("$ cat a\nb\n$ sed -i s/b/c/ a\n$ cat a\nc")).len(), 0);
    assert_eq!(complaints("t", &block("$ cd ..")).len(), 1);
    let inside = "$ tioga new p\n...\n$ cd p\n$ tioga check door.tioga\n...\n$ cd ..\n$ tioga new p\n...\n$ echo $?\n2";
    assert_eq!(complaints("t", &block(inside)).len(), 0);
}

#[test]
fn a_wrong_output_can_be_renewed() {
    let text = |shown: &str| {
        format!("a\n```console\n$ cat a.tioga\nautomaton\n\n{shown}\n\n$ rm a\nb\n```\nc\n")
    };
    let command = "$ tioga check no-such-file.tioga";
    let wrong = text(&format!("{command}\nall is well\n...\n$ echo $?\n0"));
    let renewed = check("renewed", &wrong).renewed;
    assert_eq!(check("renewed", &renewed).outdated, Vec::<String>::new(), "{renewed}");
    assert!(renewed.starts_with(&text("")[..38]), "{renewed}");
    assert!(renewed.contains("...\n$ echo $?\n2\n\n$ rm a\nb\n```\nc\n"), "{renewed}");
}

#[test]
fn dots_stand_for_any_lines_and_quotes_keep_words_together() {
    let lines = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    assert!(matches(&lines("a ... d"), &lines("a b c d")));
    assert!(matches(&lines("a ..."), &lines("a")));
    assert!(!matches(&lines("a ... c"), &lines("a b")));
    assert_eq!(words("tioga check 'a b' \"\"  c"), ["tioga", "check", "a b", "", "c"]);
}
