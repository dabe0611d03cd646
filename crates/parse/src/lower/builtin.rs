//! Names that UPPAAL declares by itself: integer types by their width, and their limits.

use tioga_base::Span;
use tioga_model::Type;

use super::scope::{Constant, Meaning, Scopes, Symbol, Ty};

/// The types, with the names of their least and greatest values.
const TYPES: [(&str, &str, &str, i64, i64); 5] = [
    ("int8_t", "INT8_MIN", "INT8_MAX", i8::MIN as i64, i8::MAX as i64),
    ("uint8_t", "", "UINT8_MAX", 0, u8::MAX as i64),
    ("int16_t", "INT16_MIN", "INT16_MAX", i16::MIN as i64, i16::MAX as i64),
    ("uint16_t", "", "UINT16_MAX", 0, u16::MAX as i64),
    ("int32_t", "INT32_MIN", "INT32_MAX", i32::MIN as i64, i32::MAX as i64),
];

/// Declares them in the innermost scope; declarations of a model hide them.
pub(super) fn declare(scopes: &mut Scopes) {
    let mut put = |name: &str, meaning: Meaning| {
        // Each name is there once.
        let _ = scopes.declare(name, Symbol { meaning, span: Span::default() });
    };
    for (name, least, greatest, min, max) in TYPES {
        put(name, Meaning::Type(Ty::Data(Type::Int { min, max })));
        for (limit, value) in [(least, min), (greatest, max)] {
            if !limit.is_empty() {
                put(limit, Meaning::Constant(Constant::Int(value), Type::Integer));
            }
        }
    }
}
