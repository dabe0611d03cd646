//! Types, variables, typedefs, parameters and functions.

use tioga_base::Diagnostic;

use super::{Parsed, Parser, TokenKind};
use crate::syntax::{
    ChannelType, Declaration, DeclarationKind, Declarator, Dialect, Direction, Field, Function,
    Initializer, Parameter, TypeExpr, TypeKind,
};

/// Words that start a declaration in every dialect.
const TYPE_WORDS: [&str; 13] = [
    "bool",
    "broadcast",
    "chan",
    "clock",
    "const",
    "int",
    "meta",
    "scalar",
    "struct",
    "typedef",
    "urgent",
    "void",
    "hybrid",
];

/// Words of UPPAAL that Tioga does not support, with what they are, the names of the features, and what to
/// do instead.
const UNSUPPORTED: [(&str, &str, &str, &str); 6] = [
    ("double", "floating-point variables (`double`)", "double", EXACT_DATA),
    ("string", "strings", "string", "number the texts, and use the numbers"),
    (
        "hybrid",
        "hybrid clocks",
        "hybrid-clock",
        "time is exact; leave the clock out if only statistics need it",
    ),
    ("dynamic", "dynamic templates", "dynamic-template", SPAWNED),
    ("import", "external functions", "import", "write the function in the model"),
    ("spawn", "dynamic templates", "dynamic-template", SPAWNED),
];

/// What to do instead of computing with floating-point numbers.
pub(crate) const EXACT_DATA: &str = "data is exact and finite; use scaled integers";

/// What to do instead of starting processes during a run.
const SPAWNED: &str = "instantiate as many processes as there can be at once";

/// `const`, `param` and `meta` before a type.
#[derive(Clone, Copy, Default)]
struct Prefix {
    constant: bool,
    symbolic: bool,
    meta: bool,
}

impl Parser<'_> {
    /// Whether a declaration starts here: a type word, or two identifiers in a row.
    pub fn at_declaration(&self) -> bool {
        let token = self.peek();
        if token.kind != TokenKind::Word {
            return false;
        }
        let tioga = self.dialect == Dialect::Tioga
            && matches!(
                token.text,
                "input" | "output" | "internal" | "integer" | "rational" | "param"
            );
        let unsupported = self.dialect == Dialect::Uppaal
            && UNSUPPORTED.iter().any(|(word, ..)| *word == token.text)
            && self.peek_at(1).kind == TokenKind::Word;
        TYPE_WORDS.contains(&token.text)
            || tioga
            || unsupported
            || (self.is_name(0) && self.is_name(1))
    }

    /// Parses one declaration with its closing `;` or function body.
    pub fn declaration(&mut self) -> Parsed<Declaration> {
        let start = self.peek().span;
        let kind = if self.eat("typedef") {
            // UPPAAL allows it, and constants are declared as such where the type is used.
            self.prefix();
            let ty = self.type_expr()?;
            let declarators = self.comma_separated(|parser| parser.declarator(false))?;
            self.expect(";")?;
            self.type_names.extend(declarators.iter().map(|one| one.name.text.clone()));
            DeclarationKind::Typedef(ty, declarators)
        } else if self.dialect == Dialect::Tioga && self.eat("internal") {
            let names = self.comma_separated(|parser| parser.name("an internal action"))?;
            self.expect(";")?;
            DeclarationKind::Internal(names)
        } else {
            self.variables_or_function()?
        };
        Ok(Declaration { kind, span: self.span_from(start) })
    }

    fn variables_or_function(&mut self) -> Parsed<DeclarationKind> {
        let prefix = self.prefix();
        if prefix.constant && self.is_name(0) && self.old_constant_follows() {
            return self.old_constants();
        }
        let ty = self.type_expr()?;
        if self.is_name(0) && self.is(1, "(") && !matches!(ty.kind, TypeKind::Channel(_)) {
            return self.function(ty);
        }
        let channel = matches!(ty.kind, TypeKind::Channel(_));
        let declarators = self.comma_separated(|parser| parser.declarator(channel))?;
        let condition = match prefix.symbolic && self.eat("where") {
            true => Some(self.expression()?),
            false => None,
        };
        self.expect(";")?;
        let Prefix { constant, symbolic, meta } = prefix;
        Ok(DeclarationKind::Variables { constant, symbolic, meta, ty, declarators, condition })
    }

    fn prefix(&mut self) -> Prefix {
        let mut prefix = Prefix::default();
        loop {
            if self.eat("const") {
                prefix.constant = true;
            } else if self.eat("meta") {
                prefix.meta = true;
            } else if self.dialect == Dialect::Tioga && self.eat("param") {
                prefix.symbolic = true;
            } else {
                return prefix;
            }
        }
    }

    /// Old UPPAAL files write `const N 5;`.
    fn old_constant_follows(&self) -> bool {
        let next = self.peek_at(1);
        self.dialect == Dialect::Uppaal
            && (next.kind == TokenKind::Number || next.text == "-" || next.text == "=")
    }

    fn old_constants(&mut self) -> Parsed<DeclarationKind> {
        let span = self.peek().span;
        let declarators = self.comma_separated(|parser| {
            let name = parser.name("a constant")?;
            let _ = parser.eat("=") || parser.eat(":=");
            let value = parser.expression()?;
            Ok(Declarator {
                name,
                dimensions: Vec::new(),
                parameters: Vec::new(),
                initializer: Some(Initializer::Expr(value)),
            })
        })?;
        self.expect(";")?;
        let ty = TypeExpr { kind: TypeKind::Int(None), span };
        Ok(DeclarationKind::Variables {
            constant: true,
            symbolic: false,
            meta: false,
            ty,
            declarators,
            condition: None,
        })
    }

    /// Parses a type.
    pub fn type_expr(&mut self) -> Parsed<TypeExpr> {
        let token = self.peek();
        if let Some((_, what, feature, help)) =
            UNSUPPORTED.iter().find(|(word, ..)| *word == token.text)
            && self.dialect == Dialect::Uppaal
        {
            let message = format!("{what} are not supported");
            return self.fail(Diagnostic::unsupported(feature, token.span, message).help(*help));
        }
        if self.at_channel() {
            return self.channel_type();
        }
        let kind = match token.text {
            _ if token.kind != TokenKind::Word => return self.complain("a type"),
            "bool" => TypeKind::Bool,
            "clock" => TypeKind::Clock,
            "void" => TypeKind::Void,
            "integer" if self.dialect == Dialect::Tioga => TypeKind::Integer,
            "rational" if self.dialect == Dialect::Tioga => TypeKind::Rational,
            "int" => return self.int_type(),
            "scalar" => {
                self.advance();
                self.expect("[")?;
                let size = self.expression()?;
                self.expect("]")?;
                let kind = TypeKind::Scalar(Box::new(size));
                return Ok(TypeExpr { kind, span: self.span_from(token.span) });
            }
            "struct" => return self.struct_type(),
            _ => TypeKind::Named(self.name("a type")?),
        };
        if !matches!(kind, TypeKind::Named(_)) {
            self.advance();
        }
        Ok(TypeExpr { kind, span: self.span_from(token.span) })
    }

    fn int_type(&mut self) -> Parsed<TypeExpr> {
        let start = self.advance().span;
        let range = if self.eat("[") {
            let low = self.expression()?;
            self.expect(",")?;
            let high = self.expression()?;
            self.expect("]")?;
            Some(Box::new((low, high)))
        } else {
            None
        };
        Ok(TypeExpr { kind: TypeKind::Int(range), span: self.span_from(start) })
    }

    fn struct_type(&mut self) -> Parsed<TypeExpr> {
        let start = self.advance().span;
        self.expect("{")?;
        let fields = self.nested(|parser| {
            let mut fields = Vec::new();
            while !parser.at("}") && !parser.at_end() {
                parser.prefix();
                let ty = parser.type_expr()?;
                let declarators = parser.comma_separated(|parser| parser.declarator(false))?;
                parser.expect(";")?;
                fields.push(Field { ty, declarators });
            }
            Ok(fields)
        })?;
        self.expect("}")?;
        Ok(TypeExpr { kind: TypeKind::Struct(fields), span: self.span_from(start) })
    }

    fn at_channel(&self) -> bool {
        let interface = self.dialect == Dialect::Tioga && (self.at("input") || self.at("output"));
        self.at("chan") || self.at("urgent") || self.at("broadcast") || interface
    }

    /// `urgent broadcast chan`; in `.tioga` also `input` and `output`, after which `chan` may be
    /// left out.
    fn channel_type(&mut self) -> Parsed<TypeExpr> {
        let start = self.peek().span;
        let mut channel = ChannelType::default();
        loop {
            if self.eat("urgent") {
                channel.urgent = true;
            } else if self.eat("broadcast") {
                channel.broadcast = true;
            } else if self.dialect == Dialect::Tioga && self.eat("input") {
                channel.direction = Some(Direction::Input);
            } else if self.dialect == Dialect::Tioga && self.eat("output") {
                channel.direction = Some(Direction::Output);
            } else {
                break;
            }
        }
        if !self.eat("chan") && channel.direction.is_none() {
            return self.complain("`chan`");
        }
        Ok(TypeExpr { kind: TypeKind::Channel(channel), span: self.span_from(start) })
    }

    /// Parses a declared name; channels may have communication parameters.
    fn declarator(&mut self, channel: bool) -> Parsed<Declarator> {
        let name = self.name("a declaration")?;
        let dimensions = self.dimensions()?;
        let parameters = if channel && self.at("(") { self.parameters(false)? } else { Vec::new() };
        let initializer =
            if self.eat("=") || self.eat(":=") { Some(self.initializer()?) } else { None };
        Ok(Declarator { name, dimensions, parameters, initializer })
    }

    /// Parses array dimensions, possibly none.
    pub(crate) fn dimensions(&mut self) -> Parsed<Vec<TypeExpr>> {
        let mut dimensions = Vec::new();
        while self.eat("[") {
            let start = self.peek().span;
            let dimension = if self.at("int") || self.at("bool") || self.at("scalar") {
                self.type_expr()?
            } else {
                let size = self.expression()?;
                TypeExpr { kind: TypeKind::Size(Box::new(size)), span: self.span_from(start) }
            };
            self.expect("]")?;
            dimensions.push(dimension);
        }
        Ok(dimensions)
    }

    fn initializer(&mut self) -> Parsed<Initializer> {
        if !self.at("{") {
            return Ok(Initializer::Expr(self.expression()?));
        }
        let start = self.advance().span;
        let parts = self.nested(|parser| {
            parser.comma_separated(|parser| {
                let field = if parser.is_name(0) && parser.is(1, ":") {
                    let name = parser.name("a field")?;
                    parser.advance();
                    Some(name)
                } else {
                    None
                };
                Ok((field, parser.initializer()?))
            })
        })?;
        self.expect("}")?;
        Ok(Initializer::List(parts, self.span_from(start)))
    }

    /// Parses a parenthesised list of parameters. Names may be left out unless `named`.
    pub fn parameters(&mut self, named: bool) -> Parsed<Vec<Parameter>> {
        self.expect("(")?;
        let parameters = if self.at(")") { Vec::new() } else { self.parameter_list(named)? };
        self.expect(")")?;
        Ok(parameters)
    }

    /// Parses parameters separated by commas. Names may be left out unless `named`.
    pub fn parameter_list(&mut self, named: bool) -> Parsed<Vec<Parameter>> {
        self.comma_separated(|parser| {
            let constant = parser.prefix().constant;
            let ty = parser.type_expr()?;
            let reference = parser.eat("&");
            let name = if named || parser.is_name(0) {
                parser.name("a parameter")?
            } else {
                crate::syntax::Name::new("", parser.previous_span().after())
            };
            let dimensions = parser.dimensions()?;
            Ok(Parameter { constant, reference, ty, name, dimensions })
        })
    }

    fn function(&mut self, result: TypeExpr) -> Parsed<DeclarationKind> {
        let name = self.name("a function")?;
        let parameters = self.parameters(true)?;
        let body = self.block()?;
        Ok(DeclarationKind::Function(Function { result, name, parameters, body }))
    }
}
