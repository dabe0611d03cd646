//! Which files a command reads and which it writes, as far as its arguments name them.

use std::path::PathBuf;

use crate::args::{
    Command, CompareArgs, GridCommand, LoadArgs, MachineArgs, MachineCommand, ModelArgs, RunsArgs,
};
use crate::files::Files;

/// The files of a command. Commands that write what they read on purpose, or write nothing, have none.
pub fn of(command: &Command) -> Files {
    let Named(files) = Named::of(command);
    files
}

struct Named(Files);

impl Named {
    fn of(command: &Command) -> Self {
        let mut files = Self(Files::default());
        match command {
            Command::Simulate(args) => {
                files.read_named(&args.model);
                files.write(&args.out);
            }
            Command::Reach(args) => files.model(&args.model).write(&args.out),
            Command::Solve(args) => files.model(&args.model).write(&args.strategy),
            Command::Play(args) => files.model(&args.model).write(&args.out),
            Command::Synth(args) => {
                files.model(&args.wanted.model).write(&args.out);
                files.write(&args.tester);
            }
            Command::Test(args) => {
                files.model(&args.wanted.model);
                args.sut.iter().for_each(|sut| files.system(sut));
                files.runs(&args.runs, args.journal());
            }
            Command::Run(args) => {
                files.0.inputs.push(args.suite.clone());
                args.model.iter().for_each(|model| files.read_named(model));
                files.system(&args.sut);
                files.runs(&args.runs, args.runs.journal_beside(&args.suite));
            }
            Command::Studio(args) => {
                files.read_named(&args.what);
                files.load(&args.load);
                if let Some(sut) = &args.sut {
                    files.system(sut);
                    files.journal((!args.shows_journal()).then(|| args.journal()));
                }
            }
            Command::Shrink(args) => {
                files.0.inputs.push(args.journal.clone());
                args.model.iter().for_each(|model| files.read_named(model));
                args.sut.iter().for_each(|sut| files.system(sut));
                files.load(&args.load);
                files.journal(Some(args.out()));
            }
            Command::Report(args) => {
                files.0.inputs.push(args.journal.clone());
                let reports = [&args.junit, &args.tap, &args.html, &args.json, &args.ttcn];
                reports.into_iter().for_each(|path| files.write(path));
                files.write(&args.coverage.clone().flatten());
                files.write(&args.timing);
                files.write(&args.diagram);
            }
            Command::Explain(args) => {
                files.0.inputs.push(args.journal.clone());
                args.model.iter().for_each(|model| files.read_named(model));
                files.write(&args.diagram);
            }
            Command::Product(args) => files.model(&args.model).write(&args.out),
            Command::Symbolic(args) => files.model(&args.model).write(&args.out),
            Command::Determinize(args) => files.model(&args.model).write(&args.out),
            Command::Conform(args) => files.compared(&args.compare),
            Command::Refines(args) => files.compared(&args.compare),
            // The names of the mutants are known later, when the session compares them.
            Command::Mutate(args) => {
                files.model(&args.model);
            }
            Command::Mutation(args) => {
                files.0.inputs.extend(args.suite.iter().cloned());
                files.model(&args.model).write(&args.out);
                files.journal(args.journal.clone());
            }
            Command::Convert(args) => files.model(&args.model).write(&args.out),
            Command::Machine(MachineArgs { command: MachineCommand::Convert(args) }) => {
                files.read_named(&args.machine.machine);
                files.load(&args.machine.load);
                files.write(&args.out);
            }
            Command::Machine(MachineArgs { command: MachineCommand::Suite(args) }) => {
                files.read_named(&args.machine.machine);
                files.load(&args.machine.load);
                files.write(&args.out);
            }
            Command::Grid(args) => match &args.command {
                GridCommand::Build(args) => files.model(&args.grid.model).write(&args.out),
                GridCommand::Words(args) => files.model(&args.grid.model).write(&args.out),
                GridCommand::Info(_)
                | GridCommand::Count(_)
                | GridCommand::Observe(_)
                | GridCommand::Product(_)
                | GridCommand::Replay(_) => {}
            },
            Command::Machine(_)
            | Command::Calibrate(_)
            | Command::Certify(_)
            | Command::Check(_)
            | Command::Replay(_)
            | Command::Resume(_)
            | Command::Monitor(_)
            | Command::Corpus(_)
            | Command::Fmt(_)
            | Command::Diff(_)
            | Command::New(_)
            | Command::Examples(_)
            | Command::Completions(_)
            | Command::Man(_) => {}
        }
        files
    }

    fn write(&mut self, path: &Option<PathBuf>) {
        self.0.outputs.extend(path.clone());
    }

    fn model(&mut self, args: &ModelArgs) -> &mut Self {
        self.read_named(&args.model);
        self.load(&args.load);
        self
    }

    fn load(&mut self, args: &LoadArgs) {
        self.0.inputs.extend(args.queries.iter().chain(&args.interface.interface).cloned());
    }

    /// A model may also be an example or come from standard input.
    fn read_named(&mut self, name: &str) {
        if name != "-" && !name.starts_with('@') {
            self.0.inputs.push(name.into());
        }
    }

    fn system(&mut self, name: &str) {
        if let Some(model) = name.strip_prefix("model:") {
            self.read_named(model);
        }
    }

    fn compared(&mut self, args: &CompareArgs) {
        self.read_named(&args.implementation);
        self.read_named(&args.specification);
        self.load(&args.load);
        self.write(&args.out);
    }

    fn runs(&mut self, args: &RunsArgs, journal: Option<PathBuf>) {
        self.journal(journal);
        [&args.junit, &args.tap, &args.html].into_iter().for_each(|path| self.write(path));
    }

    /// A journal that was there is kept beside the new one.
    fn journal(&mut self, path: Option<PathBuf>) {
        if let Some(path) = path {
            let mut old = path.clone().into_os_string();
            old.push(".old");
            self.0.outputs.extend([path, old.into()]);
        }
    }
}
