//! The C-like core shared by `.tioga` and UPPAAL: tokens, expressions, declarations, statements.
//!
//! The two dialects differ in their keywords and in little else; see [`Parser::new`].

mod declaration;
mod expression;
mod lexer;
mod parser;
mod statement;

pub(crate) use declaration::EXACT_DATA;
pub use lexer::{Lexed, Origin, Token, TokenKind, lex};
pub use parser::is_keyword;
pub use parser::{Failed, Parsed, Parser};

/// The name under which a power `a ** b` is kept as a call; no function can have it.
pub(crate) const POWER: &str = "**";

/// The name under which a rate `x'` is kept as a call while a file is read; no function can have it.
pub(crate) const RATE: &str = "'";
