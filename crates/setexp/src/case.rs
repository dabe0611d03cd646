//! Scripts as test cases in files, and back. Conditions and terms are written for people and in SMT-LIB.

use tioga_base::{Id, IdVec};
use tioga_terms::{
    Formula, Names, Sort, Symbol, SymbolId, Symbols, Term, parse_formula, parse_term, smt_lib,
    smt_lib_term,
};
use tioga_testcase::{
    CaseChoice, CaseCondition, CaseExpiration, CaseMessage, CaseNode, CaseProgram, CaseStep,
    CaseSymbol, CaseTerm, CaseThreshold, CaseUpdate, ChoiceAct, Side, SymbolRole, SymbolicCase,
};

use crate::determinize::{NodeId, ObservableStep, Programmed};
use crate::error::Refusal;
use crate::game::Choice;
use crate::graph::{Role, Verdict};
use crate::script::{Advised, Script, ScriptNode};
use crate::setexp::Expiration;
use crate::tiosa::{Action, ActionId, ClockId, Kind};

impl From<Verdict> for tioga_testcase::Verdict {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Pass => Self::Pass,
            Verdict::Fail => Self::Fail,
            Verdict::Inconclusive => Self::Inconclusive,
        }
    }
}

/// The position of something as files have it.
fn position(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

impl Script {
    /// The script as it is written to files. Internal actions are left out: no step has one.
    ///
    /// # Errors
    /// If a condition or term cannot be written in SMT-LIB and read again.
    pub fn to_case(&self) -> Result<SymbolicCase, Refusal> {
        let seen: Vec<ActionId> = self
            .actions
            .iter_ids()
            .filter(|(_, action)| action.kind != Kind::Internal)
            .map(|(id, _)| id)
            .collect();
        let message = |id: ActionId| seen.iter().position(|own| *own == id).map(position);
        let mut nodes = Vec::new();
        for (id, node) in self.nodes.iter_ids() {
            let first = self.steps.partition_point(|step| step.source < id);
            let mut steps = Vec::new();
            for (_, step) in self.leaving(id) {
                steps.push(self.step_to_case(step, step.action.and_then(message))?);
            }
            let mut choices = Vec::new();
            for advised in &node.advice {
                choices.push(self.choice_to_case(advised, first)?);
            }
            let verdict = node.verdict.map(Into::into);
            let (name, timeout) = (node.name.clone(), node.timeout);
            nodes.push(CaseNode { name, verdict, timeout, steps, choices });
        }
        // A test starts in the first node.
        if self.initial.index() != 0 {
            return Err(Refusal::Broken("the start is not the first node"));
        }
        Ok(SymbolicCase {
            symbols: self.symbols.iter().map(|(id, one)| self.symbol_to_case(id, one)).collect(),
            initially: self.condition(&self.initially)?,
            clocks: self.clocks.iter().cloned().collect(),
            messages: seen.iter().map(|id| message_to_case(&self.actions[*id])).collect(),
            start: self.programs(&self.start)?,
            nodes,
            complete: self.complete,
            instants: self.instants,
        })
    }

    fn symbol_to_case(&self, id: SymbolId, symbol: &Symbol) -> CaseSymbol {
        let carried = self.actions.iter().any(|action| action.parameters.contains(&id));
        let role = match (carried, self.constants.contains(&id)) {
            (true, _) => SymbolRole::Parameter,
            (_, true) => SymbolRole::Constant,
            _ => SymbolRole::Register,
        };
        let rational = symbol.sort == Sort::Rational;
        CaseSymbol { name: symbol.name.clone(), role, rational, low: symbol.low, high: symbol.high }
    }

    fn step_to_case(
        &self,
        step: &ObservableStep,
        message: Option<u32>,
    ) -> Result<CaseStep, Refusal> {
        let mut expires = Vec::new();
        for one in &step.expirations {
            let clock = position(one.clock.index());
            expires.push(CaseExpiration { clock, threshold: self.term(&one.threshold)? });
        }
        let mut updates = Vec::new();
        for (register, value) in &step.updates {
            let register = position(register.index());
            updates.push(CaseUpdate { register, value: self.term(value)? });
        }
        Ok(CaseStep {
            expires,
            message,
            guard: self.condition(&step.guard)?,
            sets: self.programs(&step.sets)?,
            updates,
            target: position(step.target.index()),
        })
    }

    fn choice_to_case(&self, advised: &Advised, first: usize) -> Result<CaseChoice, Refusal> {
        let (act, step) = match advised.choice {
            Choice::Send(step) => (ChoiceAct::Send, Some(position(step - first))),
            Choice::SendAt(step) => (ChoiceAct::SendAt, Some(position(step - first))),
            Choice::Wait => (ChoiceAct::Wait, None),
        };
        Ok(CaseChoice {
            losses: position(advised.losses),
            reached: self.condition(&advised.reached)?,
            act,
            step,
            when: self.condition(&advised.when)?,
        })
    }

    fn programs(&self, sets: &[Programmed]) -> Result<Vec<CaseProgram>, Refusal> {
        let mut programs = Vec::new();
        for set in sets {
            let mut thresholds = Vec::new();
            for (name, delay) in &set.thresholds {
                let (name, delay) = (self.term(name)?, self.term(delay)?);
                thresholds.push(CaseThreshold { name, delay });
            }
            programs.push(CaseProgram { clock: position(set.clock.index()), thresholds });
        }
        Ok(programs)
    }

    fn condition(&self, formula: &Formula) -> Result<CaseCondition, Refusal> {
        let text = Names(&self.symbols, formula).to_string();
        let smt = smt_lib(&self.symbols, formula).filter(|smt| {
            parse_formula(&self.symbols, &named(&self.symbols), smt).as_ref() == Ok(formula)
        });
        let Some(smt) = smt else { return Err(unwritable(&text)) };
        Ok(CaseCondition { text, smt })
    }

    fn term(&self, term: &Term) -> Result<CaseTerm, Refusal> {
        let text = Names(&self.symbols, term).to_string();
        let smt = smt_lib_term(&self.symbols, term)
            .filter(|smt| parse_term(&named(&self.symbols), smt).as_ref() == Ok(term));
        let Some(smt) = smt else { return Err(unwritable(&text)) };
        Ok(CaseTerm { text, smt })
    }

    /// The script that a file says.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn of_case(case: &SymbolicCase) -> Result<Self, String> {
        Reader::new(case)?.script()
    }
}

fn unwritable(text: &str) -> Refusal {
    Refusal::Hypothesis(format!("`{text}` has an operation that files of test cases do not have"))
}

fn named(symbols: &Symbols) -> impl Fn(&str) -> Option<SymbolId> + '_ {
    |name: &str| symbols.iter().find(|(_, symbol)| symbol.name == name).map(|(id, _)| id)
}

fn message_to_case(action: &Action) -> CaseMessage {
    let by = if action.kind == Kind::Input { Side::Tester } else { Side::System };
    let carries = action.parameters.iter().map(|one| position(one.index())).collect();
    CaseMessage { name: action.name.clone(), by, carries }
}

/// Reads a case.
struct Reader<'c> {
    case: &'c SymbolicCase,
    symbols: Symbols,
}

impl<'c> Reader<'c> {
    fn new(case: &'c SymbolicCase) -> Result<Self, String> {
        let mut symbols = Symbols::new();
        for one in &case.symbols {
            if symbols.iter().any(|(_, known)| known.name == one.name) {
                return Err(format!("two symbols are called `{}`", one.name));
            }
            let sort = if one.rational { Sort::Rational } else { Sort::Int };
            let (name, low, high) = (one.name.clone(), one.low, one.high);
            symbols.add(Symbol { name, sort, low, high });
        }
        Ok(Self { case, symbols })
    }

    fn script(self) -> Result<Script, String> {
        let case = self.case;
        let mut actions = IdVec::new();
        for message in &case.messages {
            let mut parameters = Vec::new();
            for symbol in &message.carries {
                parameters.push(self.symbol(*symbol, SymbolRole::Parameter)?);
            }
            let kind = if message.by == Side::Tester { Kind::Input } else { Kind::Output };
            actions.push(Action { name: message.name.clone(), kind, parameters });
        }
        let constants = (0..).zip(&case.symbols);
        let constants = constants.filter(|(_, one)| one.role == SymbolRole::Constant);
        let constants = constants.map(|(index, _)| SymbolId::from_index(index)).collect();
        let mut script = Script {
            constants,
            initially: self.condition(&case.initially)?,
            clocks: case.clocks.iter().cloned().collect(),
            actions,
            nodes: IdVec::new(),
            initial: NodeId::from_index(0),
            start: self.programs(&case.start)?,
            steps: Vec::new(),
            complete: case.complete,
            instants: case.instants,
            symbols: Symbols::new(),
        };
        if case.nodes.is_empty() {
            return Err("it has no node to start in".to_owned());
        }
        for (index, node) in case.nodes.iter().enumerate() {
            let within = |wrong: String| format!("in node {index}, {wrong}");
            self.node(&mut script, NodeId::from_index(index), node).map_err(within)?;
        }
        script.symbols = self.symbols;
        Ok(script)
    }

    fn node(&self, script: &mut Script, id: NodeId, node: &CaseNode) -> Result<(), String> {
        let first = script.steps.len();
        for step in &node.steps {
            let step = self.step(id, step)?;
            script.steps.push(step);
        }
        let mut advice = Vec::new();
        for choice in &node.choices {
            let step = choice.step.map(|step| {
                let found = node.steps.get(step as usize).map(|_| first + step as usize);
                found.ok_or_else(|| format!("a choice takes step {step}, which does not exist"))
            });
            let act = match (choice.act, step.transpose()?) {
                (ChoiceAct::Wait, None) => Choice::Wait,
                (ChoiceAct::Send, Some(step))
                    if script.role(&script.steps[step]) == Role::Input =>
                {
                    Choice::Send(step)
                }
                (ChoiceAct::SendAt, Some(step))
                    if script.role(&script.steps[step]) == Role::Mixed =>
                {
                    Choice::SendAt(step)
                }
                _ => return Err("a choice does not fit its step".to_owned()),
            };
            advice.push(Advised {
                losses: choice.losses as usize,
                reached: self.condition(&choice.reached)?,
                choice: act,
                when: self.condition(&choice.when)?,
            });
        }
        let verdict = match node.verdict {
            None => None,
            Some(tioga_testcase::Verdict::Pass) => Some(Verdict::Pass),
            Some(tioga_testcase::Verdict::Fail) => Some(Verdict::Fail),
            Some(tioga_testcase::Verdict::Inconclusive) => Some(Verdict::Inconclusive),
            Some(tioga_testcase::Verdict::Uncertain) => {
                return Err("its verdict is none that a test graph gives".to_owned());
            }
        };
        let (name, timeout) = (node.name.clone(), node.timeout);
        script.nodes.push(ScriptNode { name, verdict, timeout, advice });
        Ok(())
    }

    fn step(&self, source: NodeId, step: &CaseStep) -> Result<ObservableStep, String> {
        let mut expirations = Vec::new();
        for one in &step.expires {
            let (clock, threshold) = (self.clock(one.clock)?, self.term(&one.threshold)?);
            expirations.push(Expiration { clock, threshold });
        }
        expirations.sort();
        let mut updates = Vec::new();
        for update in &step.updates {
            let register = self.symbol(update.register, SymbolRole::Register)?;
            updates.push((register, self.term(&update.value)?));
        }
        if step.message.is_none() && expirations.is_empty() {
            return Err("a step has neither a message nor expirations".to_owned());
        }
        let action = step.message.map(|message| {
            let known = self.case.messages.get(message as usize);
            known.ok_or_else(|| format!("a step has message {message}, which does not exist"))?;
            Ok::<_, String>(ActionId::from_index(message as usize))
        });
        let target = step.target;
        if target as usize >= self.case.nodes.len() {
            return Err(format!("a step leads to node {target}, which does not exist"));
        }
        Ok(ObservableStep {
            source,
            target: NodeId::from_index(target as usize),
            expirations,
            action: action.transpose()?,
            sets: self.programs(&step.sets)?,
            guard: self.condition(&step.guard)?,
            updates,
        })
    }

    fn programs(&self, programs: &[CaseProgram]) -> Result<Vec<Programmed>, String> {
        let mut sets = Vec::new();
        for program in programs {
            let mut thresholds = Vec::new();
            for one in &program.thresholds {
                thresholds.push((self.term(&one.name)?, self.term(&one.delay)?));
            }
            sets.push(Programmed { clock: self.clock(program.clock)?, thresholds });
        }
        Ok(sets)
    }

    fn clock(&self, clock: u32) -> Result<ClockId, String> {
        let known = self.case.clocks.get(clock as usize);
        known
            .map(|_| ClockId::from_index(clock as usize))
            .ok_or_else(|| format!("there is a clock {clock}, which does not exist"))
    }

    fn symbol(&self, symbol: u32, role: SymbolRole) -> Result<SymbolId, String> {
        match self.case.symbols.get(symbol as usize) {
            Some(known) if known.role == role => Ok(SymbolId::from_index(symbol as usize)),
            Some(known) => Err(format!("the symbol `{}` is used as another kind", known.name)),
            None => Err(format!("there is a symbol {symbol}, which does not exist")),
        }
    }

    fn condition(&self, condition: &CaseCondition) -> Result<Formula, String> {
        let read = parse_formula(&self.symbols, &named(&self.symbols), &condition.smt);
        read.map_err(|wrong| format!("the condition `{}`: {wrong}", condition.smt))
    }

    fn term(&self, term: &CaseTerm) -> Result<Term, String> {
        let read = parse_term(&named(&self.symbols), &term.smt);
        read.map_err(|wrong| format!("the term `{}`: {wrong}", term.smt))
    }
}
