//! Names that UPPAAL reserves get an underscore behind them, everywhere alike.

use std::collections::BTreeSet;

use crate::rename::rename_reserved;
use crate::syntax::{Change, Dialect, Document};

/// Words no name may be, in any text of ours or UPPAAL's.
const KEYWORDS: &str = "and assign bool branchpoint broadcast chan clock commit const deadlock do \
    else exists false for forall guard if imply init int meta not or process return scalar select \
    state struct sum sync system trans true typedef urgent void while hybrid double string dynamic \
    import spawn";

/// Further words UPPAAL reserves, some of them only since recent versions.
const RESERVED: &str = "probability xor switch case default break continue before_update \
    after_update progress gantt assert IO priority control control_t simulation minE loadStrategy \
    saveStrategy maxE minPr maxPr under imitate strategy simulate sat Pmax Pr abs fabs fmod fma \
    fmax fmin fdim exp exp2 expm1 ln log log10 log2 log1p pow sqrt cbrt hypot sin cos tan asin \
    acos atan atan2 sinh cosh tanh asinh acosh atanh erf erfc tgamma lgamma ceil floor trunc round \
    fint ldexp ilogb logb nextafter copysign fpclassify isfinite isinf isnan isnormal signbit \
    isunordered random random_arcsine random_beta random_gamma random_normal random_poisson \
    random_tri random_weibull exit numOf foreach query location";

/// Renames what UPPAAL cannot read as a name. A document that came from UPPAAL keeps the words that
/// only some versions reserve: its author's version did not.
pub(super) fn rename(document: &mut Document) {
    let mut reserved: BTreeSet<&str> = KEYWORDS.split_whitespace().collect();
    if document.dialect != Dialect::Uppaal {
        reserved.extend(RESERVED.split_whitespace());
    }
    rename_reserved(document, |name| reserved.contains(name));
}

/// All names of a document.
pub(super) fn all_names(document: &mut Document) -> BTreeSet<String> {
    #[derive(Default)]
    struct Collect(BTreeSet<String>);
    impl Change for Collect {
        fn identifier(&mut self, text: &mut String) {
            self.0.insert(text.clone());
        }
    }
    let mut names = Collect::default();
    document.change(&mut names);
    names.0
}
