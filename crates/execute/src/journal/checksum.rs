//! Lines that show whether they are whole and in their place: a JSON object whose last two fields are the
//! checksum of the line before and the CRC-32 of the object up to there.
//!
//! `{"run":3}` becomes `{"run":3,"after":"00000000","crc":"4fcc6a9d"}`: the line stays JSON, and a reader
//! that does not need the checksums can ignore two fields. The CRC-32 is that of ISO-HDLC, gzip and PNG.
//! Because a checksum covers the one before, a line fits in one place only: lines that were deleted,
//! doubled or swapped are noticed at the line after.

/// What comes between an object and the checksum of the line before.
const AFTER: &[u8] = b",\"after\":\"";

/// What comes between that and the checksum.
const MARK: &[u8] = b"\",\"crc\":\"";

/// How many hexadecimal digits a checksum has.
const DIGITS: usize = 8;

/// Both checksums with their marks, a quote and the closing brace.
const TAIL: usize = AFTER.len() + DIGITS + MARK.len() + DIGITS + 2;

/// The checksums of lines up to one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Chain(u32);

/// Puts the checksums into an object that is not empty, and ends the line, which is the next of the chain.
pub fn seal(object: &mut Vec<u8>, chain: Chain) -> Chain {
    let brace = object.pop();
    debug_assert_eq!(brace, Some(b'}'), "only objects are sealed");
    object.extend_from_slice(AFTER);
    object.extend_from_slice(format!("{:08x}", chain.0).as_bytes());
    let crc = crc32fast::hash(object);
    object.extend_from_slice(MARK);
    object.extend_from_slice(format!("{crc:08x}\"}}\n").as_bytes());
    Chain(crc)
}

/// Takes the checksums out of a line without its end, and leaves the object, if they fit together and the
/// line is the next of the chain.
pub fn unseal(line: &mut Vec<u8>, chain: Chain) -> Result<Chain, &'static str> {
    let Some(start) = line.len().checked_sub(TAIL) else {
        return Err("it is too short to have a checksum");
    };
    let Some((after, crc)) = checksums(&line[start..]) else {
        return Err("it has no checksum");
    };
    if crc32fast::hash(&line[..start + AFTER.len() + DIGITS]) != crc {
        return Err("its checksum is wrong");
    }
    line.truncate(start);
    line.push(b'}');
    if after != chain.0 {
        return Err("it does not follow the line before: a line was removed, doubled or moved");
    }
    Ok(Chain(crc))
}

/// The two checksums at the end of a line.
fn checksums(tail: &[u8]) -> Option<(u32, u32)> {
    let (after, rest) = tail.strip_prefix(AFTER)?.split_at_checked(DIGITS)?;
    let crc = rest.strip_prefix(MARK)?.strip_suffix(b"\"}")?;
    Some((number(after)?, number(crc)?))
}

/// Only the digits that are written are read, so that no other line counts as the same.
fn number(digits: &[u8]) -> Option<u32> {
    let plain = digits.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let text = std::str::from_utf8(digits).ok().filter(|_| plain)?;
    u32::from_str_radix(text, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sealed(object: &[u8], chain: Chain) -> (Vec<u8>, Chain) {
        let mut line = object.to_vec();
        let next = seal(&mut line, chain);
        assert_eq!(line.pop(), Some(b'\n'));
        (line, next)
    }

    #[test]
    fn the_checksum_is_the_well_known_one() {
        let (line, Chain(crc)) = sealed(br#"{"run":3}"#, Chain::default());
        assert_eq!(crc, crc32fast::hash(br#"{"run":3,"after":"00000000"#));
        assert_eq!(line, format!(r#"{{"run":3,"after":"00000000","crc":"{crc:08x}"}}"#).as_bytes());
        assert_eq!(crc32fast::hash(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn a_sealed_line_is_json_and_gives_its_object_back() {
        let (mut line, next) = sealed(br#"{"run":3}"#, Chain(7));
        let value: serde_json::Value = serde_json::from_slice(&line).unwrap();
        assert_eq!(
            (&value["after"], value["crc"].as_str().map(str::len)),
            (&"00000007".into(), Some(8))
        );
        assert_eq!(unseal(&mut line, Chain(7)), Ok(next));
        assert_eq!(line, br#"{"run":3}"#);
    }

    #[test]
    fn a_line_fits_in_one_place_only() {
        let (first, after_first) = sealed(br#"{"run":3}"#, Chain::default());
        let (second, _) = sealed(br#"{"run":3}"#, after_first);
        assert_ne!(first, second);
        assert!(unseal(&mut second.clone(), Chain::default()).is_err());
        assert!(unseal(&mut first.clone(), after_first).is_err());
        assert!(unseal(&mut second.clone(), after_first).is_ok());
    }

    #[test]
    fn every_changed_bit_is_noticed() {
        let (line, _) = sealed(br#"{"run":3,"event":"begin"}"#, Chain(9));
        for position in 0..line.len() {
            for bit in 0..8 {
                let mut wrong = line.clone();
                wrong[position] ^= 1 << bit;
                assert!(unseal(&mut wrong, Chain(9)).is_err(), "bit {bit} of byte {position}");
            }
        }
    }
}
