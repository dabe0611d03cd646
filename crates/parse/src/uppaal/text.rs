//! The text inside an XML element, decoded, with a map back to the bytes of the file.

use roxmltree::Node;
use tioga_base::{FileId, Span};

use crate::clike::Origin;

/// A decoded text and where it came from.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    /// The decoded text.
    pub text: String,
    /// Maps its offsets to the file.
    pub origin: Origin,
}

impl Piece {
    /// The place of the text without surrounding white space.
    pub fn span(&self) -> Span {
        let start = self.text.len() - self.text.trim_start().len();
        let end = self.text.trim_end().len();
        self.origin.span(start.min(end), end)
    }

    /// Whether there is nothing but white space.
    pub fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }
}

/// The character data of an element. Comments and child elements contribute nothing.
pub(super) fn content(file: FileId, source: &str, element: Node<'_, '_>) -> Piece {
    let range = element.range();
    let raw = source.get(range.clone()).unwrap_or("");
    let open = open_tag_length(raw);
    if raw[..open].ends_with("/>") {
        let text = String::new();
        return Piece { text, origin: Origin::piece(file, vec![(0, range.start + open)]) };
    }
    let close = raw.rfind("</").unwrap_or(raw.len()).max(open);
    decode(file, &raw[open..close], range.start + open)
}

/// The place of an element's opening tag.
pub(super) fn open_tag(file: FileId, source: &str, element: Node<'_, '_>) -> Span {
    let range = element.range();
    let raw = source.get(range.clone()).unwrap_or("");
    Span::new(file, range.start, range.start + open_tag_length(raw))
}

fn open_tag_length(raw: &str) -> usize {
    let mut quote = None;
    for (at, byte) in raw.bytes().enumerate() {
        match (quote, byte) {
            (None, b'>') => return at + 1,
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            _ => {}
        }
    }
    raw.len()
}

fn decode(file: FileId, raw: &str, base: usize) -> Piece {
    let mut text = String::with_capacity(raw.len());
    let mut anchors = vec![(0, base)];
    let mut at = 0;
    while at < raw.len() {
        let rest = &raw[at..];
        let plain = rest.find(['&', '<', '\r']).unwrap_or(rest.len());
        text.push_str(&rest[..plain]);
        at += plain;
        let rest = &raw[at..];
        if rest.is_empty() {
            break;
        }
        let length = special_length(rest);
        if rest.starts_with("<![CDATA[") {
            let end = rest.find("]]>").unwrap_or(rest.len());
            anchors.push((text.len(), base + at));
            anchors.push((text.len(), base + at + 9));
            text.push_str(rest.get(9..end).unwrap_or(""));
            anchors.push((text.len(), base + at + end));
        } else if rest.starts_with('<') {
            anchors.push((text.len(), base + at));
        } else if rest.starts_with('\r') {
            text.push('\n');
        } else {
            text.push(entity(&rest[..length]).unwrap_or('\u{fffd}'));
        }
        at += length;
        anchors.push((text.len(), base + at));
    }
    Piece { text, origin: Origin::piece(file, anchors) }
}

/// How many bytes of the file a construct at the start of `rest` takes.
fn special_length(rest: &str) -> usize {
    let through = |end: &str| rest.find(end).map_or(rest.len(), |at| at + end.len());
    if rest.starts_with("<![CDATA[") {
        through("]]>")
    } else if rest.starts_with("<!--") {
        through("-->")
    } else if rest.starts_with('<') {
        open_tag_length(rest)
    } else if rest.starts_with('&') {
        through(";")
    } else {
        1 + usize::from(rest.starts_with("\r\n"))
    }
}

/// The character a reference such as `&lt;` or `&#60;` stands for.
fn entity(reference: &str) -> Option<char> {
    let name = reference.strip_prefix('&')?.strip_suffix(';')?;
    match name {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "amp" => Some('&'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let digits = name.strip_prefix('#')?;
            let code = match digits.strip_prefix('x') {
                Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16).ok()?,
                None => digits.parse().ok()?,
            };
            char::from_u32(code)
        }
    }
}

/// Whether a text can be a name.
pub(super) fn is_identifier(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(raw: &str) -> Piece {
        let document = roxmltree::Document::parse(raw).unwrap();
        content(FileId(0), raw, document.root_element())
    }

    #[test]
    fn every_decoded_character_knows_its_bytes() {
        let raw = "<l a='>'>x &lt;= <![CDATA[1<y]]>&#38;&#x3e;\r\nz<!-- no --></l>";
        let piece = piece(raw);
        assert_eq!(piece.text, "x <= 1<y&>\nz");
        let source = |start: usize, end: usize| &raw[piece.origin.span(start, end).range()];
        assert_eq!(source(0, 1), "x");
        assert_eq!(source(2, 4), "&lt;=");
        assert_eq!(source(5, 6), "1");
        assert_eq!(source(7, 8), "y");
        assert_eq!(source(8, 9), "&#38;");
        assert_eq!(source(9, 10), "&#x3e;");
        assert_eq!(source(11, 12), "z");
    }

    #[test]
    fn a_token_before_cdata_ends_before_it() {
        let raw = "<l>a<![CDATA[+b]]></l>";
        assert_eq!(&raw[piece(raw).origin.span(0, 1).range()], "a");
    }

    #[test]
    fn an_empty_element_has_an_empty_text() {
        assert!(piece("<l/>").is_blank());
        assert!(piece("<l> </l>").is_blank());
    }
}
