//! Something to cover, and the ways to cover it.

use tioga_model::{
    EdgeId, EdgePlace, LocationId, Milestone, Milestones, Model, Network, ProcessId,
};

use crate::Loaded;

use super::edges::{in_units, outputs_of};

/// What stands between the texts of targets that follow each other in one test case.
pub(super) const AND_THEN: &str = "; and then ";

/// Something to cover. The networks that have it as their objective are made when they are needed: there
/// are as many as there are edges, and each is as large as the model.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    /// What its test case is called.
    pub name: String,
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
    /// What is particular about it, in words that follow the text of the target.
    pub words: String,
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
    pub fn new(words: &str, what: Covered) -> Self {
        Self { words: words.to_owned(), what }
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
        let words = format!("{}{AND_THEN}{}", way.words, other.text_of(other_way));
        let both = Way { words, what };
        let hidden = self.hidden || other.hidden;
        Some((Self { ways: vec![both.clone()], hidden, ..self.clone() }, both))
    }

    /// The purpose of a way in words.
    pub fn text_of(&self, way: &Way) -> String {
        format!("{}{}", self.text, way.words)
    }

    /// The model with a way as its only objective.
    pub fn network(&self, model: &Model, way: &Way) -> Network {
        let (network, text) = (Network::clone(model), self.text_of(way));
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
        Some(Network::clone(model).covering_milestones(&milestones, self.text_of(way)))
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
            all.push(Way { words: format!("{}, then an output", way.words), what: output });
            all.push(Way { words: format!("{}, then silence", way.words), what: time });
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
                    assert!(!way.keeps_observations() || clear(), "{}", target.text_of(&way));
                    counted += usize::from(way.keeps_observations());
                }
            }
        }
        assert!(counted > 100, "{counted}");
    }
}
