//! Machines as plain tables, and all of them: with nothing of the crate but its type of machines.

use std::collections::{BTreeSet, VecDeque};

use tioga_machines::complete::Assumption;
use tioga_machines::{Machine, Transition, Word};

/// A machine with inputs `a` and `b` and outputs by number; 0 is the initial state.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Table(pub Vec<[Option<(usize, usize)>; 2]>);

const INPUTS: [&str; 2] = ["a", "b"];

impl Table {
    fn empty(states: usize) -> Self {
        Self(vec![[None; 2]; states])
    }

    /// The table as a machine. `None` if it has no transitions.
    pub fn machine(&self) -> Option<Machine> {
        let name = |state: usize| format!("s{state}");
        let mut transitions = Vec::new();
        for (state, row) in self.0.iter().enumerate() {
            for (input, cell) in INPUTS.iter().zip(row) {
                if let Some((target, output)) = cell {
                    transitions.push(Transition {
                        source: name(state),
                        input: (*input).to_owned(),
                        output: output.to_string(),
                        target: name(*target),
                    });
                }
            }
        }
        Machine::new("table", (0..self.0.len()).map(name), "s0", &transitions).ok()
    }

    /// A machine as a table.
    pub fn of(machine: &Machine) -> Self {
        let mut table = Self::empty(machine.state_count());
        for (state, input, output, target) in machine.transitions() {
            let output = machine.output_name(output);
            let output = output.parse().unwrap_or(2 + output.len());
            let input = INPUTS.iter().position(|name| *name == machine.input_name(input)).unwrap();
            table.0[state as usize][input] = Some((target as usize, output));
        }
        // The initial state comes first.
        let initial = machine.initial() as usize;
        table.0.swap(0, initial);
        let swap = |state: usize| match state {
            0 => initial,
            other if other == initial => 0,
            other => other,
        };
        for cell in table.0.iter_mut().flatten().flatten() {
            cell.0 = swap(cell.0);
        }
        table
    }

    /// Words of a machine as words of tables.
    pub fn words(machine: &Machine, words: &[Word]) -> Vec<Vec<usize>> {
        let name = |input: &u32| {
            INPUTS.iter().position(|name| *name == machine.input_name(*input)).unwrap()
        };
        words.iter().map(|word| word.iter().map(name).collect()).collect()
    }

    /// Whether an implementation answers a word as this table does, as far as the word is possible here.
    pub fn agrees(&self, built: &Self, word: &[usize]) -> bool {
        let (mut here, mut there) = (0, 0);
        for input in word {
            let Some((target, right)) = self.0[here][*input] else { return true };
            match built.0[there][*input] {
                Some((next, output)) if output == right => (here, there) = (target, next),
                _ => return false,
            }
        }
        true
    }

    /// Whether an implementation answers all words as this table does, as far as they are possible here.
    pub fn same(&self, built: &Self) -> bool {
        let mut seen = BTreeSet::from([(0, 0)]);
        let mut waiting = VecDeque::from([(0, 0)]);
        while let Some((here, there)) = waiting.pop_front() {
            for input in 0..2 {
                let Some((target, right)) = self.0[here][input] else { continue };
                match built.0[there][input] {
                    Some((next, output)) if output == right => {
                        if seen.insert((target, next)) {
                            waiting.push_back((target, next));
                        }
                    }
                    _ => return false,
                }
            }
        }
        true
    }

    /// How many different answers words get among all states.
    ///
    /// # Errors
    /// If answers are missing: how many there are at most, and a transition that is missing.
    pub fn classes(&self, words: &[Vec<usize>]) -> Result<usize, (usize, (usize, usize))> {
        let answer = |state: usize, word: &Vec<usize>| {
            let mut at = state;
            let mut all = Vec::new();
            for input in word {
                let (target, output) = self.0[at][*input].ok_or((at, *input))?;
                all.push(output);
                at = target;
            }
            Ok(all)
        };
        let (mut known, mut unknown) = (BTreeSet::new(), Vec::new());
        for state in 0..self.0.len() {
            let answers: Result<Vec<_>, _> = words.iter().map(|word| answer(state, word)).collect();
            match answers {
                Ok(answers) => {
                    known.insert(answers);
                }
                Err(cell) => unknown.push(cell),
            }
        }
        match unknown.first() {
            None => Ok(known.len()),
            Some(cell) => Err((known.len() + unknown.len(), *cell)),
        }
    }

    /// Whether words tell all states apart that can be told apart, and these are all.
    pub fn is_minimal(&self) -> bool {
        let from = |state: usize| {
            let mut table = self.clone();
            table.0.swap(0, state);
            for cell in table.0.iter_mut().flatten().flatten() {
                cell.0 = if cell.0 == 0 {
                    state
                } else if cell.0 == state {
                    0
                } else {
                    cell.0
                };
            }
            table
        };
        (0..self.0.len()).all(|one| (0..one).all(|other| !from(one).same(&from(other))))
    }
}

/// All machines with this number of states, all reached from the initial one, with two inputs and two outputs:
/// each once up to the names of its states. Partial ones, too, if asked for.
pub fn connected(states: usize, partial: bool) -> Vec<Table> {
    let mut all = Vec::new();
    number(&mut Table::empty(states), 0, 1, partial, &mut all);
    all
}

/// States are numbered in the order in which they are reached.
fn number(table: &mut Table, cell: usize, known: usize, partial: bool, all: &mut Vec<Table>) {
    let states = table.0.len();
    if cell == 2 * states {
        all.push(table.clone());
        return;
    }
    let (state, input) = (cell / 2, cell % 2);
    if state >= known {
        return;
    }
    if partial {
        table.0[state][input] = None;
        number(table, cell + 1, known, partial, all);
    }
    for target in 0..states.min(known + 1) {
        for output in 0..2 {
            table.0[state][input] = Some((target, output));
            number(table, cell + 1, known.max(target + 1), partial, all);
        }
    }
    table.0[state][input] = None;
}

/// A machine with at most this number of states that passes tests and is not equivalent, by trying all machines: the
/// tests run one after the other, and each transition that a test takes for the first time leads to every state.
/// `None` if there is none.
pub fn tried(spec: &Table, tests: &[Vec<usize>], states: usize) -> Option<Table> {
    let mut trial = Trial { spec, tests, table: Table::empty(states), assumption: None };
    trial.run((0, 0), (0, 0), 1)
}

/// Such a machine of those whose states give at least this number of different answers to some words. Their outputs
/// are 0, 1 and 2.
pub fn tried_with(
    spec: &Table,
    tests: &[Vec<usize>],
    states: usize,
    (words, classes): (&[Vec<usize>], usize),
) -> Option<Table> {
    let assumption = Some((words, classes));
    let mut trial = Trial { spec, tests, table: Table::empty(states), assumption };
    trial.run((0, 0), (0, 0), 1)
}

struct Trial<'t> {
    spec: &'t Table,
    tests: &'t [Vec<usize>],
    table: Table,
    assumption: Option<(&'t [Vec<usize>], usize)>,
}

impl Trial<'_> {
    /// Goes on with an input of a test in two states. There are so many states so far.
    fn run(
        &mut self,
        (test, input): (usize, usize),
        (here, there): (usize, usize),
        known: usize,
    ) -> Option<Table> {
        let (mut test, mut input, mut here, mut there) = (test, input, here, there);
        loop {
            let Some(word) = self.tests.get(test) else { return self.end() };
            let step = word.get(input).and_then(|own| Some((*own, self.spec.0[here][*own]?)));
            let Some((own, (target, right))) = step else {
                (test, input, here, there) = (test + 1, 0, 0, 0);
                continue;
            };
            match self.table.0[there][own] {
                Some((next, output)) if output == right => {
                    (input, here, there) = (input + 1, target, next);
                }
                Some(_) => return None,
                None => {
                    for next in 0..self.table.0.len().min(known + 1) {
                        self.table.0[there][own] = Some((next, right));
                        let known = known.max(next + 1);
                        let found = self.run((test, input + 1), (target, next), known);
                        if found.is_some() {
                            return found;
                        }
                    }
                    self.table.0[there][own] = None;
                    return None;
                }
            }
        }
    }

    /// All tests pass. What no test takes may be anything.
    fn end(&mut self) -> Option<Table> {
        if self.spec.same(&self.table) {
            return None;
        }
        let Some((words, classes)) = self.assumption else { return Some(self.table.clone()) };
        let (state, input) = match self.table.classes(words) {
            Ok(found) => return (found >= classes).then(|| self.table.clone()),
            Err((most, _)) if most < classes => return None,
            Err((_, cell)) => cell,
        };
        for next in 0..self.table.0.len() {
            for output in 0..3 {
                self.table.0[state][input] = Some((next, output));
                let found = self.end();
                if found.is_some() {
                    return found;
                }
            }
        }
        self.table.0[state][input] = None;
        None
    }
}

/// An assumption of the crate as one about tables.
pub fn assumed(machine: &Machine, assumption: &Assumption) -> (Vec<Vec<usize>>, usize) {
    (Table::words(machine, &assumption.words), assumption.classes)
}
