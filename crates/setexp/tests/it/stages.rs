//! Models through all stages.

use std::path::Path;

use tioga_base::{Budget, Diagnostics, FileId, ModelFormat};
use tioga_model::Model;
use tioga_parse::syntax::{DeclarationKind, Document, Item};
use tioga_parse::{Options, lower, parse};
use tioga_setexp::{
    Game, Given, ObservableGraph, Projection, Refusal, SetExp, TestGraph, Tiosa, complete_purpose,
    hypotheses, product, pruned, read,
};
use tioga_terms::Exact;

/// Everything that is computed from a model and a purpose.
pub struct Stages {
    pub spec: Tiosa,
    pub product: Tiosa,
    pub setexp: SetExp,
    pub projection: Projection,
    pub observed: ObservableGraph,
    pub graph: TestGraph,
    pub game: Game,
}

fn document(text: &str) -> (Model, Document) {
    let mut found = Diagnostics::new();
    let parsed = parse(ModelFormat::Tioga, FileId(0), text, &mut found);
    let document = parsed.unwrap_or_else(|| panic!("{found:?}"));
    let network = lower(&document, &Options::default(), &mut found);
    let network = network.unwrap_or_else(|| panic!("{found:?}"));
    (network.validate().unwrap_or_else(|wrong| panic!("{wrong:?}")), document)
}

/// The specification and the product with a purpose.
pub fn automata(text: &str, purpose: &str) -> Result<(Tiosa, Tiosa), Refusal> {
    let (model, document) = document(text);
    let mut solver = Exact::new();
    let position = model.purposes.iter().position(|one| one.process.name == purpose);
    let mut given = Given::default();
    for item in &document.items {
        let Item::Declaration(declaration) = item else { continue };
        let DeclarationKind::Variables { declarators, .. } = &declaration.kind else { continue };
        for one in declarators.iter().filter(|one| !one.parameters.is_empty()) {
            let names = one.parameters.iter().map(|p| p.name.text.clone()).collect();
            given.parameters.push((one.name.text.clone(), names));
        }
    }
    let read = read(&model, Some(position.unwrap()), &given, &mut solver)?;
    hypotheses(&read.spec, &mut solver)?;
    let (observer, otherwise) = read.purpose.unwrap();
    let observer = complete_purpose(&observer, otherwise, &mut solver)?;
    let product = product(&read.spec, &observer)?;
    Ok((read.spec, product))
}

/// All stages of a product.
pub fn stages_of(spec: Tiosa, product: Tiosa) -> Result<Stages, Refusal> {
    let mut solver = Exact::new();
    let budget = || Budget::steps(100_000);
    let setexp = SetExp::of(&product, &mut budget())?;
    let projection = Projection::of(&product, &setexp, &mut solver, &mut budget())?;
    let whole = ObservableGraph::of(&product, &setexp, &projection, &mut solver, &mut budget())?;
    let observed = pruned(&product, &whole, &mut solver)?;
    let graph = TestGraph::of(&product, &observed, &mut solver)?;
    let game = Game::solve(&graph, &projection, &mut solver, &mut budget())?;
    Ok(Stages { spec, product, setexp, projection, observed, graph, game })
}

/// All stages of a text with a purpose.
pub fn try_stages(text: &str, purpose: &str) -> Result<Stages, Refusal> {
    let (spec, product) = automata(text, purpose)?;
    stages_of(spec, product)
}

/// All stages of a text with a purpose, which fits the method.
pub fn stages(text: &str, purpose: &str) -> Stages {
    try_stages(text, purpose).unwrap_or_else(|refusal| panic!("{refusal}"))
}

/// The text of an example.
pub fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    std::fs::read_to_string(path).unwrap()
}

/// Compares with a golden file, or writes it if `TIOGA_BLESS` is set.
pub fn golden(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/goldens").join(name);
    if std::env::var_os("TIOGA_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(text, expected, "{name} differs; TIOGA_BLESS=1 writes it anew");
}
