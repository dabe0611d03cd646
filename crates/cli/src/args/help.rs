//! Texts of the help.

/// A text whose paragraphs are one line each, so that they are wrapped to the width of the terminal.
/// Lines that are indented, and headings that end in a colon, stay as they are.
pub fn paragraphs(text: &str) -> String {
    let mut all = String::new();
    let mut open = false;
    for line in text.lines() {
        let kept = line.is_empty() || line.starts_with(' ') || line.ends_with(':');
        if open && !kept {
            all.push(' ');
        } else if !all.is_empty() {
            all.push('\n');
        }
        all.push_str(line);
        open = !kept;
    }
    all
}
