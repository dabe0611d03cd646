//! Shared helpers for the integration tests of the workspace: models from text, files and examples; test cases for them (feature
//! `cases`); a check of pictures (feature `pictures`); folders, ports and processes. Errors panic, with the wrong text and the reason.
//!
//! The crate may depend on crates whose tests depend on it: integration tests link the same library
//! as this crate does. Unit tests do not, so they cannot use it.

#[cfg(feature = "cases")]
mod cases;
mod folders;
mod models;
#[cfg(feature = "pictures")]
mod pictures;
mod places;
mod ports;
mod processes;

#[cfg(feature = "cases")]
pub use cases::{SHAPES, test_case};
pub use folders::folder;
pub use models::{lower, model, model_file, model_in, network, network_in, objectives};
#[cfg(feature = "pictures")]
pub use pictures::picture_flaws;
pub use places::{
    all_examples, example, example_files, example_text, files_below, root, shared_models,
};
pub use ports::free_port;
pub use processes::{HANGING, Run, alone_with, run, run_counting, wait_for};
