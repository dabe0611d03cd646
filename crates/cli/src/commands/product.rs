//! `tioga product`: the product of a model with one of its purposes, as a model.

use serde_json::json;
use tioga::words::count;
use tioga::{TargetFormat, network_text, product};
use tioga_base::ModelFormat;
use tioga_model::Network;

use crate::args::ProductArgs;
use crate::exit::{Exit, Stop};
use crate::output::Session;

/// Runs the command.
pub fn run(args: &ProductArgs, session: &mut Session) -> Result<Exit, Stop> {
    let named = args.out.as_deref().and_then(TargetFormat::of_path);
    let target = named.unwrap_or(TargetFormat::Model(ModelFormat::Tioga));
    let loaded = session.read(&args.model)?;
    let mut effort = session.effort(args.memory.limits(args.timeout));
    let network = product(&loaded.model, &args.purpose, args.max_states, &mut effort)
        .map_err(|failure| failure.help_with(&["no-product"], "`--max-states` allows more"))?;
    drop(effort);
    let [locations, edges] = sizes(&network);
    let about = format!(
        "the product of {} and {}: {}, {}",
        loaded.model.name,
        args.purpose,
        count(locations, "location"),
        count(edges, "edge")
    );
    let text = network_text(&network, std::slice::from_ref(&about), target)?;
    let mut result = json!({ "locations": locations, "edges": edges });
    match &args.out {
        Some(path) => {
            session.write_file(path, text.as_bytes())?;
            result["written"] = path.display().to_string().into();
            session.print(&format!("{about}\n"))?;
        }
        None => {
            session.print_as_is(&text)?;
            result["text"] = text.into();
        }
    }
    session.set_result(result);
    Ok(Exit::Success)
}

fn sizes(network: &Network) -> [usize; 2] {
    let all = network.processes.iter();
    all.fold([0, 0], |[locations, edges], process| {
        [locations + process.locations.len(), edges + process.edges.len()]
    })
}
