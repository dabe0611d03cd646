//! Names that UPPAAL declares by itself: integer types by their width, their limits, and the functions on
//! floating-point numbers, which are refused.

use tioga_base::{Diagnostic, Span};
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

/// The functions on floating-point numbers, in the order of UPPAAL's manual. `abs` is not among them: it is
/// about integers.
const FLOATING: &[&str] = &[
    "fabs",
    "fmod",
    "fma",
    "fmax",
    "fmin",
    "fdim",
    "exp",
    "exp2",
    "expm1",
    "ln",
    "log",
    "log10",
    "log2",
    "log1p",
    "pow",
    "sqrt",
    "cbrt",
    "hypot",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "erf",
    "erfc",
    "tgamma",
    "lgamma",
    "ceil",
    "floor",
    "trunc",
    "round",
    "fint",
    "ldexp",
    "ilogb",
    "logb",
    "nextafter",
    "copysign",
    "fpclassify",
    "isfinite",
    "isinf",
    "isnan",
    "isnormal",
    "signbit",
    "isunordered",
    "random",
    "random_arcsine",
    "random_beta",
    "random_gamma",
    "random_normal",
    "random_poisson",
    "random_tri",
    "random_weibull",
];

/// The refusal of a function of UPPAAL on floating-point numbers, if the name is one.
pub(super) fn floating(name: &str, span: Span) -> Option<Diagnostic> {
    FLOATING.contains(&name).then(|| {
        let message = format!("floating-point functions (`{name}`) are not supported");
        Diagnostic::unsupported("double", span, message).help(crate::clike::EXACT_DATA)
    })
}

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
