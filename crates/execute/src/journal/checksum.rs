//! Lines that show whether they are whole: a JSON object whose last field is the CRC-32 of the
//! object without it.
//!
//! `{"run":3}` becomes `{"run":3,"crc":"d0aed793"}`: the line stays JSON, and a reader that does not
//! need the checksum can ignore a field. The CRC-32 is that of ISO-HDLC, gzip and PNG.

/// What comes between an object and its checksum.
const MARK: &[u8] = b",\"crc\":\"";

/// The mark, eight hexadecimal digits, a quote and the closing brace.
const TAIL: usize = MARK.len() + 8 + 2;

/// Puts the checksum into an object that is not empty, and ends the line.
pub fn seal(object: &mut Vec<u8>) {
    let crc = crc32fast::hash(object);
    let brace = object.pop();
    debug_assert_eq!(brace, Some(b'}'), "only objects are sealed");
    object.extend_from_slice(MARK);
    object.extend_from_slice(format!("{crc:08x}\"}}\n").as_bytes());
}

/// Takes the checksum out of a line without its end, and leaves the object, if they fit together.
pub fn unseal(line: &mut Vec<u8>) -> Result<(), &'static str> {
    let Some(start) = line.len().checked_sub(TAIL) else {
        return Err("it is too short to have a checksum");
    };
    let digits = line[start..].strip_prefix(MARK).and_then(|rest| rest.strip_suffix(b"\"}"));
    let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
    // Only the digits that are written are read, so that no other line counts as the same.
    let plain = |text: &&str| text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let written = digits.filter(plain).and_then(|text| u32::from_str_radix(text, 16).ok());
    let Some(written) = written else { return Err("it has no checksum") };
    line.truncate(start);
    line.push(b'}');
    if crc32fast::hash(line) == written { Ok(()) } else { Err("its checksum is wrong") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_the_well_known_one() {
        let mut line = br#"{"run":3}"#.to_vec();
        seal(&mut line);
        assert_eq!(line, b"{\"run\":3,\"crc\":\"d0aed793\"}\n");
        assert_eq!(crc32fast::hash(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn a_sealed_line_is_json_and_gives_its_object_back() {
        let mut line = br#"{"run":3}"#.to_vec();
        seal(&mut line);
        assert_eq!(line.pop(), Some(b'\n'));
        let value: serde_json::Value = serde_json::from_slice(&line).unwrap();
        assert_eq!(value["crc"].as_str().map(str::len), Some(8));
        unseal(&mut line).unwrap();
        assert_eq!(line, br#"{"run":3}"#);
    }

    #[test]
    fn every_changed_bit_is_noticed() {
        let mut line = br#"{"run":3,"event":"begin"}"#.to_vec();
        seal(&mut line);
        line.pop();
        for position in 0..line.len() {
            for bit in 0..8 {
                let mut wrong = line.clone();
                wrong[position] ^= 1 << bit;
                assert!(unseal(&mut wrong).is_err(), "bit {bit} of byte {position}");
            }
        }
    }
}
