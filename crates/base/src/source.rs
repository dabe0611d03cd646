//! Source texts and positions in them.

/// One of the texts handed to a front end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct FileId(pub u32);

/// A half-open range of bytes in a source text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span {
    /// The text.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// Byte after the last.
    pub end: u32,
}

impl Span {
    /// The span of these bytes; ends are clamped to 32 bits and put in order.
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        let clamp = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Self { file, start: clamp(start), end: clamp(end.max(start)) }
    }

    /// The smallest span covering both. Both must lie in the same file.
    pub fn to(self, other: Self) -> Self {
        Self { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The empty span just after this one.
    pub fn after(self) -> Self {
        Self { start: self.end, ..self }
    }

    /// The bytes as a range.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A text with the name it is shown under.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// What diagnostics call it, usually a path.
    pub name: String,
    /// The text itself.
    pub text: String,
    /// Where each line starts.
    line_starts: Vec<usize>,
}

impl Source {
    /// A text under a name.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let (name, text) = (name.into(), text.into());
        let newlines = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let line_starts = std::iter::once(0).chain(newlines.map(|(at, _)| at + 1)).collect();
        Self { name, text, line_starts }
    }

    /// The line and column, both from 1, of a byte offset. Columns count characters.
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.line_starts.partition_point(|start| *start <= offset);
        let start = self.line_starts[line - 1];
        (line, self.text[start..offset].chars().count() + 1)
    }
}

/// The texts of one run, addressed by [`FileId`].
#[derive(Clone, Default, Debug)]
pub struct Sources {
    sources: Vec<Source>,
}

impl Sources {
    /// No text yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text and returns its id.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        let id = FileId(u32::try_from(self.sources.len()).expect("fewer than 2^32 sources"));
        self.sources.push(Source::new(name, text));
        id
    }

    /// The text with this id, if it was added here.
    pub fn get(&self, file: FileId) -> Option<&Source> {
        self.sources.get(file.0 as usize)
    }

    /// The part of a text a span covers; empty if the span does not fit.
    pub fn slice(&self, span: Span) -> &str {
        self.get(span.file).and_then(|source| source.text.get(span.range())).unwrap_or("")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_characters_from_one() {
        let source = Source::new("t", "aé\nb");
        assert_eq!(source.line_column(0), (1, 1));
        assert_eq!(source.line_column(3), (1, 3));
        assert_eq!(source.line_column(4), (2, 1));
        assert_eq!(source.line_column(99), (2, 2));
    }

    #[test]
    fn slices_outside_the_text_are_empty() {
        let mut sources = Sources::new();
        let file = sources.add("t", "abc");
        assert_eq!(sources.slice(Span::new(file, 1, 2)), "b");
        assert_eq!(sources.slice(Span::new(file, 2, 9)), "");
        assert_eq!(sources.slice(Span::new(FileId(7), 0, 1)), "");
    }
}
