//! Whether an observation has an explanation: what silence and an action leave of a set of points, and
//! whose fault it is if that is nothing.

use tioga_base::Rational;
use tioga_testcase::{Action, Side};
use tioga_zones::{Bound, Zone};

use crate::advance::Way;
use crate::entry::Entry;
use crate::frame::just_reached;
use crate::{Board, Error, Estimator, Explained};

impl<B: Board> Estimator<B> {
    /// The points from which nothing was seen until the clock of outputs is within a lower bound: those
    /// that are there already, and those reached at that moment.
    pub(crate) fn silence(
        &mut self,
        entries: Vec<Entry>,
        reached: Bound,
    ) -> Result<Vec<Entry>, Error> {
        self.silence_by(entries, reached, false)
    }

    pub(crate) fn silence_by(
        &mut self,
        entries: Vec<Entry>,
        reached: Bound,
        loses: bool,
    ) -> Result<Vec<Entry>, Error> {
        let clock = self.frame.output;
        let (mut there, mut before) = (Vec::new(), Vec::new());
        for entry in entries {
            if entry.zone.implies(0, clock, reached) && !loses {
                there.push(entry);
                continue;
            }
            let mut later = entry.zone.clone();
            if later.constrain(0, clock, reached).is_ok() {
                there.push(Entry { zone: later, ..entry });
            }
            before.push(entry);
        }
        if before.is_empty() {
            return Ok(there);
        }
        let way = Way { loses, ..Way::within(clock, just_reached(reached)?) };
        for ((node, arrived), zones) in self.advance(before, &way)? {
            for mut zone in zones {
                if zone.constrain(0, clock, reached).is_ok() {
                    there.push(Entry { node, arrived, zone });
                }
            }
        }
        Ok(there)
    }

    /// The points right after an input or output that happened in a window of its clock.
    pub(crate) fn take(
        &mut self,
        entries: Vec<Entry>,
        input: bool,
        action: &Action,
        window: (Bound, Bound),
    ) -> Result<Vec<Entry>, Error> {
        self.take_by(entries, input, action, window, false)
    }

    pub(crate) fn take_by(
        &mut self,
        entries: Vec<Entry>,
        input: bool,
        action: &Action,
        (from, until): (Bound, Bound),
        loses: bool,
    ) -> Result<Vec<Entry>, Error> {
        let clock = self.frame.output;
        let way = Way { loses, ..Way::within(clock, until) };
        let passed = self.advance(entries, &way)?;
        if input {
            for (id, _) in passed.keys() {
                self.supply(*id)?;
            }
        }
        // Steps that were met so far include all that are possible here.
        let action = self.nodes.find_action(action);
        let mut taken = Vec::new();
        for ((id, arrived), zones) in passed {
            let node = self.nodes.get(id);
            if node.over {
                let later = zones
                    .into_iter()
                    .filter_map(|mut zone| zone.constrain(0, clock, from).is_ok().then_some(zone));
                taken.extend(later.map(|zone| Entry { node: id, arrived, zone }));
                continue;
            }
            let Some(action) = action else { continue };
            let steps = if input { self.nodes.inputs(id) } else { &node.outputs };
            let fitting = steps.iter().enumerate().filter(|(_, (shown, ..))| *shown == action);
            let fitting: Vec<usize> = fitting.map(|(position, _)| position).collect();
            if fitting.is_empty() {
                continue;
            }
            for mut zone in zones {
                if zone.constrain(0, clock, from).is_err() {
                    continue;
                }
                for &position in &fitting {
                    let by = if input { Side::Tester } else { Side::System };
                    let (_, jump, target) = &self.nodes.visible(id, by)[position];
                    let (after, node) = (jump.successor(&zone.clone().into()), *target);
                    if after.is_empty() {
                        continue;
                    }
                    self.ready(node)?;
                    let inside = self.nodes.get(node).inside(after).into_zones();
                    taken.extend(inside.into_iter().map(|zone| Entry { node, arrived, zone }));
                }
            }
        }
        Ok(taken)
    }

    /// Why an observation has no explanation: the input under way that comes first may have arrived
    /// where it is not accepted. It is the tester's mistake if losing such inputs explains the
    /// observation, or if there is an input that no run accepts and that some run should have by now.
    ///
    /// The clock of outputs shows at least `reached` then, and at most `until`.
    pub(crate) fn why(
        &mut self,
        reached: Bound,
        until: Bound,
        heard: Option<&Action>,
    ) -> Result<Explained, Error> {
        let failure = if heard.is_some() { Explained::NoOutput } else { Explained::Late };
        if self.pending.is_empty() {
            return Ok(failure);
        }
        let start = self.entries.clone();
        let lost = match heard {
            Some(action) => self.take_by(start, false, action, (reached, until), true)?,
            None => self.silence_by(start, reached, true)?,
        };
        if !lost.is_empty() {
            return Ok(Explained::Unspecified);
        }
        let way = Way::within(self.frame.output, until);
        let passed = self.advance(self.entries.clone(), &way)?;
        let most = passed.keys().map(|(_, arrived)| *arrived).max();
        // The first input that no run accepts, if there is one.
        let Some(sent) = most.and_then(|most| self.pending.get(most as usize)) else {
            return Ok(failure);
        };
        let from = self.units.lower(sent.at.earliest(), Rational::ZERO)?;
        let arrives = |zone: &Zone| zone.meets(0, self.frame.input, from);
        let waiting = passed.iter().filter(|((_, arrived), _)| Some(*arrived) == most);
        let refused = waiting.flat_map(|(_, zones)| zones).any(arrives);
        Ok(if refused { Explained::Unspecified } else { failure })
    }
}
