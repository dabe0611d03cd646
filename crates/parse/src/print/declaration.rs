//! Types, variables, typedefs, parameters and functions.

use crate::syntax::{
    ChannelType, Declaration, DeclarationKind, Declarator, Dialect, Direction, Function,
    Initializer, Parameter, TypeExpr, TypeKind,
};

use super::Printer;

impl Printer<'_> {
    /// Prints a declaration on lines of its own. Action labels declared `internal` mean nothing to
    /// UPPAAL and are left out there; so are the directions of channels.
    pub fn declaration(&mut self, declaration: &Declaration) {
        let span = declaration.span;
        let text = match &declaration.kind {
            DeclarationKind::Variables { constant, symbolic, meta, ty, declarators, condition } => {
                let mut text = String::new();
                for (there, word) in [(constant, "const "), (symbolic, "param "), (meta, "meta ")] {
                    if *there {
                        text.push_str(word);
                    }
                }
                if *symbolic && self.dialect != Dialect::Tioga {
                    self.inexpressible(span, "a symbolic constant (`param`)");
                }
                text.push_str(&self.type_expr(ty));
                text.push(' ');
                text.push_str(&self.declarators(declarators));
                if let Some(condition) = condition {
                    text.push_str(" where ");
                    text.push_str(&self.expr(condition));
                }
                text
            }
            DeclarationKind::Internal(_) if self.dialect != Dialect::Tioga => return,
            DeclarationKind::Internal(names) => {
                let names: Vec<&str> = names.iter().map(|name| name.text.as_str()).collect();
                format!("internal {}", names.join(", "))
            }
            DeclarationKind::Typedef(ty, declarators) => {
                format!("typedef {} {}", self.type_expr(ty), self.declarators(declarators))
            }
            DeclarationKind::Function(function) => return self.function(declaration, function),
        };
        self.line(span, &format!("{text};"));
    }

    fn function(&mut self, declaration: &Declaration, function: &Function) {
        let result = self.type_expr(&function.result);
        let parameters = self.parameters(&function.parameters);
        let mut head = declaration.span;
        let last = function.parameters.last();
        head.end = last.map_or(function.name.span.end, |parameter| parameter.name.span.end);
        self.open(head, &format!("{result} {}({parameters}) {{", function.name.text));
        self.block_contents(&function.body);
        self.close(function.body.span.end, "}");
    }

    /// The text of a type.
    pub fn type_expr(&mut self, ty: &TypeExpr) -> String {
        let tioga = self.dialect == Dialect::Tioga;
        match &ty.kind {
            TypeKind::Bool => "bool".to_owned(),
            TypeKind::Int(None) => "int".to_owned(),
            TypeKind::Int(Some(range)) => {
                format!("int[{}, {}]", self.expr(&range.0), self.expr(&range.1))
            }
            TypeKind::Integer => {
                if !tioga {
                    self.inexpressible(ty.span, "the unbounded type `integer`");
                }
                "integer".to_owned()
            }
            TypeKind::Rational => {
                if !tioga {
                    self.inexpressible(ty.span, "the type `rational`");
                }
                "rational".to_owned()
            }
            TypeKind::Clock => "clock".to_owned(),
            TypeKind::Channel(channel) => self.channel(*channel),
            TypeKind::Scalar(size) => format!("scalar[{}]", self.expr(size)),
            TypeKind::Struct(fields) => {
                let mut text = "struct { ".to_owned();
                for field in fields {
                    text.push_str(&self.type_expr(&field.ty));
                    text.push(' ');
                    text.push_str(&self.declarators(&field.declarators));
                    text.push_str("; ");
                }
                text.push('}');
                text
            }
            TypeKind::Named(name) => name.text.clone(),
            TypeKind::Void => "void".to_owned(),
            TypeKind::Size(size) => self.expr(size),
        }
    }

    fn channel(&self, channel: ChannelType) -> String {
        let direction = channel.direction.filter(|_| self.dialect == Dialect::Tioga);
        let mut words = Vec::new();
        words.extend(direction.map(|direction| match direction {
            Direction::Input => "input",
            Direction::Output => "output",
        }));
        words.extend(channel.urgent.then_some("urgent"));
        words.extend(channel.broadcast.then_some("broadcast"));
        if direction.is_none() || words.len() > 1 {
            words.push("chan");
        }
        words.join(" ")
    }

    fn declarators(&mut self, declarators: &[Declarator]) -> String {
        let texts: Vec<String> = declarators.iter().map(|one| self.declarator(one)).collect();
        texts.join(", ")
    }

    fn declarator(&mut self, declarator: &Declarator) -> String {
        let mut text = declarator.name.text.clone();
        text.push_str(&self.dimensions(&declarator.dimensions));
        if !declarator.parameters.is_empty() {
            if self.dialect != Dialect::Tioga {
                self.inexpressible(declarator.name.span, "a channel with parameters");
            }
            text.push_str(&format!("({})", self.parameters(&declarator.parameters)));
        }
        if let Some(initializer) = &declarator.initializer {
            text.push_str(" = ");
            text.push_str(&self.initializer(initializer));
        }
        text
    }

    fn dimensions(&mut self, dimensions: &[TypeExpr]) -> String {
        dimensions.iter().map(|dimension| format!("[{}]", self.type_expr(dimension))).collect()
    }

    fn initializer(&mut self, initializer: &Initializer) -> String {
        match initializer {
            Initializer::Expr(expr) => self.expr(expr),
            Initializer::List(parts, _) => {
                let mut texts = Vec::new();
                for (field, part) in parts {
                    let part = self.initializer(part);
                    texts.push(match field {
                        Some(field) => format!("{}: {part}", field.text),
                        None => part,
                    });
                }
                format!("{{ {} }}", texts.join(", "))
            }
        }
    }

    /// The text of parameters, without the parentheses around them.
    pub fn parameters(&mut self, parameters: &[Parameter]) -> String {
        let texts: Vec<String> = parameters.iter().map(|one| self.parameter(one)).collect();
        texts.join(", ")
    }

    fn parameter(&mut self, parameter: &Parameter) -> String {
        let mut text = if parameter.constant { "const ".to_owned() } else { String::new() };
        text.push_str(&self.type_expr(&parameter.ty));
        if parameter.reference || !parameter.name.text.is_empty() {
            text.push(' ');
        }
        if parameter.reference {
            text.push('&');
        }
        text.push_str(&parameter.name.text);
        text.push_str(&self.dimensions(&parameter.dimensions));
        text
    }
}
