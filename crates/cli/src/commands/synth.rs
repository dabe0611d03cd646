//! `tioga synth`: test cases for the purposes of a model.

use std::path::Path;

use serde_json::json;
use tioga_base::{Cancel, Diagnostic, Rational};
use tioga_certify::{CheckOptions, Flaw, check_case};
use tioga_determinize::{Exactness, determinize_auto};
use tioga_games::{Root, SolveOptions};
use tioga_model::{Model, Network};
use tioga_parse::syntax::{Dialect, Document};
use tioga_parse::{Format, parse, uppaal};
use tioga_report::picture;
use tioga_synthesize::{About, Error, test_case};
use tioga_testcase::{Concept, Scope, Shape, Suite, Terms, TestCase};

use super::cover::{self, Missed};
use super::determinize::loss_text;
use super::solve::{
    Observation, Question, doubts, observation, plan, questions, require_observation, solved,
};
use crate::args::{GameArgs, ShapeArg, SynthArgs, WantedArgs};
use crate::exit::{Exit, Stop};
use crate::format::TargetFormat;
use crate::load::{self, Loaded};
use crate::measure::{cancel_flag, threads};
use crate::output::Session;
use crate::progress::Progress;
use crate::{case_model, case_text};

/// How many steps determinization may take.
const EFFORT: u64 = 500_000;

/// Something to test.
enum Wanted {
    /// A purpose of the model.
    Named(String),
    /// A condition to reach, perhaps within a time.
    Reach(String, Option<Rational>),
    /// The control queries of the model.
    Queries,
    /// An edge or location.
    Covered(Box<cover::Target>),
}

/// Runs the command.
pub fn run(args: &SynthArgs, session: &mut Session) -> Result<Exit, Stop> {
    let covered = args.wanted.cover;
    let (cases, impossible) = cases(&args.wanted, session)?;
    let mut text = String::new();
    if let Some(cover) = covered {
        text = cover::text(cover, &cases, &impossible);
    } else {
        for case in &cases {
            text.push_str(&case_text::text(case));
            text.push('\n');
        }
        for Missed { purpose, why } in &impossible {
            text.push_str(&format!("no test case for {purpose}: {why}\n"));
        }
    }
    let suite = Suite::new(cases);
    let value = json!(suite);
    if let Some(path) = &args.out {
        session.write_file(path, format!("{value:#}\n").as_bytes())?;
        text.push_str(&format!("suite written to {}\n", path.display()));
    }
    if let (Some(path), Some(case)) = (&args.tester, suite.cases.first()) {
        let contents = tester(session, path, case)?;
        session.write_file(path, contents.as_bytes())?;
        text.push_str(&format!("tester written to {}\n", path.display()));
    }
    session.print(text.trim_start_matches('\n'))?;
    let names: Vec<&str> = impossible.iter().map(|one| one.purpose.as_str()).collect();
    let mut result = json!({ "suite": value, "impossible": names });
    if let Some(cover) = covered {
        result["coverage"] = cover::to_json(cover, suite.cases.len(), &impossible);
    }
    session.set_result(result);
    let done = match covered {
        Some(_) => !suite.cases.is_empty(),
        None => impossible.is_empty(),
    };
    Ok(if done { Exit::Success } else { Exit::Negative })
}

/// The test cases that are wanted, and for what there is none.
pub fn cases(
    args: &WantedArgs,
    session: &mut Session,
) -> Result<(Vec<TestCase>, Vec<Missed>), Stop> {
    let wanted = wanted(args, session)?;
    let cancel = cancel_flag(args.synth_timeout);
    let making = &Making { args, cancel };
    let mut cases = Vec::new();
    let mut impossible = Vec::new();
    let mut progress = Progress::new(session.format).of(wanted.len());
    for (number, one) in wanted.iter().enumerate() {
        progress.at(number).say(|| format!("{number} of {} test cases made", wanted.len()));
        let before = cases.len();
        if let Wanted::Covered(target) = one {
            for (network, text) in target.then.clone() {
                let further = cover::Target { network, text, ..(**target).clone() };
                let further = Wanted::Covered(further.into());
                made(making, session, &further, &mut cases, &mut Vec::new())?;
                if cases.len() > before {
                    break;
                }
            }
        }
        // Where nothing can follow, the edge alone has to do.
        if cases.len() == before {
            made(making, session, one, &mut cases, &mut impossible)?;
        }
    }
    progress.clear();
    if let Some(warning) = args.cover.and_then(|cover| cover::warning(cover, &impossible)) {
        session.diagnostics.push(warning);
    }
    Ok((cases, impossible))
}

/// The tester of a test case, as the name of the file wants it.
fn tester(session: &mut Session, path: &Path, case: &TestCase) -> Result<String, Stop> {
    let Some(target) = TargetFormat::of_path(path) else {
        let message = format!("the name `{}` does not say what to write", path.display());
        let help = "let it end in .tioga, .xml, .xta, .dot or .svg";
        return Err(session.stop(Diagnostic::global("unknown-format", message).help(help)));
    };
    let text = case_model::text(case);
    let text =
        text.map_err(|error| session.stop(Diagnostic::global("unsupported", error.to_string())))?;
    if target == TargetFormat::Tioga {
        return Ok(text);
    }
    let file = session.sources.add("tester", text.as_str());
    let document = parse(Format::Tioga, file, &text, &mut session.diagnostics);
    let document = document.ok_or(Stop::Diagnosed)?;
    let printed = match target {
        TargetFormat::Dot => return Ok(picture::dot(&document)),
        TargetFormat::Svg => return Ok(picture::svg(&document)),
        TargetFormat::Xta => uppaal::print_xta(&document),
        TargetFormat::Xml => uppaal::print_xml(&document),
        TargetFormat::Tck | TargetFormat::Tioga => {
            let message = "a tester cannot be written in this language";
            return Err(session.stop(Diagnostic::global("unknown-format", message)));
        }
    };
    printed.map_err(|diagnostics| {
        session.diagnostics.append(diagnostics);
        Stop::Diagnosed
    })
}

/// What the options ask for.
fn wanted(args: &WantedArgs, session: &mut Session) -> Result<Vec<Wanted>, Stop> {
    if let Some(what) = args.cover {
        let model = load::model(session, &args.model)?.model;
        let targets = cover::targets(&model, what, args.then).into_iter();
        return Ok(targets.map(|target| Wanted::Covered(Box::new(target))).collect());
    }
    if args.purpose.is_empty() {
        let model = load::model(session, &args.model)?.model;
        let named = model.purposes.iter().filter(|purpose| {
            purpose.process.locations.iter().any(|location| location.marks.accept)
        });
        let named: Vec<Wanted> =
            named.map(|purpose| Wanted::Named(purpose.process.name.clone())).collect();
        return Ok(if named.is_empty() { vec![Wanted::Queries] } else { named });
    }
    let mut all = Vec::new();
    for text in &args.purpose {
        let Some(rest) = text.strip_prefix("reach ") else {
            all.push(Wanted::Named(text.clone()));
            continue;
        };
        let (condition, time) = match rest.rsplit_once(" within ") {
            None => (rest, None),
            Some((condition, time)) => match time.trim().parse::<Rational>() {
                Ok(time) if !time.is_negative() => (condition, Some(time)),
                _ => {
                    let message = format!("`{}` is no amount of time", time.trim());
                    return Err(session.stop(Diagnostic::global("bad-time", message)));
                }
            },
        };
        all.push(Wanted::Reach(condition.to_owned(), time));
    }
    Ok(all)
}

/// What to make, and when to give up.
struct Making<'w> {
    args: &'w WantedArgs,
    cancel: Cancel,
}

/// Makes the test cases for one purpose.
fn made(
    making: &Making<'_>,
    session: &mut Session,
    wanted: &Wanted,
    cases: &mut Vec<TestCase>,
    impossible: &mut Vec<Missed>,
) -> Result<(), Stop> {
    let args = making.args;
    let game = GameArgs { safety_first: args.safety_first, ..GameArgs::default() };
    let (query, within) = match wanted {
        Wanted::Reach(condition, within) => {
            (vec![format!("E<> control: A<> {condition}")], *within)
        }
        Wanted::Named(_) | Wanted::Queries | Wanted::Covered(_) => (Vec::new(), None),
    };
    let Loaded { document, mut model } = match wanted {
        // What is covered was made from the model; its objective stands in no document.
        Wanted::Covered(target) => {
            let document = Document::new(Dialect::Tioga);
            let model = validated(session, target.network.clone())?;
            Loaded { document, model }
        }
        _ => load::asked_within(session, &args.model, &query, within)?,
    };
    let mut restarts = false;
    if let Wanted::Named(name) = wanted {
        let purpose = model.purposes.iter().find(|purpose| purpose.process.name == *name);
        restarts = purpose.is_some_and(|purpose| purpose.restart.is_some());
        model = load::with_purpose(session, model, name)?;
    }
    let (mut approximated, mut cut_short) = (Vec::new(), false);
    let purpose = match wanted {
        Wanted::Named(name) => Some(format!("purpose {name}")),
        Wanted::Covered(target) => Some(target.text.clone()),
        Wanted::Reach(..) | Wanted::Queries => None,
    };
    if let Some(purpose) = purpose
        && !doubts(&model).is_empty()
        && !matches!(observation(&model), Ok(Observation::Clear))
    {
        if matches!(wanted, Wanted::Covered(target) if target.hidden) {
            impossible.push(Missed { purpose, why: cover::HIDDEN });
            return Ok(());
        }
        (model, approximated, cut_short) = determinized(making, session, &model, &purpose)?;
        if model.queries.is_empty() && cut_short {
            return Err(too_much_work(session));
        }
        if model.queries.is_empty() {
            // Nothing is marked in the view, because no run gets there.
            impossible.push(Missed { purpose, why: cover::UNREACHABLE });
            return Ok(());
        }
    }
    require_observation(&game, session, &model)?;
    let game_with_query = GameArgs { query, ..game.clone() };
    for mut question in questions(&game_with_query, session, &document, &model)? {
        if let Some(time) = within {
            question.text.push_str(&format!(" within {time}"));
        }
        let name = match wanted {
            Wanted::Covered(target) => target.name.clone(),
            _ => format!("{}-{}", model.name, cases.len() + 1),
        };
        let about = About {
            name,
            purpose: question.text.clone(),
            restarts,
            approximated: approximated.clone(),
            patience: patience(args, session, &model)?,
            ..About::default()
        };
        match case(making, session, &model, &game, &question, about)? {
            Ok(case) => {
                check(session, &model, &question, &case)?;
                cases.push(case);
            }
            Err(Error::Unreachable) if cut_short => return Err(too_much_work(session)),
            Err(Error::Unreachable) => {
                impossible.push(Missed { purpose: question.text, why: cover::UNREACHABLE });
            }
            Err(error) => {
                return Err(session.stop(Diagnostic::global("no-test-case", error.to_string())));
            }
        }
    }
    Ok(())
}

/// The deterministic view of a product, what is approximated in it, and whether the effort ended
/// before all of it was known.
fn determinized(
    making: &Making<'_>,
    session: &mut Session,
    model: &Model,
    purpose: &str,
) -> Result<(Model, Vec<String>, bool), Stop> {
    let view = determinize_auto(model, None, EFFORT, &making.cancel);
    if making.cancel.is_cancelled() {
        return Err(given_up(session));
    }
    let view = view.map_err(|error| {
        if let tioga_determinize::Error::Limit(_) = error {
            return too_much_work(session);
        }
        let message = format!("the model cannot be made deterministic: {error}");
        session.stop(Diagnostic::global("nondeterministic", message))
    })?;
    let approximated = match &view.exactness {
        Exactness::Unchanged | Exactness::Exact => Vec::new(),
        Exactness::Approximate { losses, .. } => {
            losses.iter().map(|loss| loss_text(loss).trim().to_owned()).collect()
        }
    };
    let cut_short = view.exactness.is_cut_short();
    let model = validated(session, view.network.aiming_at_marks(purpose))?;
    Ok((model, approximated, cut_short))
}

fn validated(session: &mut Session, network: Network) -> Result<Model, Stop> {
    network.validate().map_err(|diagnostics| {
        session.diagnostics.append(diagnostics);
        Stop::Diagnosed
    })
}

fn too_much_work(session: &mut Session) -> Stop {
    let message = "it takes too much work to make the model deterministic";
    let help = "`tioga determinize --max-steps` may succeed; its result can be used instead";
    session.diagnostics.push(Diagnostic::global("limit", message).help(help));
    Stop::Limit
}

/// The time is up, or somebody pressed Ctrl-C.
fn given_up(session: &mut Session) -> Stop {
    let message = "making test cases was ended before all were made";
    session.diagnostics.push(Diagnostic::global("limit", message));
    Stop::Limit
}

fn case(
    making: &Making<'_>,
    session: &mut Session,
    model: &Model,
    game: &GameArgs,
    question: &Question,
    about: About,
) -> Result<Result<TestCase, Error>, Stop> {
    let args = making.args;
    let scope = if args.safety_first { Scope::SafetyFirst } else { Scope::Cooperative };
    let terms = Terms { objective: question.objective.clone(), concept: Concept::Fair, scope };
    let options = SolveOptions {
        threads: threads(None),
        max_nodes: Some(args.max_states),
        cancel: making.cancel.clone(),
        ..SolveOptions::default()
    };
    let roots = [Root::initial(model)];
    let solution = solved(game, session, model, question, terms, &roots, &options)?;
    if making.cancel.is_cancelled() {
        return Err(given_up(session));
    }
    if !solution.complete {
        let message =
            format!("`{}` has more than {} discrete states", question.text, args.max_states);
        let help = "`--max-states` allows more; variables with smaller ranges make fewer";
        session.diagnostics.push(Diagnostic::global("limit", message).help(help));
        return Err(Stop::Limit);
    }
    let (luck, ..) = plan(model, &solution);
    let luck = luck.lines().map(|line| line.trim().trim_start_matches("at ").to_owned());
    let about = About { luck: luck.collect(), ..about };
    let shape = match args.shape {
        ShapeArg::Automaton => Shape::Automaton,
        ShapeArg::Strategy => Shape::Strategy,
        ShapeArg::Tree => Shape::Tree,
    };
    Ok(test_case(&solution, shape, about))
}

/// Lets the independent checker look at a test case, as far as that takes little time.
fn check(
    session: &mut Session,
    model: &Model,
    question: &Question,
    case: &TestCase,
) -> Result<(), Stop> {
    let options = CheckOptions {
        max_regions: 4000,
        plays: 20,
        moves: 20,
        span: question.span,
        ..CheckOptions::default()
    };
    match check_case(model, &question.objective, case, &options) {
        Err(tioga_certify::Error::Refuted(refutation)) if refutation.flaw == Flaw::Ambiguous => {
            let message = format!("test cases need a deterministic model: {refutation}");
            let help = "a purpose given as an automaton goes through the deterministic view";
            Err(session.stop(Diagnostic::global("nondeterministic", message).help(help)))
        }
        Err(tioga_certify::Error::Unsupported(why)) => {
            Err(session.stop(Diagnostic::global("no-test-case", why)))
        }
        Err(tioga_certify::Error::Refuted(refutation)) => {
            let message = format!("the test case is wrong: {refutation}");
            let note = "please report this; the model and the purpose suffice to reproduce it";
            Err(session.fail(Diagnostic::global("refuted", message).note(note)))
        }
        // What cannot be checked in little time is used all the same.
        Ok(_) | Err(_) => Ok(()),
    }
}

/// How long a tree waits, in units of the model.
fn patience(args: &WantedArgs, session: &mut Session, model: &Model) -> Result<i64, Stop> {
    let largest = cover::largest_constant(model);
    let window = args.window.map_or_else(|| largest.add(Rational::ONE), Ok);
    let scaled = window.and_then(|window| window.mul(Rational::integer(model.scale)));
    match scaled.ok().and_then(Rational::to_integer) {
        Some(units) if units >= 0 => Ok(units),
        _ => {
            let message = "the window is not a multiple of the model's finest unit";
            Err(session.stop(Diagnostic::global("bad-time", message)))
        }
    }
}
