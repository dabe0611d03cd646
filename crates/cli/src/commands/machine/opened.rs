//! The machine that a command is about.

use tioga::machines::{OpenedMachine, minimised, open_machine};

use crate::args::OneMachineArgs;
use crate::exit::Stop;
use crate::output::Session;
use crate::text::machine as text;

/// Opens the machine, and makes it minimal if that is asked for.
pub fn opened(args: &OneMachineArgs, session: &mut Session) -> Result<OpenedMachine, Stop> {
    let format = args.machine_format.map(text::format);
    let opened = open_machine(&args.machine, format, &args.load.options(), &mut session.texts)?;
    let machine = if args.minimise { minimised(&opened.machine)? } else { opened.machine };
    Ok(OpenedMachine { machine, ..opened })
}
