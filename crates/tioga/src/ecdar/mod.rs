//! Components and systems of ECDAR, as models in UPPAAL's text form.
//!
//! An ECDAR project is a folder: a file of global declarations and one file for each component, all JSON.
//! A component becomes a model with one process of its name. Its channels are broadcast channels; those of
//! its input edges are inputs, those of its output edges outputs. Locations are called by their ids, as in
//! ECDAR's queries; an id that cannot be a name, such as the empty one of a sink that ECDAR's mutation adds,
//! gets one. In a universal location everything may happen at any time. In an inconsistent one every input is
//! accepted, and neither an output nor a delay is possible. Components are input-enabled ([`mod@enabled`]), and
//! refine components with other alphabets ([`alphabets`]). A system is a network of components ([`system`]).

mod alphabets;
mod component;
mod enabled;
mod system;

use std::path::Path;

use tioga_base::Sources;

use crate::Failure;
use crate::texts::read_file;
use component::{
    Component, GLOBALS, Globals, directions, inputs, original_of, parsed, project_of, refused,
    system_declarations, written,
};
use enabled::enabled;

pub use alphabets::{Alphabets, united};
pub(crate) use component::{is_component, looks_like_component};

/// The model of a component or a system, with the declarations of its project. A mutant has the interface
/// of the component of its name, so that it can be compared even if it never sends some output.
pub(crate) fn read(path: &Path, texts: &mut Sources) -> Result<String, Failure> {
    let text = read_file(texts, path)?;
    let project = project_of(path);
    let globals = match project {
        Some(project) => {
            let path = project.join(GLOBALS);
            let text = read_file(texts, &path)?;
            parsed::<Globals>(&path, &text)?.declarations
        }
        None => String::new(),
    };
    let declared = system_declarations(path, texts)?;
    let failed = |message| Failure::from(refused(path, message));
    if let Some(system) = system::parsed(&text) {
        let (text, processes) = system::read(path, &system, (&globals, &declared), texts)?;
        return enabled(path, text, &processes, texts);
    }
    let component: Component = parsed(path, &text)?;
    let mut interface = directions(&component, &declared).map_err(failed)?;
    if let Some(original) = project.and_then(|project| original_of(path, project, &component)) {
        let text = read_file(texts, &original)?;
        let original: Component = parsed(&original, &text)?;
        for (channel, direction) in directions(&original, &declared).unwrap_or_default() {
            interface.entry(channel).or_insert(direction);
        }
    }
    let text = written(&component, &globals, &interface).map_err(failed)?;
    enabled(path, text, &[inputs(&component.name, &interface)], texts)
}
