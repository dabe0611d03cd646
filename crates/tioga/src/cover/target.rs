//! Something to cover, and the ways to cover it.

use tioga_model::{
    EdgeId, EdgePlace, LocationId, Milestone, Milestones, Model, Network, ProcessId,
};
use tioga_testcase::{Before, Cover, CoverItem, Goal, Next};

use crate::Loaded;

use super::edges::{in_units, outputs_of};

/// Something to cover. The networks that have it as their objective are made when they are needed: there
/// are as many as there are edges, and each is as large as the model.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    /// The criterion that it belongs to.
    pub criterion: Cover,
    /// The element of the model, as goals name it.
    pub element: String,
    /// What is to happen, in words.
    pub text: String,
    /// What is to happen; the best that is possible counts, and it comes first.
    pub ways: Vec<Way>,
    /// Whether it happens, or may happen, without anything to be observed.
    pub hidden: bool,
    /// The process that it happens in.
    pub process: ProcessId,
}

/// A way in which something is covered.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    /// What a clock shows before it is set.
    pub before: Option<Before>,
    /// What comes next.
    pub next: Option<Next>,
    /// The items that follow without a reset in between.
    pub then: Vec<CoverItem>,
    /// What is to happen.
    pub what: Covered,
}

/// What is to happen.
#[derive(Clone, Debug)]
pub(crate) enum Covered {
    Edge(ProcessId, EdgeId),
    /// The edge, and one more output after it.
    EdgeAndOutput(ProcessId, EdgeId),
    /// The edge, and so many units of time after it in which nothing happens.
    EdgeAndTime(ProcessId, EdgeId, i64),
    Location(ProcessId, LocationId),
    Milestones(Milestones),
}

impl Way {
    pub fn new(what: Covered) -> Self {
        Self { before: None, next: None, then: Vec::new(), what }
    }

    /// The location that it enters, if that is what it is about.
    pub fn location(&self) -> Option<(ProcessId, LocationId)> {
        match self.what {
            Covered::Location(process, location) => Some((process, location)),
            _ => None,
        }
    }

    /// The edge that is taken, if that is all.
    pub fn edge(&self) -> Option<EdgePlace> {
        match self.what {
            Covered::Edge(process, edge) => Some((process, edge)),
            _ => None,
        }
    }

    /// Whether the observations determine the state of the model with this way as its objective if they determine
    /// that of the model. In each discrete state it has the same steps, and what it counts follows from them. Where
    /// clocks decide what counts, a step that was certain to come at once becomes two.
    pub fn keeps_observations(&self) -> bool {
        match &self.what {
            Covered::Milestones(own) => own.list.iter().all(|milestone| milestone.when.is_empty()),
            _ => true,
        }
    }

    /// The same as milestones; nothing for a location.
    pub fn milestones(&self, model: &Model) -> Option<Milestones> {
        let edge =
            |process, edge| Milestone { edges: vec![(process, edge)], ..Milestone::default() };
        Some(match &self.what {
            Covered::Location(..) => return None,
            Covered::Milestones(own) => own.clone(),
            Covered::Edge(process, id) => {
                Milestones { list: vec![edge(*process, *id)], silence: None }
            }
            Covered::EdgeAndOutput(process, id) => {
                let output =
                    Milestone { edges: outputs_of(model, *process), ..Milestone::default() };
                Milestones { list: vec![edge(*process, *id), output], silence: None }
            }
            Covered::EdgeAndTime(process, id, time) => {
                Milestones { list: vec![edge(*process, *id)], silence: Some(*time) }
            }
        })
    }
}

impl Target {
    /// This target in a way, then another in a way, without a reset in between; nothing for locations, and where
    /// silence would have to come in between.
    pub fn followed(
        &self,
        way: &Way,
        other: &Self,
        other_way: &Way,
        loaded: &Loaded,
    ) -> Option<(Self, Way)> {
        let [first, second] = [way, other_way].map(|way| way.milestones(&loaded.model));
        let (first, second) = (first?, second?);
        if first.silence.is_some() {
            return None;
        }
        let what = Covered::Milestones(first.then(&second));
        let then = way.then.iter().cloned().chain(other.items(other_way)).collect();
        let both = Way { then, what, ..way.clone() };
        let hidden = self.hidden || other.hidden;
        Some((Self { ways: vec![both.clone()], hidden, ..self.clone() }, both))
    }

    /// What its test case is called.
    pub fn name(&self, model: &Model) -> String {
        format!("{}-{}", model.name, self.element)
    }

    /// The item, in a way.
    pub fn item(&self, way: &Way) -> CoverItem {
        CoverItem {
            criterion: self.criterion,
            element: self.element.clone(),
            words: self.text.clone(),
            before: way.before,
            next: way.next,
        }
    }

    /// The item in a way, and those that follow.
    fn items(&self, way: &Way) -> Vec<CoverItem> {
        std::iter::once(self.item(way)).chain(way.then.iter().cloned()).collect()
    }

    /// The goal of a test case that covers it in a way.
    pub fn goal(&self, way: &Way) -> Goal {
        Goal::Cover(self.items(way))
    }

    /// The model with a way as its only objective.
    pub fn network(&self, model: &Model, way: &Way) -> Network {
        let (network, text) = (Network::clone(model), self.goal(way).to_string());
        match &way.what {
            Covered::Edge(process, edge) => network.covering_edge(*process, *edge, text),
            Covered::EdgeAndOutput(process, edge) => {
                network.covering_edge_and_output(*process, *edge, text)
            }
            Covered::EdgeAndTime(process, edge, silence) => {
                network.covering_edge_and_time(*process, *edge, *silence, text)
            }
            Covered::Location(process, location) => {
                network.covering_location(*process, *location, text)
            }
            Covered::Milestones(milestones) => network.covering_milestones(milestones, text),
        }
    }

    /// The same where nothing ends after it is covered, if the other network ends there.
    pub fn network_on(&self, model: &Model, way: &Way) -> Option<Network> {
        let milestones = way.milestones(model)?;
        Some(Network::clone(model).covering_milestones(&milestones, self.goal(way).to_string()))
    }

    /// The ways to cover it, the best first. If `then` is set, each goes on until its process gives one more
    /// output, or nothing for longer than every bound of the model, where that is possible.
    pub fn ways(&self, model: &Model, then: bool) -> Vec<Way> {
        if !then {
            return self.ways.clone();
        }
        let silence = in_units(model, model.largest_constant());
        let mut all = Vec::new();
        for way in &self.ways {
            let [output, time] = match &way.what {
                Covered::Edge(process, edge) => [
                    Covered::EdgeAndOutput(*process, *edge),
                    Covered::EdgeAndTime(*process, *edge, silence),
                ],
                Covered::Milestones(own) => {
                    let output = Milestone {
                        edges: outputs_of(model, self.process),
                        ..Milestone::default()
                    };
                    let output = Milestones { list: vec![output], silence: None };
                    let silent = Milestones { silence: Some(silence), ..own.clone() };
                    [Covered::Milestones(own.clone().then(&output)), Covered::Milestones(silent)]
                }
                Covered::EdgeAndOutput(..) | Covered::EdgeAndTime(..) | Covered::Location(..) => {
                    all.push(way.clone());
                    continue;
                }
            };
            all.push(Way { next: Some(Next::Output), what: output, ..way.clone() });
            all.push(Way { next: Some(Next::Silence), what: time, ..way.clone() });
            all.push(way.clone());
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use tioga_base::Sources;
    use tioga_explore::Limits;

    use super::super::{Cover, targets};
    use crate::games::is_clear;
    use crate::read::validated;
    use crate::{OpenOptions, open, read};

    #[test]
    fn what_is_counted_follows_from_what_is_observed() {
        let mut counted = 0;
        for name in ["@car-alarm", "@smart-light", "@service-desk", "@train-gate"] {
            let mut texts = Sources::new();
            let source = open(name, &OpenOptions::default(), &mut texts).unwrap();
            let model = &read(source, &[], &mut texts).unwrap().model;
            assert!(is_clear(model, Limits::default()), "{name}");
            let all = Cover::ALL.into_iter().flat_map(|cover| targets(model, cover));
            for target in all {
                for way in target.ways(model, true) {
                    let clear = || {
                        let network = validated(target.network(model, &way)).unwrap();
                        is_clear(&network, Limits::default())
                    };
                    assert!(!way.keeps_observations() || clear(), "{}", target.goal(&way));
                    counted += usize::from(way.keeps_observations());
                }
            }
        }
        assert!(counted > 100, "{counted}");
    }
}
