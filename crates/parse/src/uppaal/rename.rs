//! Names that UPPAAL reserves get an underscore behind them, everywhere alike.

use std::collections::{BTreeMap, BTreeSet};

use crate::syntax::{
    ActionUse, Block, Declaration, DeclarationKind, Declarator, Dialect, Document, Expr, ExprKind,
    Field, Formula, Initializer, Item, Name, Objective, Parameter, ProcessUse, Statement,
    StatementKind, Target, TemplateItem, TypeExpr, TypeKind,
};

/// Words no name may be, in any text of ours or UPPAAL's.
const KEYWORDS: &str = "and assign bool branchpoint broadcast chan clock commit const deadlock do \
    else exists false for forall guard if imply init int meta not or process return scalar select \
    state struct sum sync system trans true typedef urgent void while hybrid double string dynamic \
    import spawn";

/// Further words UPPAAL reserves, some of them only since recent versions.
const RESERVED: &str = "probability xor switch case default break continue before_update \
    after_update progress gantt assert IO priority control control_t simulation minE loadStrategy \
    saveStrategy maxE minPr maxPr under imitate strategy simulate sat Pmax Pr abs fabs fmod fma \
    fmax fmin fdim exp exp2 expm1 ln log log10 log2 log1p pow sqrt cbrt hypot sin cos tan asin \
    acos atan atan2 sinh cosh tanh asinh acosh atanh erf erfc tgamma lgamma ceil floor trunc round \
    fint ldexp ilogb logb nextafter copysign fpclassify isfinite isinf isnan isnormal signbit \
    isunordered random random_arcsine random_beta random_gamma random_normal random_poisson \
    random_tri random_weibull exit numOf foreach query location";

/// Renames what is declared under a reserved word. A document that came from UPPAAL keeps the
/// words that only some versions reserve: its author's version did not.
pub(super) fn rename_reserved(document: &mut Document) {
    let all = document.dialect != Dialect::Uppaal;
    let reserved: BTreeSet<&str> =
        (KEYWORDS.split_whitespace()).chain(RESERVED.split_whitespace().filter(|_| all)).collect();
    let mut used = BTreeSet::new();
    let mut declared = BTreeSet::new();
    Walk {
        visit: &mut |text, declares| {
            used.insert(text.clone());
            if declares && reserved.contains(text.as_str()) {
                declared.insert(text.clone());
            }
        },
    }
    .document(document);
    if declared.is_empty() {
        return;
    }
    let mut renamed = BTreeMap::new();
    for name in declared {
        let mut fresh = format!("{name}_");
        while used.contains(&fresh) || reserved.contains(fresh.as_str()) {
            fresh.push('_');
        }
        used.insert(fresh.clone());
        renamed.insert(name, fresh);
    }
    Walk {
        visit: &mut |text, _| {
            if let Some(fresh) = renamed.get(text) {
                text.clone_from(fresh);
            }
        },
    }
    .document(document);
}

/// All names of a document, with the marks of a declaration.
pub(super) fn all_names(document: &mut Document) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    Walk {
        visit: &mut |text, _| {
            names.insert(text.clone());
        },
    }
    .document(document);
    names
}

/// Visits every identifier; the flag says whether it is declared there.
struct Walk<'w> {
    visit: &'w mut dyn FnMut(&mut String, bool),
}

impl Walk<'_> {
    fn document(&mut self, document: &mut Document) {
        for item in &mut document.items {
            match item {
                Item::Name(_) | Item::TimeUnit(_) => {}
                Item::Declaration(declaration) => self.declaration(declaration),
                Item::Template(template) => {
                    self.declared(&mut template.name);
                    self.parameters(&mut template.params);
                    template.items.iter_mut().for_each(|item| self.template_item(item));
                }
                Item::Instance(instance) => {
                    self.declared(&mut instance.name);
                    self.parameters(&mut instance.params);
                    self.used(&mut instance.template);
                    self.exprs(&mut instance.arguments);
                }
                Item::System(system) => {
                    for ProcessUse { name, arguments, .. } in
                        system.system.iter_mut().chain(&mut system.environment)
                    {
                        self.used(name);
                        self.exprs(arguments.as_deref_mut().unwrap_or_default());
                    }
                }
                Item::Sync(vector) => {
                    for part in &mut vector.parts {
                        self.used(&mut part.process);
                        self.used(&mut part.action);
                    }
                    if let Some((_, name)) = &mut vector.shown {
                        self.used(name);
                    }
                }
                Item::Query(query) => self.formula(&mut query.formula),
            }
        }
    }

    fn formula(&mut self, formula: &mut Formula) {
        match formula {
            Formula::Reachable(expr)
            | Formula::Always(expr)
            | Formula::Inevitable(expr)
            | Formula::Possibly(expr) => self.expr(expr),
            Formula::LeadsTo(left, right) => {
                self.expr(left);
                self.expr(right);
            }
            Formula::Control(objective) | Formula::Cooperative(objective) => match objective {
                Objective::Reach(expr) | Objective::Stay(expr) => self.expr(expr),
                Objective::Until(left, right) | Objective::WeakUntil(left, right) => {
                    self.expr(left);
                    self.expr(right);
                }
            },
            Formula::Other(_) => {}
        }
    }

    fn declared(&mut self, name: &mut Name) {
        (self.visit)(&mut name.text, true);
    }

    fn used(&mut self, name: &mut Name) {
        (self.visit)(&mut name.text, false);
    }

    fn template_item(&mut self, item: &mut TemplateItem) {
        match item {
            TemplateItem::Declaration(declaration) => self.declaration(declaration),
            TemplateItem::Locations(location) => {
                location.names.iter_mut().for_each(|name| self.declared(name));
                location.invariant.iter_mut().for_each(|expr| self.expr(expr));
            }
            TemplateItem::Edge(edge) => {
                edge.sources.iter_mut().for_each(|name| self.used(name));
                self.target(&mut edge.target);
                for select in &mut edge.selects {
                    self.declared(&mut select.name);
                    self.type_expr(&mut select.ty);
                }
                edge.action
                    .iter_mut()
                    .chain(&mut edge.reply)
                    .for_each(|action| self.action(action));
                edge.guard.iter_mut().for_each(|expr| self.expr(expr));
                self.exprs(&mut edge.updates);
            }
            TemplateItem::Otherwise(otherwise) => self.target(&mut otherwise.target),
            TemplateItem::Restart(action) => self.action(action),
        }
    }

    fn target(&mut self, target: &mut Target) {
        if let Target::Location(name) = target {
            self.used(name);
        }
    }

    fn action(&mut self, action: &mut ActionUse) {
        self.used(&mut action.name);
        self.exprs(&mut action.indices);
        self.exprs(&mut action.arguments);
    }

    fn declaration(&mut self, declaration: &mut Declaration) {
        match &mut declaration.kind {
            DeclarationKind::Variables { ty, declarators, .. }
            | DeclarationKind::Typedef(ty, declarators) => {
                self.type_expr(ty);
                self.declarators(declarators);
            }
            DeclarationKind::Internal(names) => {
                names.iter_mut().for_each(|name| self.declared(name));
            }
            DeclarationKind::Function(function) => {
                self.type_expr(&mut function.result);
                self.declared(&mut function.name);
                self.parameters(&mut function.parameters);
                self.block(&mut function.body);
            }
        }
    }

    fn declarators(&mut self, declarators: &mut [Declarator]) {
        for declarator in declarators {
            self.declared(&mut declarator.name);
            declarator.dimensions.iter_mut().for_each(|ty| self.type_expr(ty));
            self.parameters(&mut declarator.parameters);
            declarator.initializer.iter_mut().for_each(|value| self.initializer(value));
        }
    }

    fn initializer(&mut self, initializer: &mut Initializer) {
        match initializer {
            Initializer::Expr(expr) => self.expr(expr),
            Initializer::List(parts, _) => {
                for (field, part) in parts {
                    field.iter_mut().for_each(|name| self.used(name));
                    self.initializer(part);
                }
            }
        }
    }

    fn parameters(&mut self, parameters: &mut [Parameter]) {
        for parameter in parameters {
            self.declared(&mut parameter.name);
            self.type_expr(&mut parameter.ty);
            parameter.dimensions.iter_mut().for_each(|ty| self.type_expr(ty));
        }
    }

    fn type_expr(&mut self, ty: &mut TypeExpr) {
        match &mut ty.kind {
            TypeKind::Int(Some(range)) => {
                self.expr(&mut range.0);
                self.expr(&mut range.1);
            }
            TypeKind::Scalar(size) | TypeKind::Size(size) => self.expr(size),
            TypeKind::Struct(fields) => {
                for Field { ty, declarators } in fields {
                    self.type_expr(ty);
                    self.declarators(declarators);
                }
            }
            TypeKind::Named(name) => self.used(name),
            _ => {}
        }
    }

    fn block(&mut self, block: &mut Block) {
        block.declarations.iter_mut().for_each(|declaration| self.declaration(declaration));
        block.statements.iter_mut().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &mut Statement) {
        match &mut statement.kind {
            StatementKind::Empty | StatementKind::Return(None) => {}
            StatementKind::Expr(expr) | StatementKind::Return(Some(expr)) => self.expr(expr),
            StatementKind::Block(block) => self.block(block),
            StatementKind::If(condition, yes, no) => {
                self.expr(condition);
                self.statement(yes);
                no.iter_mut().for_each(|no| self.statement(no));
            }
            StatementKind::While(condition, body) | StatementKind::DoWhile(body, condition) => {
                self.expr(condition);
                self.statement(body);
            }
            StatementKind::For(first, condition, step, body) => {
                for part in [first, condition, step] {
                    part.iter_mut().for_each(|expr| self.expr(expr));
                }
                self.statement(body);
            }
            StatementKind::ForEach(name, ty, body) => {
                self.declared(name);
                self.type_expr(ty);
                self.statement(body);
            }
        }
    }

    fn exprs(&mut self, exprs: &mut [Expr]) {
        exprs.iter_mut().for_each(|expr| self.expr(expr));
    }

    fn expr(&mut self, expr: &mut Expr) {
        match &mut expr.kind {
            ExprKind::Int(_) | ExprKind::Rational(_) | ExprKind::Bool(_) | ExprKind::Deadlock => {}
            ExprKind::Name(text) => (self.visit)(text, false),
            ExprKind::Index(left, right)
            | ExprKind::Binary(_, left, right)
            | ExprKind::Assign(_, left, right) => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Field(base, name) => {
                self.expr(base);
                self.used(name);
            }
            ExprKind::Call(function, arguments) => {
                self.expr(function);
                self.exprs(arguments);
            }
            ExprKind::Unary(_, operand) | ExprKind::Step(_, _, operand) => self.expr(operand),
            ExprKind::Conditional(condition, yes, no) => {
                self.expr(condition);
                self.expr(yes);
                self.expr(no);
            }
            ExprKind::Quantified(_, name, ty, body) => {
                self.declared(name);
                self.type_expr(ty);
                self.expr(body);
            }
        }
    }
}
