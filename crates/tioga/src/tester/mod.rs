//! A test case as a model of the tester, in Tioga's language; other languages and pictures follow.
//!
//! The tester receives the outputs of the system. Each place is a location; unexpected outputs and
//! too long silence lead to `Fail`, verdicts to `Pass`, `Fail` and `Inconclusive`. If an event must
//! come at once, an additional clock measures whether it does; if only the tester could have moved,
//! waiting leads to `Inconclusive`.

use std::collections::BTreeMap;

use tioga_base::{Rational, Span};
use tioga_parse::raise::tree::{
    action, assign, binary, declaration, joined, name, named, rational,
};
use tioga_parse::raise::{Sheet, Taken};
use tioga_parse::syntax::{
    BinaryOp, ChannelType, Communication, Direction, Document, EdgeDecl, Expr, Item, LocationDecl,
    Marks, Target, TemplateItem, TemplateKind, TypeKind,
};
use tioga_testcase::{
    Action, CaseBound, CaseEdge, CasePlace, CaseZone as Bounds, Side, TestCase, Verdict,
};
use tioga_zones::{Bound, Federation, OutOfRange, Zone};

mod urgency;

use urgency::Overdue;

/// The model as a document.
///
/// # Errors
/// If a constant is too large.
pub fn document(case: &TestCase) -> Result<Document, OutOfRange> {
    let writer = Writer::new(case);
    let mut sheet = Sheet::new();
    let purpose = &case.summary.goal;
    sheet.comment(&format!("The tester of the test case {}, for {purpose}.", case.name));
    sheet.item(Item::Name(name(Taken::default().give(&case.name))));
    sheet.blank();
    let sides = [(Direction::Input, &case.outputs), (Direction::Output, &case.inputs)];
    for (direction, actions) in sides {
        if !actions.is_empty() {
            let channel = ChannelType { direction: Some(direction), ..ChannelType::default() };
            let names = actions.iter().map(|action| writer.channel(action).to_owned());
            sheet.declare(declaration(TypeKind::Channel(channel), names));
        }
    }
    sheet.blank();
    sheet.begin(TemplateKind::Automaton, "Test");
    if !writer.clocks.is_empty() {
        let clocks = declaration(TypeKind::Clock, writer.clocks.iter().cloned());
        sheet.part(TemplateItem::Declaration(clocks));
    }
    for (index, place) in case.places.iter().enumerate() {
        let marks = Marks { initial: index == 0, ..Marks::default() };
        sheet.part(declared(&location(index), marks));
        sheet.remark(&place.name);
    }
    sheet.part(declared("Pass", Marks { accept: true, ..Marks::default() }));
    if case.summary.may_be_uncertain {
        sheet.part(declared("PassUncertain", Marks::default()));
    }
    sheet.part(declared("Fail", Marks { fail: true, ..Marks::default() }));
    sheet.part(declared("Inconclusive", Marks::default()));
    for (index, place) in case.places.iter().enumerate() {
        sheet.blank();
        writer.place(&mut sheet, index, place)?;
    }
    sheet.end();
    Ok(sheet.finish())
}

fn location(index: usize) -> String {
    format!("P{index}")
}

fn declared(text: &str, marks: Marks) -> TemplateItem {
    let (labels, invariant, span) = (Vec::new(), None, Span::default());
    TemplateItem::Locations(LocationDecl {
        names: vec![name(text)],
        marks,
        labels,
        invariant,
        span,
    })
}

/// Where the edges of one place are written.
struct Page<'p> {
    sheet: &'p mut Sheet,
    from: String,
    known: &'p Zone,
}

/// An edge but for its guard.
struct Arrow<'a> {
    target: &'a str,
    label: Option<(&'a str, Communication)>,
    sets: Vec<Expr>,
}

impl<'a> Arrow<'a> {
    fn to(target: &'a str) -> Self {
        Self { target, label: None, sets: Vec::new() }
    }
}

struct Writer<'c> {
    case: &'c TestCase,
    /// The clocks of the test case, and one that measures the time since a place was entered, if
    /// something has to happen at once anywhere.
    clocks: Vec<String>,
    channels: BTreeMap<&'c Action, String>,
}

impl<'c> Writer<'c> {
    fn new(case: &'c TestCase) -> Self {
        let mut taken = Taken::default();
        taken.reserve("Test");
        let mut channels = BTreeMap::new();
        for action in case.inputs.iter().chain(&case.outputs) {
            let values: String = action.values.iter().map(|value| format!("_{value}")).collect();
            let name = || taken.give(&format!("{}{values}", action.channel));
            channels.entry(action).or_insert_with(name);
        }
        let mut clocks: Vec<String> = Vec::new();
        for clock in &case.clocks {
            let bare = clock.rsplit('.').next().unwrap_or(clock);
            let wish = if taken.has(bare) { clock } else { bare };
            clocks.push(taken.give(wish));
        }
        if case.places.iter().any(|place| !place.urgent.is_empty()) {
            clocks.push(taken.give("here"));
        }
        Self { case, clocks, channels }
    }

    fn channel(&self, action: &Action) -> &str {
        self.channels.get(action).map_or("unknown", String::as_str)
    }

    fn place(&self, sheet: &mut Sheet, index: usize, place: &CasePlace) -> Result<(), OutOfRange> {
        let known = self.known(place);
        let page = &mut Page { sheet, from: location(index), known: &known };
        let mut over = self.nothing();
        let mut verdicts = Vec::new();
        for judgement in &place.verdicts {
            let mut zones = self.set(&judgement.zones)?;
            zones.intersect_zone(&known);
            over.unite(&zones);
            verdicts.push((judgement.verdict, zones));
        }
        let mut invariant = self.set(&place.invariant)?;
        let mut outside = invariant.complement();
        outside.intersect_zone(&known);
        invariant.intersect_zone(&known);
        let overdue = self.overdue(place, &invariant, &over)?;
        for (verdict, zones) in verdicts {
            let target = match verdict {
                Verdict::Pass => "Pass",
                Verdict::Uncertain => "PassUncertain",
                Verdict::Fail => "Fail",
                Verdict::Inconclusive => "Inconclusive",
            };
            self.edges(page, &Arrow::to(target), &overdue.in_time(&zones));
        }
        let mut going = overdue.in_time(&invariant);
        going.subtract(&over);
        going.merge();
        for edge in place.edges.iter().filter(|edge| edge.by == Side::Tester) {
            let mut guard = self.set(&edge.guard)?;
            guard.intersect(&going);
            if !place.rules.is_empty() {
                guard.intersect(&self.played(place, edge)?);
            }
            let label = Some((self.channel(&edge.action), Communication::Send));
            let (target, sets) = (&location(edge.target as usize), self.sets(edge));
            self.edges(page, &Arrow { target, label, sets }, &guard);
        }
        let over_everywhere = going.is_empty();
        for action in self.case.outputs.iter().filter(|_| !over_everywhere) {
            let label = Some((self.channel(action), Communication::Receive));
            let mut unexpected = going.clone();
            for edge in &place.edges {
                if edge.by != Side::System || edge.action != *action {
                    continue;
                }
                let mut guard = self.set(&edge.guard)?;
                guard.intersect(&going);
                unexpected.subtract(&guard);
                let (target, sets) = (&location(edge.target as usize), self.sets(edge));
                self.edges(page, &Arrow { target, label, sets }, &guard);
            }
            unexpected.merge();
            self.edges(page, &Arrow { label, ..Arrow::to("Fail") }, &unexpected);
        }
        let mut late = overdue.in_time(&outside);
        late.subtract(&over);
        late.unite(&overdue.silence);
        late.merge();
        self.edges(page, &Arrow::to("Fail"), &late);
        let mut hesitation = overdue.hesitation;
        hesitation.merge();
        self.edges(page, &Arrow::to("Inconclusive"), &hesitation);
        Ok(())
    }

    /// What always holds in a place: where the time since it was entered matters, no clock shows
    /// less.
    fn known(&self, place: &CasePlace) -> Zone {
        let mut known = Zone::universal(self.clocks.len() + 1);
        let last = self.clocks.len();
        for clock in (1..last).filter(|_| !place.urgent.is_empty()) {
            known.constrain(last, clock, Bound::LE_ZERO).expect("all clocks may be equal");
        }
        known
    }

    /// Where it is too late in a place because something had to happen at once.
    fn overdue(
        &self,
        place: &CasePlace,
        invariant: &Federation,
        over: &Federation,
    ) -> Result<Overdue, OutOfRange> {
        let mut answers = self.nothing();
        for edge in place.edges.iter().filter(|edge| edge.by == Side::System) {
            answers.unite(&self.set(&edge.guard)?);
        }
        Overdue::new(invariant, &self.set(&place.urgent)?, over, &answers)
    }

    /// Where the rules play an edge; the first rule that holds decides.
    fn played(&self, place: &CasePlace, edge: &CaseEdge) -> Result<Federation, OutOfRange> {
        let (mut played, mut earlier) = (self.nothing(), self.nothing());
        for rule in &place.rules {
            let zones = self.set(&rule.zones)?;
            let this = rule.play.and_then(|play| place.edges.get(play as usize));
            if this.is_some_and(|this| std::ptr::eq(this, edge)) {
                let mut own = zones.clone();
                own.subtract(&earlier);
                played.unite(&own);
            }
            earlier.unite(&zones);
        }
        Ok(played)
    }

    /// An edge for each zone of a guard.
    fn edges(&self, page: &mut Page<'_>, arrow: &Arrow<'_>, guard: &Federation) {
        for zone in guard.zones() {
            let target = match arrow.target {
                target if target == page.from => Target::Same(Span::default()),
                target => Target::Location(name(target)),
            };
            page.sheet.part(TemplateItem::Edge(Box::new(EdgeDecl {
                sources: vec![name(&page.from)],
                target,
                control: None,
                action: arrow.label.map(|(text, side)| action(text, side)),
                reply: None,
                selects: Vec::new(),
                guard: self.guard(zone, page.known),
                updates: arrow.sets.clone(),
                span: Span::default(),
            })));
        }
    }

    /// A zone as a guard, without what is known anyway.
    fn guard(&self, zone: &Zone, known: &Zone) -> Option<Expr> {
        if zone.includes(known) {
            return None;
        }
        let mut constraints = zone.minimal_constraints();
        let mut index = 0;
        while !known.is_universal() && index < constraints.len() {
            let mut others = constraints.clone();
            others.remove(index);
            let mut wider = Federation::from(known.clone());
            wider.constrain_all(&others);
            if wider.zones().iter().all(|wider| zone.includes(wider)) {
                constraints = others;
            } else {
                index += 1;
            }
        }
        let parts = constraints.into_iter().filter_map(|constraint| {
            let value = i64::from(constraint.bound.constant()?);
            let strict = constraint.bound.is_strict();
            let (upper, lower) =
                if strict { (BinaryOp::Lt, BinaryOp::Gt) } else { (BinaryOp::Le, BinaryOp::Ge) };
            let clock = |clock: usize| named(&self.clocks[clock - 1]);
            Some(match (constraint.left, constraint.right) {
                (0, right) => binary(lower, clock(right), self.time(-value)),
                (left, 0) => binary(upper, clock(left), self.time(value)),
                (left, right) => {
                    let difference = binary(BinaryOp::Sub, clock(left), clock(right));
                    binary(upper, difference, self.time(value))
                }
            })
        });
        joined(BinaryOp::And, parts)
    }

    /// An amount of time in units of the model.
    fn time(&self, value: i64) -> Expr {
        rational(Rational::new(value, self.case.scale).unwrap_or(Rational::integer(value)))
    }

    fn sets(&self, edge: &CaseEdge) -> Vec<Expr> {
        let clock = |clock: u32| named(&self.clocks[clock as usize]);
        let sets = edge.sets.iter().map(|set| {
            let value = match set.source {
                None => self.time(set.value),
                Some(source) if set.value == 0 => clock(source),
                Some(source) => binary(BinaryOp::Add, clock(source), self.time(set.value)),
            };
            assign(clock(set.clock), value)
        });
        let mut sets: Vec<Expr> = sets.collect();
        if !self.case.places[edge.target as usize].urgent.is_empty() {
            sets.extend(self.clocks.last().map(|clock| assign(named(clock), self.time(0))));
        }
        sets
    }

    fn nothing(&self) -> Federation {
        Federation::empty(self.clocks.len() + 1)
    }

    fn set(&self, zones: &[Bounds]) -> Result<Federation, OutOfRange> {
        let mut set = self.nothing();
        for bounds in zones {
            let mut zone = Zone::universal(self.clocks.len() + 1);
            let mut possible = true;
            for CaseBound { left, right, strict, bound } in bounds {
                let index = |clock: &Option<u32>| clock.map_or(0, |clock| clock as usize + 1);
                let constant = i32::try_from(*bound).unwrap_or(i32::MAX);
                let bound = if *strict { Bound::lt(constant) } else { Bound::le(constant) }?;
                possible &= zone.constrain(index(left), index(right), bound).is_ok();
            }
            if possible {
                set.add(zone);
            }
        }
        Ok(set)
    }
}
