//! Questions to a solver process, and its answers as checked values.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::Duration;

use tioga_terms::{Answer, Assignment, Decide, Formula, Sort, Symbol, SymbolId, Symbols, smt_lib};

use crate::expression::{Expression, first};
use crate::process::Process;

/// An SMT solver as a process, started when it is first asked.
#[derive(Debug)]
pub struct Solver {
    program: String,
    arguments: Vec<String>,
    limit: Duration,
    process: Option<Process>,
    /// Conditions that all questions have in common, the last one on top.
    levels: Vec<Level>,
}

/// A condition that is assumed.
#[derive(Debug)]
struct Level {
    /// What it declares and asserts.
    text: Result<String, String>,
    declared: BTreeSet<SymbolId>,
    condition: Formula,
}

impl Solver {
    /// A solver by the name or path of its program. `z3` and `cvc5` get the arguments they need; others get
    /// none.
    pub fn new(program: &str) -> Self {
        let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
        let arguments: &[&str] = if name.starts_with("z3") {
            &["-smt2", "-in"]
        } else if name.starts_with("cvc5") {
            &["--quiet", "--lang=smt2", "--incremental", "--produce-models"]
        } else {
            &[]
        };
        Self::with_arguments(program, arguments.iter().map(|text| (*text).to_owned()))
    }

    /// A solver with other arguments. It reads SMT-LIB 2.6 and writes to its standard output.
    pub fn with_arguments(program: &str, arguments: impl IntoIterator<Item = String>) -> Self {
        Self {
            program: program.to_owned(),
            arguments: arguments.into_iter().collect(),
            limit: Duration::from_secs(10),
            process: None,
            levels: Vec::new(),
        }
    }

    /// The first of `z3` and `cvc5` that is installed and works.
    pub fn installed() -> Option<Self> {
        let works = |program: &&str| Self::new(program).works();
        ["z3", "cvc5"].iter().find(|program| works(program)).map(|program| Self::new(program))
    }

    /// The same solver with another time limit for each question.
    pub fn with_limit(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    /// The name of the program.
    pub fn program(&self) -> &str {
        &self.program
    }

    /// The number of its process, if that runs.
    pub fn process(&self) -> Option<u32> {
        self.process.as_ref().map(Process::number)
    }

    /// Whether it answers a simple question.
    pub fn works(&mut self) -> bool {
        let mut symbols = Symbols::new();
        let x = symbols.int("x", Some(1), Some(1));
        let term = tioga_terms::Term::symbol(x);
        let formula = Formula::at_most(&symbols, &term, &tioga_terms::Term::int(1));
        formula.is_ok_and(|formula| matches!(self.decide(&symbols, &formula), Answer::Holds(_)))
    }

    /// Assumes a condition for the questions to come, until [`pop`](Self::pop).
    ///
    /// Pre: until then, all questions are about these symbols, and what was added to them.
    pub fn push(&mut self, symbols: &Symbols, condition: &Formula) {
        let (text, declared) = self.assertion(symbols, condition);
        let level = Level { text, declared, condition: condition.clone() };
        let sent = match (&mut self.process, &level.text) {
            (Some(process), Ok(text)) => process.ask(&format!("(push 1)\n{text}"), self.limit),
            _ => Ok(String::new()),
        };
        if !sent.is_ok_and(|answer| answer.trim().is_empty()) {
            // The next question starts the process again, and repeats all levels.
            self.process = None;
        }
        self.levels.push(level);
    }

    /// Forgets the condition that was assumed last.
    pub fn pop(&mut self) {
        let Some(level) = self.levels.pop() else { return };
        if let (Some(process), Ok(_)) = (&mut self.process, &level.text)
            && !process.ask("(pop 1)", self.limit).is_ok_and(|answer| answer.trim().is_empty())
        {
            self.process = None;
        }
    }

    /// The declarations and assertions of a formula, with the symbols that it declares.
    fn assertion(
        &self,
        symbols: &Symbols,
        formula: &Formula,
    ) -> (Result<String, String>, BTreeSet<SymbolId>) {
        let mut declared = formula.symbols();
        declared.retain(|symbol| !self.levels.iter().any(|level| level.declared.contains(symbol)));
        let mut text = String::new();
        for id in &declared {
            let Symbol { sort, low, high, .. } = symbols[*id];
            let name = name(*id);
            let sort_name = if sort == Sort::Int { "Int" } else { "Real" };
            let _ = writeln!(text, "(declare-const {name} {sort_name})");
            let number = |value: i64| {
                let dot = if sort == Sort::Int { "" } else { ".0" };
                let size = value.unsigned_abs();
                if value < 0 { format!("(- {size}{dot})") } else { format!("{size}{dot}") }
            };
            if let Some(low) = low {
                let _ = writeln!(text, "(assert (<= {} {name}))", number(low));
            }
            if let Some(high) = high {
                let _ = writeln!(text, "(assert (<= {name} {}))", number(high));
            }
        }
        // Names of symbols may hold anything, and two may be the same; their numbers do not.
        let plain: Symbols = renamed(symbols);
        let text = match smt_lib(&plain, formula) {
            Some(formula) => {
                let _ = writeln!(text, "(assert {formula})");
                Ok(text)
            }
            None => {
                let reason = "an operation on bits has no counterpart in the solver's arithmetic";
                Err(reason.to_owned())
            }
        };
        (text, declared)
    }

    /// Starts the process if it does not run, and repeats all levels.
    fn running(&mut self) -> Result<&mut Process, String> {
        if self.process.is_none() {
            let mut process = Process::start(&self.program, &self.arguments)?;
            let mut text =
                "(set-option :print-success false)\n(set-option :produce-models true)\n(set-logic ALL)"
                    .to_owned();
            for level in &self.levels {
                let _ = write!(text, "\n(push 1)\n{}", level.text.clone()?);
            }
            let answer = process.ask(&text, self.limit)?;
            if !answer.trim().is_empty() {
                return Err(nonsense(&answer));
            }
            self.process = Some(process);
        }
        self.process.as_mut().ok_or_else(|| "the solver does not run".to_owned())
    }

    /// The answer to a question; an error if the process cannot be asked further.
    fn question(&mut self, symbols: &Symbols, formula: &Formula) -> Result<Answer, String> {
        let (text, mut asked) = self.assertion(symbols, formula);
        let text = match self.levels.iter().find_map(|level| level.text.clone().err()) {
            Some(reason) => Err(reason),
            None => text,
        };
        let text = match text {
            Ok(text) => text,
            Err(reason) => return Ok(Answer::Unknown(reason)),
        };
        for level in &self.levels {
            asked.extend(level.declared.iter().copied());
        }
        let limit = self.limit;
        let process = self.running()?;
        let answer = process.ask(&format!("(push 1)\n{text}(check-sat)"), limit)?;
        let found = match answer.trim() {
            "unsat" => Answer::Never,
            "unknown" => Answer::Unknown("the solver does not know".to_owned()),
            "sat" if asked.is_empty() => Answer::Holds(Assignment::new()),
            "sat" => {
                let names: Vec<String> = asked.iter().map(|id| name(*id)).collect();
                let answer = process.ask(&format!("(get-value ({}))", names.join(" ")), limit)?;
                match values(&answer, &asked) {
                    Some(values) => Answer::Holds(values),
                    None => Answer::Unknown(format!(
                        "the solver has values that are no exact numbers of 64 bits: {}",
                        beginning(&answer)
                    )),
                }
            }
            _ => return Err(nonsense(&answer)),
        };
        let rest = process.ask("(pop 1)", limit)?;
        if !rest.trim().is_empty() {
            return Err(nonsense(&rest));
        }
        if let Answer::Holds(assignment) = &found {
            self.check(symbols, formula, assignment)?;
        }
        Ok(found)
    }

    /// Whether values are in their ranges and satisfy all conditions.
    fn check(
        &self,
        symbols: &Symbols,
        formula: &Formula,
        assignment: &Assignment,
    ) -> Result<(), String> {
        let fits = assignment.iter().all(|(id, value)| {
            let Symbol { sort, low, high, .. } = symbols[id];
            (sort == Sort::Rational || value.to_integer().is_some())
                && low.is_none_or(|low| value >= tioga_base::Rational::from(low))
                && high.is_none_or(|high| value <= tioga_base::Rational::from(high))
        });
        let holds = |formula: &Formula| matches!(formula.holds(assignment), Ok(Some(true)));
        if fits && holds(formula) && self.levels.iter().all(|level| holds(&level.condition)) {
            return Ok(());
        }
        Err("the values of the solver do not satisfy the condition".to_owned())
    }
}

/// What a symbol is called between us and the solver.
fn name(symbol: SymbolId) -> String {
    format!("|{symbol}|")
}

/// The same symbols with names made of their numbers.
fn renamed(symbols: &Symbols) -> Symbols {
    let mut plain = Symbols::new();
    for (id, symbol) in symbols.iter() {
        plain.add(Symbol { name: id.to_string(), ..symbol.clone() });
    }
    plain
}

/// The values of all these symbols; nothing if one is missing, or no exact number.
fn values(answer: &str, asked: &BTreeSet<SymbolId>) -> Option<Assignment> {
    let answer = first(answer)?;
    let values = answer.values()?;
    let value = |id: SymbolId| {
        let name = id.to_string();
        let found = values.iter().find(|(one, _)| *one == name);
        found.and_then(|(_, value): &(&str, &Expression)| value.number())
    };
    asked.iter().map(|id| Some((*id, value(*id)?))).collect()
}

/// An answer that is none, as a reason.
fn nonsense(answer: &str) -> String {
    format!("the solver gave an answer that cannot be used: {}", beginning(answer))
}

/// The beginning of an answer, quoted.
fn beginning(answer: &str) -> String {
    let start: String = answer.trim().chars().take(100).collect();
    format!("{start:?}")
}

impl Decide for Solver {
    /// Whether the formula can hold together with all conditions that were pushed.
    fn decide(&mut self, symbols: &Symbols, formula: &Formula) -> Answer {
        let reason = match self.question(symbols, formula) {
            Ok(Answer::Unknown(reason)) => reason,
            Ok(answer) => return answer,
            Err(reason) => {
                // What this process would answer next is not reliable; another one starts then.
                self.process = None;
                reason
            }
        };
        Answer::Unknown(format!("{}: {reason}", self.program))
    }
}
