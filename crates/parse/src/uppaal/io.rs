//! ECDAR's lines `IO P { a?, b! }`, which say what a component receives and sends.

use std::collections::BTreeMap;

use crate::clike::{Parsed, Parser};
use crate::syntax::{Declaration, DeclarationKind, Direction, Document, Item, TypeExpr, TypeKind};

/// What `IO` lines said about channels, in file order.
pub(crate) type Directions = Vec<(String, Direction)>;

/// Whether such a line starts here.
pub(super) fn at_line(parser: &Parser<'_>) -> bool {
    parser.at("IO") && parser.is_name(1) && (parser.is(2, "{") || parser.is(2, "("))
}

/// Parses a line; what it says is kept by the parser.
pub(super) fn line(parser: &mut Parser<'_>) -> Parsed<()> {
    parser.advance();
    parser.name("a component")?;
    if parser.eat("(") && !parser.eat(")") {
        parser.expressions()?;
        parser.expect(")")?;
    }
    parser.expect("{")?;
    while !parser.eat("}") {
        let name = parser.name("a channel")?;
        while parser.eat("[") {
            parser.expression()?;
            parser.expect("]")?;
        }
        let direction = if parser.eat("!") {
            Direction::Output
        } else if parser.eat("?") {
            Direction::Input
        } else {
            return parser.complain("`!` or `?` after the channel");
        };
        parser.directions.push((name.text, direction));
        if !parser.eat(",") && !parser.at("}") {
            return parser.complain("`,` or `}`");
        }
    }
    parser.eat(";");
    Ok(())
}

/// Gives the channels of a document the directions that `IO` lines say. A channel that one component
/// sends and another receives connects the two, and stays inside.
pub(super) fn apply(document: &mut Document, directions: &Directions) {
    let mut found: BTreeMap<&str, Option<Direction>> = BTreeMap::new();
    for (name, direction) in directions {
        let same = found.entry(name).or_insert(Some(*direction));
        *same = same.filter(|same| same == direction);
    }
    let mut items = Vec::new();
    for item in std::mem::take(&mut document.items) {
        match item {
            Item::Declaration(declaration) => {
                items.extend(split(declaration, &found).into_iter().map(Item::Declaration));
            }
            other => items.push(other),
        }
    }
    document.items = items;
}

/// A declaration of channels as several, one for each run of declarators with one direction.
fn split(declaration: Declaration, found: &BTreeMap<&str, Option<Direction>>) -> Vec<Declaration> {
    let DeclarationKind::Variables { constant, symbolic, meta, ty, declarators, .. } =
        &declaration.kind
    else {
        return vec![declaration];
    };
    let TypeKind::Channel(channel) = &ty.kind else { return vec![declaration] };
    if !declarators.iter().any(|one| found.contains_key(one.name.text.as_str())) {
        return vec![declaration];
    }
    let parts = declarators.iter().map(|declarator| {
        let mut channel = *channel;
        channel.direction = found.get(declarator.name.text.as_str()).copied().flatten();
        let kind = DeclarationKind::Variables {
            constant: *constant,
            symbolic: *symbolic,
            meta: *meta,
            ty: TypeExpr { kind: TypeKind::Channel(channel), span: ty.span },
            declarators: vec![declarator.clone()],
            condition: None,
        };
        Declaration { kind, span: declaration.span }
    });
    parts.collect()
}
