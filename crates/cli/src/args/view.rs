//! Options of every command that may need a deterministic view of a model.

use std::str::FromStr;

use clap::Args;
use tioga::ViewOptions;
use tioga_base::Rational;

/// The resources of a deterministic view.
#[derive(Args, Debug, Clone, Copy)]
pub struct ViewArgs {
    /// Maximum of clocks of the deterministic view of a model whose state cannot be observed, or `auto` to try more
    /// and more
    #[arg(long, value_name = "COUNT", default_value = "auto")]
    pub clocks: ClocksArg,

    /// The greatest constant that clocks of the deterministic view may be compared with [default: the model's
    /// greatest; `auto` also tries larger ones]
    #[arg(long, value_name = "TIME")]
    pub max_constant: Option<Rational>,

    /// Maximum of steps of work for a deterministic view
    #[arg(long, value_name = "COUNT", default_value_t = tioga::DEFAULT_VIEW_STEPS)]
    pub max_steps: u64,
}

impl ViewArgs {
    /// The resources.
    pub fn options(&self) -> ViewOptions {
        let clocks = match self.clocks {
            ClocksArg::Auto => None,
            ClocksArg::Count(clocks) => Some(clocks),
        };
        ViewOptions { clocks, max_constant: self.max_constant, max_steps: self.max_steps }
    }
}

/// A number of clocks, or `auto`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClocksArg {
    /// As few as suffice.
    Auto,
    /// This many.
    Count(usize),
}

impl FromStr for ClocksArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "auto" {
            return Ok(Self::Auto);
        }
        text.parse().map(Self::Count).map_err(|_| "write a number or `auto`".to_owned())
    }
}
