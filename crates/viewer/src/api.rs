//! The JSON API: each path with what it asks for and what answers it. `docs/studio-api.md` describes it.

use std::io::Write as _;
use std::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tioga::{Cancel, ModelSource, NewFile, Policy, Rational, Sources, read, read_suite};
use tioga_views::game::Aim;
use tioga_views::model::model_view;
use tioga_views::play::{Player, played};
use tioga_views::simulation::{Wanted, parse_records, parse_run, simulation};
use tioga_views::states::{Chosen, state_space};
use tioga_views::{check, kill_matrix, query, shrink, suite};

use crate::answer::Refused;
use crate::caches::Caches;
use crate::campaign::Campaign;
use crate::deadline::Deadline;
use crate::workspace::{Kind, Workspace, examples};

/// The most random steps of one request, and the most moves of a game.
const STEPS: usize = 1000;

/// The most events of one request.
const EVENTS: usize = 5000;

/// Everything that requests are answered from.
#[derive(Debug)]
pub struct Api {
    /// The files that were given.
    pub workspace: Workspace,
    /// What is kept between requests.
    pub caches: Caches,
    /// The campaign that may be started.
    pub campaign: Campaign,
    /// The system of the command line, which runs are shrunk against.
    pub sut: Option<String>,
    /// How long the work for a request may take.
    pub limit: Duration,
    /// Raised when the server ends.
    pub stopped: Cancel,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    name: String,
}

/// A model by its name, with the text in the editor if that was changed.
#[derive(Deserialize)]
struct Edited {
    name: String,
    #[serde(default)]
    text: Option<String>,
}

#[derive(Deserialize)]
struct Save {
    name: String,
    text: String,
    before: String,
}

#[derive(Deserialize)]
struct Asked {
    #[serde(flatten)]
    model: Edited,
    query: String,
}

#[derive(Deserialize)]
struct Simulate {
    #[serde(flatten)]
    model: Edited,
    #[serde(default)]
    records: Vec<Value>,
    /// A trace as text, instead of records.
    #[serde(default)]
    trace: Option<String>,
    #[serde(default)]
    plot: Option<(String, String)>,
    /// How many random steps to add, and the seed.
    #[serde(default)]
    walk: Option<(usize, u64)>,
}

#[derive(Deserialize)]
struct States {
    #[serde(flatten)]
    model: Edited,
    /// The states that were opened, in this order.
    #[serde(default)]
    opened: Vec<usize>,
    #[serde(default)]
    state: Option<usize>,
    #[serde(default)]
    plot: Option<(String, String)>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum AskedAim {
    Query(String),
    Locations(Vec<(String, String)>),
    Purpose(String),
}

#[derive(Deserialize)]
struct Game {
    #[serde(flatten)]
    model: Edited,
    aim: AskedAim,
    #[serde(default)]
    place: usize,
    #[serde(default)]
    plot: Option<(String, String)>,
    /// The values of all clocks, such as `5/2`.
    #[serde(default)]
    clocks: Vec<String>,
    #[serde(default)]
    opponent: Option<String>,
    #[serde(default)]
    seed: u64,
    /// What a person did: null to let the tester go on, or the number of an offer and a delay.
    #[serde(default)]
    choices: Vec<Option<(usize, String)>>,
    #[serde(default)]
    moves: Option<usize>,
}

#[derive(Deserialize)]
struct Journal {
    name: String,
    #[serde(default)]
    run: u64,
    #[serde(default)]
    from: usize,
    #[serde(default)]
    count: usize,
    #[serde(default)]
    other: Option<String>,
    #[serde(default)]
    other_run: u64,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    case: usize,
}

fn asked<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refused> {
    serde_json::from_slice(body)
        .map_err(|error| Refused::new(400, format!("the request is not understood: {error}")))
}

fn number(text: &str) -> Result<Rational, Refused> {
    text.parse().map_err(|_| Refused::new(400, format!("`{text}` is no number")))
}

impl Api {
    /// Answers a request.
    ///
    /// # Errors
    /// If there is no such path, or what is asked for has no result.
    pub fn answer(&self, path: &str, body: &[u8]) -> Result<Value, Refused> {
        match path {
            "files" => Ok(self.files()),
            "model" => self.model(asked(body)?),
            "look" => Ok(json!(model_view(&self.source(asked(body)?)?))),
            "trace" => self.trace(&asked(body)?),
            "save" => self.save(asked(body)?),
            "query" => self.query(asked(body)?),
            "check" => {
                let deadline = self.deadline();
                Ok(check::checked(self.source(asked(body)?)?, &mut deadline.effort())?)
            }
            "states" => self.states(asked(body)?),
            "simulate" => self.simulate(asked(body)?),
            "game" | "game/ranks" | "game/advice" | "game/play" => self.game(path, asked(body)?),
            "suite" | "suite/certify" => self.suite(path, asked(body)?),
            "suite/case" => self.case(asked(body)?),
            "journal" | "journal/events" | "journal/run" | "journal/coverage"
            | "journal/compare" => self.journal(path, asked(body)?),
            "journal/shrink" => self.shrink(&asked(body)?),
            "mutation" => {
                let Named { name } = asked(body)?;
                Ok(kill_matrix::kill_matrix(&self.workspace.path(&name, &[Kind::Mutation])?)?)
            }
            "campaign" => Ok(self.campaign.state()),
            "campaign/start" => self.campaign.start(),
            "campaign/stop" => Ok(self.campaign.stop()),
            _ => Err(Refused::new(404, format!("there is no `{path}` in this API"))),
        }
    }

    fn files(&self) -> Value {
        let examples =
            examples().into_iter().map(|(name, about)| json!({ "name": name, "about": about }));
        json!({
            "given": self.workspace.given,
            "files": self.workspace.files(),
            "examples": examples.collect::<Vec<_>>(),
            "campaign": self.campaign.state(),
            "sut": self.sut,
            "version": env!("CARGO_PKG_VERSION"),
        })
    }

    fn model(&self, named: Named) -> Result<Value, Refused> {
        let source = self.workspace.model(&named.name)?;
        let example = named.name.starts_with('@');
        Ok(json!({
            "name": named.name,
            "format": source.format.to_string(),
            "text": source.text,
            "writable": !example,
        }))
    }

    fn trace(&self, named: &Named) -> Result<Value, Refused> {
        let path = self.workspace.path(&named.name, &[Kind::Trace])?;
        let text = std::fs::read_to_string(&path)
            .map_err(|error| Refused::new(400, format!("cannot read `{}`: {error}", named.name)))?;
        Ok(json!({ "name": named.name, "text": text }))
    }

    fn source(&self, edited: Edited) -> Result<ModelSource, Refused> {
        let source = self.workspace.model(&edited.name)?;
        Ok(match edited.text {
            Some(text) => ModelSource { text, ..source },
            None => source,
        })
    }

    /// Writes a model back, unless the file changed meanwhile.
    fn save(&self, save: Save) -> Result<Value, Refused> {
        let path = self.workspace.path(&save.name, &[Kind::Model])?;
        let now = std::fs::read_to_string(&path)
            .map_err(|error| Refused::new(400, format!("cannot read `{}`: {error}", save.name)))?;
        if now != save.before {
            let message =
                format!("`{}` was changed by another program; your text was not saved", save.name);
            return Err(Refused::new(409, message));
        }
        let written = NewFile::create(&path).and_then(|mut file| {
            file.write_all(save.text.as_bytes())?;
            file.finish()
        });
        written
            .map_err(|error| Refused::new(400, format!("cannot write `{}`: {error}", save.name)))?;
        Ok(json!({ "saved": true }))
    }

    fn deadline(&self) -> Deadline {
        Deadline::after(self.limit, self.stopped.clone())
    }

    fn query(&self, asked: Asked) -> Result<Value, Refused> {
        let deadline = self.deadline();
        Ok(query::answer(self.source(asked.model)?, &asked.query, &mut deadline.effort())?)
    }

    fn simulate(&self, asked: Simulate) -> Result<Value, Refused> {
        let source = self.source(asked.model)?;
        let loaded = read(source, &[], &mut Sources::new())?;
        let records = match asked.trace {
            Some(text) => parse_run(&text)?,
            None => parse_records(&loaded.model.name, &asked.records)?,
        };
        let walk = asked.walk.map(|(steps, seed)| (steps.min(STEPS), seed));
        Ok(simulation(&loaded, &records, &Wanted { plot: asked.plot, walk })?)
    }

    fn states(&self, asked: States) -> Result<Value, Refused> {
        let source = self.source(asked.model)?;
        let chosen = Chosen { state: asked.state, plot: asked.plot };
        let deadline = self.deadline();
        Ok(state_space(source, &asked.opened, &chosen, &deadline.effort())?)
    }

    /// Makes a failing run shorter, on the system of the command line or on a model that the journal keeps.
    fn shrink(&self, asked: &Journal) -> Result<Value, Refused> {
        let path = self.workspace.path(&asked.name, &[Kind::Journal])?;
        let journal = self.caches.journal(&path)?;
        let sut = self.sut.as_deref();
        let _alone = self.campaign.alone()?;
        let deadline = self.deadline();
        Ok(shrink::shrunk_run(&journal, asked.run, sut, &mut deadline.effort())?)
    }

    fn game(&self, path: &str, asked: Game) -> Result<Value, Refused> {
        let source = self.source(asked.model)?;
        let aim = match asked.aim {
            AskedAim::Query(query) => Aim::Query(query),
            AskedAim::Locations(all) if all.is_empty() => {
                return Err(Refused::new(400, "choose a location as the goal"));
            }
            AskedAim::Locations(all) => Aim::Locations(all),
            AskedAim::Purpose(purpose) => Aim::Purpose(purpose),
        };
        let deadline = self.deadline();
        let solved = self.caches.game(source, aim, &mut deadline.effort())?;
        let clocks: Result<Vec<Rational>, Refused> =
            asked.clocks.iter().map(|text| number(text)).collect();
        let clocks = clocks?;
        Ok(match path {
            "game/ranks" => solved.ranks(asked.place, asked.plot.as_ref(), &clocks)?,
            "game/advice" => solved.advice(asked.place, &clocks)?,
            "game/play" => {
                let opponent = asked.opponent.as_deref().unwrap_or("you");
                let player = player(opponent, asked.seed, &asked.choices)?;
                played(&solved, &player, asked.moves.unwrap_or(40).min(STEPS))?
            }
            _ => solved.overview(),
        })
    }

    fn suite(&self, path: &str, named: Named) -> Result<Value, Refused> {
        let suite = self.read_suite(&named.name)?;
        if path == "suite" {
            return Ok(suite::overview(&suite));
        }
        let deadline = self.deadline();
        Ok(suite::certificates(&suite, &mut deadline.effort())?)
    }

    fn read_suite(&self, name: &str) -> Result<tioga::Suite, Refused> {
        let path = self.workspace.path(name, &[Kind::Suite])?;
        Ok(read_suite(&mut Sources::new(), &path)?)
    }

    fn case(&self, asked: Case) -> Result<Value, Refused> {
        let suite = self.read_suite(&asked.name)?;
        suite::one(&suite, asked.case)
            .ok_or_else(|| Refused::new(404, "the suite has no such test case"))
    }

    fn journal(&self, path: &str, asked: Journal) -> Result<Value, Refused> {
        let open = |name: &str| -> Result<_, Refused> {
            Ok(self.caches.journal(&self.workspace.path(name, &[Kind::Journal])?)?)
        };
        let journal = open(&asked.name)?;
        Ok(match path {
            "journal/events" => journal.events(asked.from, asked.count.min(EVENTS)),
            "journal/run" => journal.run(asked.run)?,
            "journal/coverage" => journal.coverage()?,
            "journal/compare" => {
                let other = open(asked.other.as_deref().unwrap_or(&asked.name))?;
                journal.compared(asked.run, &other, asked.other_run)?
            }
            _ => journal.overview(),
        })
    }
}

fn player(name: &str, seed: u64, choices: &[Option<(usize, String)>]) -> Result<Player, Refused> {
    if name == "you" {
        let choices = choices.iter().map(|choice| match choice {
            None => Ok(None),
            Some((offer, delay)) => Ok(Some((*offer, number(delay)?))),
        });
        return Ok(Player::Person(choices.collect::<Result<_, Refused>>()?));
    }
    let policy = Policy::ALL.into_iter().find(|policy| policy.name() == name);
    let policy =
        policy.ok_or_else(|| Refused::new(400, format!("there is no opponent `{name}`")))?;
    Ok(Player::Policy(policy, seed))
}
