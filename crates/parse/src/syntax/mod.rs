//! The document: what a model file says, before names are resolved.
//!
//! All front ends produce a [`Document`] and all text printers but the one for `.tck` print one,
//! so templates, functions, names and their order survive a conversion. [`lower`](crate::lower())
//! turns a document into the intermediate model.
//!
//! A document knows three dialects, because a few things mean different things in them; each
//! difference is listed at [`Dialect`].

mod declaration;
mod document;
mod expression;
mod name;
mod query;
mod template;
mod walk;

pub use declaration::{Block, Statement, StatementKind};
pub use declaration::{
    ChannelType, Declaration, DeclarationKind, Declarator, Field, Function, Initializer, Parameter,
    TypeExpr, TypeKind,
};
pub use document::{
    Comment, Dialect, Document, Instance, Item, ProcessUse, SyncPart, SyncVector, System, TimeUnit,
};
pub use expression::{AssignOp, CountOp, CountPosition, Expr, ExprKind};
pub use name::Name;
pub use query::{Formula, Objective, Query};
pub use template::{
    ActionUse, Communication, EdgeDecl, LocationDecl, Otherwise, Select, Target, Template,
    TemplateItem, TemplateKind,
};

pub(crate) use walk::{Change, Footprint};

pub use tioga_model::{BinaryOp, Control, Direction, Ends, Marks, Quantifier, UnaryOp, WallUnit};
