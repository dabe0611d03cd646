//! Test cases for synthesis, execution and checking.
//!
//! A [`RankTable`] gives, for each state of a timed game, the distance of the tester to its
//! objective and its advice: the answer of a solver, its strategy and its certificate in one. It
//! uses discrete states and clock bounds only, so a checker needs none of the solver's code. A
//! [`Trap`] shows that nothing can be enforced, without any ranks.
//!
//! A [`TestCase`] is executed by a tester: places, expected outputs, verdicts, and advice.

mod case;
mod cover;
mod data;
mod decide;
mod digest;
mod follow;
mod form;
mod goal;
mod luck;
mod naming;
mod older;
mod outlook;
mod rank;
mod schedule;
mod schema;
mod settled;
mod source;
mod symbolic;
mod table;
mod trap;
mod verdict;
mod walk;

pub use case::{
    Action, CASE_VERSION, CaseBound, CaseEdge, CasePlace, CaseRule, CaseSet, CaseZone, CompleteFor,
    Digest, Judgement, Luck, Origin, Shape, Suite, Summary, TestCase,
};
pub use cover::Cover;
pub use data::{CaseData, CaseStore, CaseVariable, EdgeData};
pub use decide::{Decision, decide};
pub use digest::SuitePart;
pub use follow::{Followed, Follower, Intention, guard};
pub use goal::{Before, CoverItem, Goal, Next};
pub use luck::{Intended, feared, intended_run, outcomes, rank_of};
pub use naming::{origins, place_name};
pub use rank::{Concept, Rank, Scope, Terms};
pub use schema::suite_schema;
pub use settled::{Settled, ViewPass};
pub use source::{ModelSource, QueryFile, ReadOptions};
pub use symbolic::{
    CaseChoice, CaseCondition, CaseExpiration, CaseMessage, CaseNode, CaseProgram, CaseStep,
    CaseSymbol, CaseTerm, CaseThreshold, CaseUpdate, ChoiceAct, SymbolRole, SymbolicCase,
};
pub use table::{Advice, Level, RankTable, Ranked, Rule, holds};
pub use trap::{Trap, TrapPlace};
pub use verdict::{Side, Verdict};
pub use walk::Walk;
