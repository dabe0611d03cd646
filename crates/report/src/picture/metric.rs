//! How wide a text is: the widths of Helvetica, which Arial shares. The drawing states the same width, so that every
//! viewer keeps to it whatever font it has.

/// Height of a line.
pub const LINE: i64 = 16;

/// The font sizes of locations and labels.
pub const SIZE: i64 = 13;
pub const LABEL_SIZE: i64 = 12;

/// The widths of the characters from the space to the tilde, in thousandths of the font size.
const WIDTHS: [i64; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/// The widths of other characters: the sign of multiplication, other Latin, Greek and Cyrillic letters, and the rest.
const TIMES: i64 = 584;
const LETTER: i64 = 722;
const WIDE: i64 = 1000;

/// The width of a line of text in pixels, rounded up.
pub fn width(line: &str, size: i64) -> i64 {
    let widths = line.chars().map(|character| {
        let index =
            u32::from(character).checked_sub(32).and_then(|index| usize::try_from(index).ok());
        index.and_then(|index| WIDTHS.get(index)).copied().unwrap_or(match character {
            '\u{d7}' => TIMES,
            '\u{a0}'..='\u{4ff}' => LETTER,
            _ => WIDE,
        })
    });
    (widths.sum::<i64>() * size + 999) / 1000
}

/// The size of a text of several lines.
pub fn text_size(lines: &[String], size: i64) -> (i64, i64) {
    let widest = lines.iter().map(|line| width(line, size)).max().unwrap_or(0);
    (widest, i64::try_from(lines.len()).unwrap_or(i64::MAX / 1024) * LINE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_those_of_the_font() {
        assert_eq!(width("", SIZE), 0);
        assert_eq!(width("i", 1000), 222);
        assert_eq!(width("W ~", 1000), 944 + 278 + 584);
        assert_eq!(width("\u{4e00}", 1000), 1000);
    }
}
