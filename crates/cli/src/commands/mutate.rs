//! `tioga mutate`: the mutants of a model, which of them can be told from it, and how.

use serde_json::Value;
use tioga::words::count;
use tioga::{
    Effort, Failure, JUDGED_STATES, Judge, JudgeOptions, Judged, JudgedMutant, Loaded, Status,
    judged_each, operators, rewritten,
};
use tioga_base::Diagnostic;

use crate::args::MutateArgs;
use crate::exit::{Exit, Stop};
use crate::list_file::ListFile;
use crate::output::{OutputFormat, Session};
use crate::text::mutants::{Listed, Table, caution, frame, to_json};

/// Runs the command.
pub fn run(args: &MutateArgs, session: &mut Session) -> Result<Exit, Stop> {
    let operators = operators(&args.operators)?;
    let loaded = session.read(&args.model)?;
    let options = JudgeOptions {
        operators,
        environment: args.all,
        as_is: args.as_is,
        compare: !args.list,
        max_states: args.search.max_states.unwrap_or(JUDGED_STATES),
    };
    if let Some(folder) = &args.out {
        session.create_directory(folder)?;
    }
    let mut effort = Effort { view: args.view.options(), ..args.search.effort(session) };
    let table = Table::new(&loaded.model, !args.list);
    let (list, values, unwritten, stop) = (None, Vec::new(), (0, None), None);
    let mut sink = Sink { args, loaded: &loaded, session, table, list, values, unwritten, stop };
    let judged = judged_each(&loaded.model, &options, &mut effort, &mut |judge, one| {
        sink.take(judge, one).map_err(|stop| match stop {
            Stop::Failed(failure) => failure,
            Stop::BrokenPipe => {
                sink.stop = Some(Stop::BrokenPipe);
                Failure::from(Diagnostic::global("cannot-write", "nothing reads the output"))
            }
        })
    });
    drop(effort);
    match (sink.stop.take(), judged) {
        (Some(stop), _) => Err(stop),
        (None, judged) => sink.finish(&judged?),
    }
}

/// What is done with each mutant. None is kept unless all are asked for as JSON.
struct Sink<'s> {
    args: &'s MutateArgs,
    loaded: &'s Loaded,
    session: &'s mut Session,
    table: Table,
    list: Option<ListFile>,
    /// All of them, for `--format json`.
    values: Vec<Value>,
    /// How many could not be written, and why the first could not.
    unwritten: (usize, Option<String>),
    stop: Option<Stop>,
}

impl Sink<'_> {
    fn take(&mut self, judge: &Judge, (mutant, status): JudgedMutant) -> Result<(), Stop> {
        let differs = matches!(status, Some(Status::NonConforming { .. }));
        if self.args.only_nonconforming && !differs {
            return Ok(());
        }
        let mut one = Listed { mutant, status, written: None };
        if self.args.out.is_some() {
            self.write(judge, &mut one)?;
        }
        if self.session.format == OutputFormat::Json {
            self.values.push(to_json(&self.loaded.model, &one));
        }
        match self.table.add(&one) {
            Some(text) => self.session.print(&text),
            None => Ok(()),
        }
    }

    /// Writes a mutant to a file of its own and adds it to the list.
    fn write(&mut self, judge: &Judge, one: &mut Listed) -> Result<(), Stop> {
        let Some(folder) = &self.args.out else { return Ok(()) };
        let model = &self.loaded.model;
        let network = judge.completed(model, &one.mutant);
        let head = [one.mutant.id.clone(), one.mutant.description.clone()];
        one.written = Some(match rewritten(self.loaded, &network, &head) {
            Ok(text) => {
                let name = format!("{}.tioga", one.mutant.id.replace(['/', '\\'], "_"));
                self.session.write_file(&folder.join(&name), text.as_bytes())?;
                Ok(name)
            }
            Err(reason) => {
                self.unwritten.0 += 1;
                self.unwritten.1.get_or_insert(format!("{}: {reason}", one.mutant.id));
                Err(reason)
            }
        });
        self.list(judge)?.add(&to_json(model, one))?;
        Ok(())
    }

    fn list(&mut self, judge: &Judge) -> Result<&mut ListFile, Stop> {
        let list = match self.list.take() {
            Some(list) => list,
            None => {
                let path = self.args.out.clone().unwrap_or_default().join("mutants.json");
                let frame = frame(&self.loaded.model, judge.completion, 0);
                ListFile::begin(self.session, &path, &frame, "mutants")?
            }
        };
        Ok(self.list.insert(list))
    }

    fn finish(mut self, judged: &Judged) -> Result<Exit, Stop> {
        let Judged { judge, skipped, stopped } = judged;
        let mut object = frame(&self.loaded.model, judge.completion, *skipped);
        let (all, unknown) = (self.table.count, self.table.unknown);
        let written = count(all - self.unwritten.0, "mutant");
        if let Some(note) = self.unwritten.1.take() {
            let message = format!("{} could not be written", count(self.unwritten.0, "mutant"));
            self.session.warn(Diagnostic::global("unwritten", message).note(note));
        }
        if self.args.out.is_some() {
            self.list(judge)?;
        }
        let mut text = self.table.finish(*skipped);
        if !self.args.list {
            text.push_str(caution(judge));
        }
        if let (Some(folder), Some(list)) = (&self.args.out, self.list) {
            list.finish(&object)?;
            text.push_str(&format!("{written} written to {}\n", folder.display()));
        }
        self.session.print(&text)?;
        object["mutants"] = self.values.into();
        self.session.set_result(object);
        if let Some(reason) = stopped {
            self.session.warn(Diagnostic::global("limit", format!("stopped early: {reason}")));
            return Ok(Exit::Unknown);
        }
        Ok(match (all, unknown) {
            (0, _) => Exit::Negative,
            (_, 0) => Exit::Success,
            _ => Exit::Unknown,
        })
    }
}
