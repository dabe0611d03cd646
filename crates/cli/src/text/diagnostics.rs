//! Diagnostics as text with source excerpts, in the look of the Rust compiler, and as JSON.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Patch, Renderer, Snippet};
use tioga_base::{
    Diagnostic, Diagnostics, FileId, Remark, Severity, Source, Sources, Span, one_line, visible,
};
pub use tioga_views::results::diagnostics::json;

/// Whether escape codes for colours are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Text only.
    Plain,
    /// Colours by ANSI escape codes.
    Coloured,
}

/// All diagnostics with their excerpts, then how many there were; empty if there are none.
pub fn text(diagnostics: &Diagnostics, sources: &Sources, style: Style) -> String {
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Coloured => Renderer::styled(),
    };
    let mut text = String::new();
    for diagnostic in diagnostics {
        // The renderer replaces other characters that disturb, but not these controls.
        let shown = one(diagnostic, sources, &renderer);
        text.push_str(&shown.replace(|one: char| ('\u{80}'..='\u{9f}').contains(&one), "\u{fffd}"));
        text.push_str("\n\n");
    }
    if let Some(summary) = summary(diagnostics) {
        text.push_str(&summary);
        text.push('\n');
    }
    text
}

/// How many diagnostics there were, when that is not plain to see.
fn summary(diagnostics: &Diagnostics) -> Option<String> {
    if diagnostics.iter().len() < 2 && diagnostics.dropped() == 0 {
        return None;
    }
    let kept = |severity| diagnostics.iter().filter(|one| one.severity == severity).count();
    let counts = [
        (diagnostics.error_count(), "error"),
        (kept(Severity::Warning), "warning"),
        (kept(Severity::Note), "note"),
    ];
    let counts: Vec<String> = counts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}{}", if *count == 1 { "" } else { "s" }))
        .collect();
    let dropped = match diagnostics.dropped() {
        0 => String::new(),
        count => format!(" ({count} not shown)"),
    };
    Some(format!("{}{dropped}", counts.join(", ")))
}

fn one(diagnostic: &Diagnostic, sources: &Sources, renderer: &Renderer) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let title = level.primary_title(one_line(&diagnostic.message)).id(diagnostic.code);
    let mut group = title.elements(excerpts(diagnostic, sources));
    group = group.elements(diagnostic.notes.iter().map(|note| Level::NOTE.message(visible(note))));
    let patch = diagnostic.fix.as_ref().and_then(|fix| {
        let excerpt = Excerpt::new(sources, fix.span.file, &[fix.span])?;
        let patch = Patch::new(excerpt.range(fix.span), fix.replacement.as_str());
        let snippet =
            Snippet::source(excerpt.text).line_start(excerpt.line).path(one_line(excerpt.name));
        let help = visible(diagnostic.help.as_deref().unwrap_or("replace it"));
        Some(Group::with_title(Level::HELP.secondary_title(help)).element(snippet.patch(patch)))
    });
    match patch {
        Some(patch) => renderer.render(&[group, patch]),
        None => {
            let help = diagnostic.help.as_deref().map(|help| Level::HELP.message(visible(help)));
            renderer.render(&[group.elements(help)])
        }
    }
}

/// One excerpt per file the labels point into, the primary one first.
fn excerpts<'a>(
    diagnostic: &'a Diagnostic,
    sources: &'a Sources,
) -> Vec<annotate_snippets::Element<'a>> {
    let labels = || diagnostic.primary.iter().chain(&diagnostic.secondary);
    let mut files: Vec<FileId> = Vec::new();
    for label in labels() {
        if !files.contains(&label.span.file) {
            files.push(label.span.file);
        }
    }
    let mut elements = Vec::new();
    for file in files {
        let here: Vec<&Remark> = labels().filter(|label| label.span.file == file).collect();
        let spans: Vec<Span> = here.iter().map(|label| label.span).collect();
        let Some(excerpt) = Excerpt::new(sources, file, &spans) else { continue };
        if excerpt.text.is_empty() {
            elements.push(
                Origin::path(one_line(excerpt.name)).line(excerpt.line).char_column(1).into(),
            );
            continue;
        }
        let mut snippet =
            Snippet::source(excerpt.text).line_start(excerpt.line).path(one_line(excerpt.name));
        for label in here {
            let primary =
                diagnostic.primary.as_ref().is_some_and(|primary| std::ptr::eq(primary, label));
            let kind = if primary { AnnotationKind::Primary } else { AnnotationKind::Context };
            let text = (!label.text.is_empty()).then(|| one_line(&label.text));
            snippet = snippet.annotation(kind.span(excerpt.range(label.span)).label(text));
        }
        elements.push(snippet.into());
    }
    elements
}

/// The whole lines of a text that some spans touch. Only these are handed to the renderer, whose
/// time would otherwise grow with the file for every diagnostic.
struct Excerpt<'a> {
    name: &'a str,
    text: &'a str,
    /// The number of the first line, from 1.
    line: usize,
    /// The offset of the first byte in the whole text.
    start: usize,
}

impl<'a> Excerpt<'a> {
    fn new(sources: &'a Sources, file: FileId, spans: &[Span]) -> Option<Self> {
        let Source { name, text, .. } = sources.get(file)?;
        let first = spans.iter().map(|span| span.start as usize).min()?.min(text.len());
        let last = spans.iter().map(|span| span.end as usize).max()?.clamp(first, text.len());
        let bytes = text.as_bytes();
        let newline = |byte: &u8| *byte == b'\n';
        let start = bytes[..first].iter().rposition(newline).map_or(0, |newline| newline + 1);
        let end = bytes[last..].iter().position(newline).map_or(text.len(), |rest| last + rest);
        let line = bytes[..start].iter().filter(|byte| newline(byte)).count() + 1;
        Some(Self { name, text: &text[start..end], line, start })
    }

    /// A span relative to the excerpt, moved outwards to whole characters.
    fn range(&self, span: Span) -> std::ops::Range<usize> {
        let clamp = |offset: u32| (offset as usize).saturating_sub(self.start).min(self.text.len());
        let (mut start, mut end) = (clamp(span.start), clamp(span.end));
        while !self.text.is_char_boundary(start) {
            start -= 1;
        }
        while !self.text.is_char_boundary(end) {
            end += 1;
        }
        start..end
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MODEL: &str = "clock x;\ninput touch;\nOff -> Dim: tuoch? when x < 4;\n";

    fn example() -> (Diagnostics, Sources) {
        let mut sources = Sources::new();
        let file = sources.add("light.tioga", MODEL);
        let start = MODEL.find("tuoch").unwrap();
        let span = Span::new(file, start, start + 5);
        let mut diagnostics = Diagnostics::new();
        diagnostics.push(
            Diagnostic::error("unknown-name", span, "unknown action `tuoch`")
                .label("not declared")
                .also(Span::new(file, 15, 20), "a similar name is declared here")
                .note("actions are declared before they are used")
                .suggest(span, "tuoch", ["touch"]),
        );
        (diagnostics, sources)
    }

    #[test]
    fn a_diagnostic_shows_its_place_its_reason_and_its_remedy() {
        let (diagnostics, sources) = example();
        let expected = "\
error[unknown-name]: unknown action `tuoch`
 --> light.tioga:3:13
  |
2 | input touch;
  |       ----- a similar name is declared here
3 | Off -> Dim: tuoch? when x < 4;
  |             ^^^^^ not declared
  |
  = note: actions are declared before they are used
help: did you mean `touch`?
  |
3 - Off -> Dim: tuoch? when x < 4;
3 + Off -> Dim: touch? when x < 4;
  |

";
        assert_eq!(text(&diagnostics, &sources, Style::Plain), expected);
    }

    #[test]
    fn colours_are_escape_codes_and_plain_text_has_none() {
        let (diagnostics, sources) = example();
        assert!(text(&diagnostics, &sources, Style::Coloured).contains("\u{1b}["));
        assert!(!text(&diagnostics, &sources, Style::Plain).contains('\u{1b}'));
    }

    #[test]
    fn json_gives_lines_and_columns_from_one() {
        let (diagnostics, sources) = example();
        let value = json(&diagnostics, &sources);
        assert_eq!(value[0]["code"], "unknown-name");
        assert_eq!(value[0]["severity"], "error");
        let primary = &value[0]["primary"];
        assert_eq!(
            (&primary["line"], &primary["column"]),
            (&serde_json::json!(3), &serde_json::json!(13))
        );
        assert_eq!(primary["end_column"], 18);
        assert_eq!(value[0]["fix"]["replacement"], "touch");
    }

    #[test]
    fn what_is_not_shown_is_counted() {
        let mut diagnostics = Diagnostics::new();
        for index in 0..Diagnostics::CAPACITY + 7 {
            diagnostics.push(Diagnostic::global("x", format!("{index}")));
        }
        let text = text(&diagnostics, &Sources::new(), Style::Plain);
        assert!(text.ends_with("107 errors (7 not shown)\n"), "{text}");
    }

    #[test]
    fn no_diagnostics_print_nothing() {
        assert_eq!(text(&Diagnostics::new(), &Sources::new(), Style::Plain), "");
    }

    proptest! {
        #[test]
        fn any_span_in_any_text_is_rendered(
            source in "[ -~\n\té\u{0}\u{1b}\u{202e}𝄞]{0,40}",
            spans in prop::collection::vec((0usize..60, 0usize..60), 1..4),
        ) {
            let mut sources = Sources::new();
            let file = sources.add("t", source);
            let span = |(start, end): (usize, usize)| Span::new(file, start, end);
            let mut diagnostic = Diagnostic::error("x", span(spans[0]), "m").fix(span(spans[0]), "r");
            for &other in &spans[1..] {
                diagnostic = diagnostic.also(span(other), "other");
            }
            let mut diagnostics = Diagnostics::new();
            diagnostics.push(diagnostic);
            let rendered = text(&diagnostics, &sources, Style::Plain);
            prop_assert!(rendered.starts_with("error[x]: m"));
            let escaped = rendered.contains('\u{1b}');
            prop_assert!(!escaped);
            json(&diagnostics, &sources);
        }
    }
}
