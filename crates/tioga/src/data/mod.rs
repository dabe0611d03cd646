//! Messages with many values, for all exploration: the model over one representative of each class of its data,
//! runs over representatives as runs of the model, and the meaning of representatives in words.

mod cover;
mod pair;
mod view;
mod words;

pub(crate) use cover::{decide_by_covers, is_needed};
pub(crate) use pair::related;
pub use view::DataView;
pub(crate) use view::{conditions, follows_classes, parts};
