//! Walks over all places and identifiers of a document, to change them.

use std::collections::BTreeSet;

use tioga_base::Span;

use super::{
    ActionUse, Block, Declaration, DeclarationKind, Declarator, Document, Expr, ExprKind, Formula,
    Function, Initializer, Item, Name, Parameter, Statement, StatementKind, Target, Template,
    TemplateItem, TypeExpr, TypeKind,
};

/// What is done to each place and each identifier.
pub(crate) trait Change {
    /// Changes a place.
    fn span(&mut self, _span: &mut Span) {}
    /// Changes an identifier.
    fn identifier(&mut self, _text: &mut String) {}
    /// Changes an expression, before its parts.
    fn expr(&mut self, _expr: &mut Expr) {}
    /// Changes a formula kept as text.
    fn formula_text(&mut self, _text: &mut String) {}
}

struct Walk<'c, C>(&'c mut C);

/// Takes all places away.
struct Erase;

impl Change for Erase {
    fn span(&mut self, span: &mut Span) {
        *span = Span::default();
    }
}

impl Document {
    /// The same content without places, comments and blank lines: two documents are equal in
    /// content exactly if these are equal.
    pub fn without_spans(&self) -> Self {
        let mut document = self.clone();
        document.comments.clear();
        document.change(&mut Erase);
        document
    }

    /// Applies a change to every place and identifier, in file order.
    pub(crate) fn change(&mut self, change: &mut impl Change) {
        let mut walk = Walk(change);
        for item in &mut self.items {
            walk.item(item);
        }
    }
}

impl Template {
    /// The names that its edges and functions assign, step or index for that, whatever they are.
    pub(crate) fn assigned(&self) -> BTreeSet<String> {
        let mut effects = Footprint::default();
        Walk(&mut effects).template(&mut self.clone());
        effects.assigned
    }
}

/// What statements may do, by the names in them.
#[derive(Default)]
pub(crate) struct Footprint {
    /// Names that are assigned or stepped, or whose elements or fields are.
    pub assigned: BTreeSet<String>,
    /// Functions that are called.
    pub called: BTreeSet<String>,
    /// Names in arguments of calls.
    pub passed: BTreeSet<String>,
    /// Whether a statement returns.
    pub returns: bool,
}

impl Change for Footprint {
    fn expr(&mut self, expr: &mut Expr) {
        struct Names<'n>(&'n mut BTreeSet<String>);
        impl Change for Names<'_> {
            fn identifier(&mut self, text: &mut String) {
                self.0.insert(text.clone());
            }
        }
        match &mut expr.kind {
            ExprKind::Assign(_, target, _) | ExprKind::Count(_, _, target) => {
                let mut target = target.as_ref();
                while let ExprKind::Index(array, _) | ExprKind::Field(array, _) = &target.kind {
                    target = array;
                }
                if let ExprKind::Name(name) = &target.kind {
                    self.assigned.insert(name.clone());
                }
            }
            ExprKind::Call(callee, arguments) => {
                if let ExprKind::Name(name) = &callee.kind {
                    self.called.insert(name.clone());
                }
                Walk(&mut Names(&mut self.passed)).exprs(arguments);
            }
            _ => {}
        }
    }
}

impl Statement {
    /// What it may do.
    pub(crate) fn footprint(&self) -> Footprint {
        let mut effects = Footprint { returns: self.returns(), ..Footprint::default() };
        Walk(&mut effects).statement(&mut self.clone());
        effects
    }

    fn returns(&self) -> bool {
        match &self.kind {
            StatementKind::Empty | StatementKind::Expr(_) => false,
            StatementKind::Block(block) => block.statements.iter().any(Self::returns),
            StatementKind::If(_, yes, no) => {
                yes.returns() || no.as_ref().is_some_and(|no| no.returns())
            }
            StatementKind::While(_, body)
            | StatementKind::DoWhile(body, _)
            | StatementKind::For(_, _, _, body)
            | StatementKind::ForEach(_, _, body) => body.returns(),
            StatementKind::Return(_) => true,
        }
    }
}

impl Declaration {
    /// What its initial values may do.
    pub(crate) fn footprint(&self) -> Footprint {
        let mut effects = Footprint::default();
        Walk(&mut effects).declaration(&mut self.clone());
        effects
    }
}

impl Function {
    /// All names in it.
    pub(crate) fn identifiers(&self) -> BTreeSet<String> {
        struct Names(BTreeSet<String>);
        impl Change for Names {
            fn identifier(&mut self, text: &mut String) {
                self.0.insert(text.clone());
            }
        }
        let mut names = Names(BTreeSet::new());
        let mut copy = self.clone();
        Walk(&mut names).parameters(&mut copy.parameters);
        Walk(&mut names).block(&mut copy.body);
        names.0
    }
}

impl Expr {
    /// The same expression without places.
    pub(crate) fn without_spans(&self) -> Self {
        let mut copy = self.clone();
        Walk(&mut Erase).expr(&mut copy);
        copy
    }
}

impl<C: Change> Walk<'_, C> {
    fn name(&mut self, name: &mut Name) {
        self.0.identifier(&mut name.text);
        self.0.span(&mut name.span);
    }

    fn names(&mut self, names: &mut [Name]) {
        names.iter_mut().for_each(|name| self.name(name));
    }

    fn item(&mut self, item: &mut Item) {
        match item {
            Item::Name(name) => self.name(name),
            Item::TimeUnit(unit) => self.0.span(&mut unit.span),
            Item::Declaration(declaration) => self.declaration(declaration),
            Item::Template(template) => self.template(template),
            Item::Instance(instance) => {
                self.0.span(&mut instance.span);
                self.name(&mut instance.name);
                self.parameters(&mut instance.params);
                self.name(&mut instance.template);
                self.exprs(&mut instance.arguments);
            }
            Item::System(system) => {
                self.0.span(&mut system.span);
                for one in system.system.iter_mut().chain(&mut system.environment) {
                    self.0.span(&mut one.span);
                    self.name(&mut one.name);
                    if let Some(arguments) = &mut one.arguments {
                        self.exprs(arguments);
                    }
                }
            }
            Item::Sync(sync) => {
                self.0.span(&mut sync.span);
                for part in &mut sync.parts {
                    self.name(&mut part.process);
                    self.name(&mut part.action);
                }
                if let Some((_, name)) = &mut sync.shown {
                    self.name(name);
                }
            }
            Item::Query(query) => {
                self.0.span(&mut query.span);
                self.formula(&mut query.formula);
            }
        }
    }

    fn formula(&mut self, formula: &mut Formula) {
        match formula {
            Formula::Other(text) => self.0.formula_text(text),
            formula => formula.parts_mut().into_iter().for_each(|part| self.expr(part)),
        }
    }

    fn template(&mut self, template: &mut Template) {
        self.0.span(&mut template.span);
        self.name(&mut template.name);
        self.parameters(&mut template.params);
        for item in &mut template.items {
            self.template_item(item);
        }
    }

    fn template_item(&mut self, item: &mut TemplateItem) {
        match item {
            TemplateItem::Declaration(declaration) => self.declaration(declaration),
            TemplateItem::Locations(locations) => {
                self.0.span(&mut locations.span);
                self.names(&mut locations.names);
                self.names(&mut locations.labels);
                locations.invariant.iter_mut().for_each(|expr| self.expr(expr));
            }
            TemplateItem::Edge(edge) => {
                self.0.span(&mut edge.span);
                self.names(&mut edge.sources);
                self.target(&mut edge.target);
                edge.action.iter_mut().for_each(|action| self.action(action));
                edge.reply.iter_mut().for_each(|action| self.action(action));
                for select in &mut edge.selects {
                    self.name(&mut select.name);
                    self.type_expr(&mut select.ty);
                }
                edge.guard.iter_mut().for_each(|expr| self.expr(expr));
                self.exprs(&mut edge.updates);
            }
            TemplateItem::Otherwise(otherwise) => {
                self.0.span(&mut otherwise.span);
                self.target(&mut otherwise.target);
            }
            TemplateItem::Restart(action) => self.action(action),
        }
    }

    fn target(&mut self, target: &mut Target) {
        match target {
            Target::Location(name) => self.name(name),
            Target::Same(span) => self.0.span(span),
        }
    }

    fn action(&mut self, action: &mut ActionUse) {
        self.0.span(&mut action.span);
        self.name(&mut action.name);
        self.exprs(&mut action.indices);
        self.exprs(&mut action.arguments);
    }

    fn declaration(&mut self, declaration: &mut Declaration) {
        self.0.span(&mut declaration.span);
        match &mut declaration.kind {
            DeclarationKind::Variables { ty, declarators, condition, .. } => {
                self.type_expr(ty);
                self.declarators(declarators);
                condition.iter_mut().for_each(|condition| self.expr(condition));
            }
            DeclarationKind::Typedef(ty, declarators) => {
                self.type_expr(ty);
                self.declarators(declarators);
            }
            DeclarationKind::Internal(names) => self.names(names),
            DeclarationKind::Function(function) => {
                self.type_expr(&mut function.result);
                self.name(&mut function.name);
                self.parameters(&mut function.parameters);
                self.block(&mut function.body);
            }
        }
    }

    fn declarators(&mut self, declarators: &mut [Declarator]) {
        for declarator in declarators {
            self.name(&mut declarator.name);
            declarator.dimensions.iter_mut().for_each(|ty| self.type_expr(ty));
            self.parameters(&mut declarator.parameters);
            declarator.initializer.iter_mut().for_each(|initial| self.initializer(initial));
        }
    }

    fn initializer(&mut self, initializer: &mut Initializer) {
        match initializer {
            Initializer::Expr(expr) => self.expr(expr),
            Initializer::List(parts, span) => {
                self.0.span(span);
                for (field, part) in parts {
                    field.iter_mut().for_each(|field| self.name(field));
                    self.initializer(part);
                }
            }
        }
    }

    fn parameters(&mut self, parameters: &mut [Parameter]) {
        for parameter in parameters {
            self.type_expr(&mut parameter.ty);
            self.name(&mut parameter.name);
            parameter.dimensions.iter_mut().for_each(|ty| self.type_expr(ty));
        }
    }

    fn type_expr(&mut self, ty: &mut TypeExpr) {
        self.0.span(&mut ty.span);
        match &mut ty.kind {
            TypeKind::Int(Some(range)) => {
                self.expr(&mut range.0);
                self.expr(&mut range.1);
            }
            TypeKind::Scalar(expr) | TypeKind::Size(expr) => self.expr(expr),
            TypeKind::Struct(fields) => {
                for field in fields {
                    self.type_expr(&mut field.ty);
                    self.declarators(&mut field.declarators);
                }
            }
            TypeKind::Named(name) => self.name(name),
            TypeKind::Bool
            | TypeKind::Int(None)
            | TypeKind::Integer
            | TypeKind::Rational
            | TypeKind::Clock
            | TypeKind::Channel(_)
            | TypeKind::Void => {}
        }
    }

    fn block(&mut self, block: &mut Block) {
        self.0.span(&mut block.span);
        block.declarations.iter_mut().for_each(|declaration| self.declaration(declaration));
        block.statements.iter_mut().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &mut Statement) {
        self.0.span(&mut statement.span);
        match &mut statement.kind {
            StatementKind::Empty | StatementKind::Return(None) => {}
            StatementKind::Expr(expr) | StatementKind::Return(Some(expr)) => self.expr(expr),
            StatementKind::Block(block) => self.block(block),
            StatementKind::If(condition, yes, no) => {
                self.expr(condition);
                self.statement(yes);
                no.iter_mut().for_each(|no| self.statement(no));
            }
            StatementKind::While(condition, body) => {
                self.expr(condition);
                self.statement(body);
            }
            StatementKind::DoWhile(body, condition) => {
                self.statement(body);
                self.expr(condition);
            }
            StatementKind::For(first, condition, step, body) => {
                for expr in [first, condition, step].into_iter().flatten() {
                    self.expr(expr);
                }
                self.statement(body);
            }
            StatementKind::ForEach(name, ty, body) => {
                self.name(name);
                self.type_expr(ty);
                self.statement(body);
            }
        }
    }

    fn exprs(&mut self, exprs: &mut [Expr]) {
        exprs.iter_mut().for_each(|expr| self.expr(expr));
    }

    fn expr(&mut self, expr: &mut Expr) {
        self.0.expr(expr);
        self.0.span(&mut expr.span);
        match &mut expr.kind {
            ExprKind::Int(_) | ExprKind::Rational(_) | ExprKind::Bool(_) | ExprKind::Deadlock => {}
            ExprKind::Name(text) => self.0.identifier(text),
            ExprKind::Index(left, right)
            | ExprKind::Binary(_, left, right)
            | ExprKind::Assign(_, left, right) => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Field(base, field) => {
                self.expr(base);
                self.name(field);
            }
            ExprKind::Call(callee, arguments) => {
                self.expr(callee);
                self.exprs(arguments);
            }
            ExprKind::Unary(_, operand) | ExprKind::Count(_, _, operand) => self.expr(operand),
            ExprKind::Conditional(condition, yes, no) => {
                self.expr(condition);
                self.expr(yes);
                self.expr(no);
            }
            ExprKind::Quantified(_, name, ty, body) => {
                self.name(name);
                self.type_expr(ty);
                self.expr(body);
            }
        }
    }
}
