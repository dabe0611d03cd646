//! A document's automata as SVG. GraphViz draws better, so its `dot` is used when it is there;
//! otherwise the built-in layouter, which knows no clusters.

use std::fmt;
use std::io::{self, Write};
use std::process::{Command, Stdio};

use layout::backends::svg::SVGWriter;
use layout::gv::{DotParser, GraphBuilder};
use tioga_parse::syntax::Document;

use super::{Frames, PrintExpr, print};

/// Why there is no picture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SvgError(String);

impl fmt::Display for SvgError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the picture cannot be laid out: {}", self.0)
    }
}

impl std::error::Error for SvgError {}

/// The document as SVG.
pub fn draw(document: &Document, print_expr: PrintExpr<'_>) -> Result<String, SvgError> {
    match graphviz(&print(document, Frames::Clusters, print_expr)) {
        Ok(svg) => Ok(svg),
        Err(_) => built_in(&print(document, Frames::None, print_expr)),
    }
}

/// Asks an installed GraphViz; any failure means it is not usable here.
fn graphviz(dot: &str) -> io::Result<String> {
    let mut process = Command::new("dot")
        .arg("-Tsvg")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    // `dot` reads all of its input before it writes, so this cannot block for good.
    let sent = process.stdin.take().map_or(Ok(()), |mut input| input.write_all(dot.as_bytes()));
    let output = process.wait_with_output()?;
    sent?;
    if !output.status.success() {
        return Err(io::Error::other("dot failed"));
    }
    String::from_utf8(output.stdout).map_err(io::Error::other)
}

fn built_in(dot: &str) -> Result<String, SvgError> {
    let graph = DotParser::new(dot).process().map_err(SvgError)?;
    let mut builder = GraphBuilder::new();
    builder.visit_graph(&graph);
    let mut graph = builder.get();
    let mut svg = SVGWriter::new();
    graph.do_it(false, false, false, &mut svg);
    Ok(svg.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::tests::lamp;

    #[test]
    fn the_built_in_layouter_draws_every_location_and_label() {
        let dot = print(&lamp(), Frames::None, &|_| "x <= 2 && \"y\"".to_owned());
        let svg = built_in(&dot).unwrap();
        for part in ["<svg", "Off", "On", "touch?", "dim!", "x &lt;= 2", "</svg>"] {
            assert!(svg.contains(part), "{part} is not in {svg}");
        }
    }
}
