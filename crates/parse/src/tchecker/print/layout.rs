//! Where clocks and data live in the printed file: single variables, or arrays where an index is
//! computed. Records and arrays with constant indices fall apart into single variables.

use std::collections::BTreeMap;
use std::fmt::Write;

use tioga_base::{Diagnostic, Diagnostics, Span};
use tioga_model::{ClockId, ClockTerm, Condition, Expr, Lvalue, Network, Range, Update};

use super::naming::Scope;

/// A stretch of slots printed as one array: `length` slots, `stride` apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Region {
    /// The first slot or clock.
    pub offset: u32,
    /// From one element to the next.
    pub stride: u32,
    /// How many.
    pub length: u32,
}

impl Region {
    fn members(self) -> impl Iterator<Item = usize> {
        let Self { offset, stride, length } = self;
        (0..u64::from(length)).map(move |k| (u64::from(offset) + k * u64::from(stride)) as usize)
    }
}

/// Names for all clocks and slots.
#[derive(Default, Debug)]
pub struct Layout {
    /// What stands for each slot.
    pub slots: Vec<String>,
    /// What stands for each clock.
    pub clocks: Vec<String>,
    slot_arrays: BTreeMap<Region, String>,
    clock_arrays: BTreeMap<Region, String>,
    /// The declarations.
    pub text: String,
}

impl Layout {
    /// Lays out the data of a network; what cannot be declared is reported.
    pub fn new(network: &Network, diagnostics: &mut Diagnostics) -> Self {
        let mut layout = Self::default();
        let mut scope = Scope::default();
        let clocks: Vec<&str> = network.clocks.iter().map(|clock| clock.name.as_str()).collect();
        let regions = clock_regions(network);
        (layout.clocks, layout.clock_arrays) =
            arrange(&clocks, &regions, &mut scope, |size, name| {
                let _ = writeln!(layout.text, "clock:{size}:{name}");
            });
        check_data(network, diagnostics);
        let slots: Vec<&str> = network.slots.iter().map(|slot| slot.name.as_str()).collect();
        let regions: Vec<Region> =
            slot_regions(network).into_iter().filter(|region| uniform(network, *region)).collect();
        let mut declared = Vec::new();
        (layout.slots, layout.slot_arrays) =
            arrange(&slots, &regions, &mut scope, |size, name| declared.push((size, name)));
        let mut next = 0;
        let in_array: BTreeMap<usize, bool> = layout
            .slot_arrays
            .keys()
            .flat_map(|region| region.members().enumerate())
            .map(|(position, slot)| (slot, position == 0))
            .collect();
        for (index, slot) in network.slots.iter().enumerate() {
            if in_array.get(&index) == Some(&false) {
                continue;
            }
            let Range { min, max } = slot.range.unwrap_or(Range { min: 0, max: 1 });
            if let Some((size, name)) = declared.get(next) {
                let initial = slot.initial;
                let _ = writeln!(layout.text, "int:{size}:{min}:{max}:{initial}:{name}");
            }
            next += 1;
        }
        layout
    }

    /// The array that this region of slots was declared as.
    pub fn slot_array(&self, place: &Lvalue) -> Option<&str> {
        let [dynamic] = place.indices.as_slice() else { return None };
        let region =
            Region { offset: place.offset, stride: dynamic.stride, length: dynamic.length };
        self.slot_arrays.get(&region).map(String::as_str)
    }

    /// The array that this clock term indexes.
    pub fn clock_array(&self, clock: ClockId, length: u32) -> Option<&str> {
        let region = Region { offset: clock.0, stride: 1, length };
        self.clock_arrays.get(&region).map(String::as_str)
    }
}

/// Gives names to items; those of a region become elements of an array. Regions that overlap an
/// earlier one are left out.
fn arrange(
    names: &[&str],
    regions: &[Region],
    scope: &mut Scope,
    mut declare: impl FnMut(u32, String),
) -> (Vec<String>, BTreeMap<Region, String>) {
    let mut owner: Vec<Option<(Region, usize)>> = vec![None; names.len()];
    for region in regions {
        let free = |member: usize| owner.get(member).is_some_and(Option::is_none);
        if region.length > 0 && region.stride > 0 && region.members().all(free) {
            for (position, member) in region.members().enumerate() {
                owner[member] = Some((*region, position));
            }
        }
    }
    let mut arrays: BTreeMap<Region, String> = BTreeMap::new();
    let mut given = Vec::new();
    for (name, owner) in names.iter().zip(&owner) {
        let Some((region, position)) = owner else {
            let name = scope.give(name);
            declare(1, name.clone());
            given.push(name);
            continue;
        };
        let array = arrays.entry(*region).or_insert_with(|| {
            // The first element lends its name, without its own index.
            let base = name.rsplit_once('[').map_or(*name, |(base, _)| base);
            let array = scope.give(base);
            declare(region.length, array.clone());
            array
        });
        given.push(match region.length {
            1 => array.clone(),
            _ => format!("{array}[{position}]"),
        });
    }
    (given, arrays)
}

fn uniform(network: &Network, region: Region) -> bool {
    let mut slots = region.members().map(|member| network.slots.get(member));
    let Some(Some(first)) = slots.next() else { return false };
    slots.all(|slot| {
        slot.is_some_and(|slot| slot.range == first.range && slot.initial == first.initial)
    })
}

fn slot_regions(network: &Network) -> Vec<Region> {
    let mut regions = Vec::new();
    for node in &network.code.nodes {
        let place = match &node.expr {
            Expr::Load(place) | Expr::Assign(place, ..) | Expr::Exchange(place, ..) => place,
            _ => continue,
        };
        if let (tioga_model::Base::Global, [dynamic]) = (place.base, place.indices.as_slice()) {
            let region =
                Region { offset: place.offset, stride: dynamic.stride, length: dynamic.length };
            if !regions.contains(&region) {
                regions.push(region);
            }
        }
    }
    regions
}

fn clock_regions(network: &Network) -> Vec<Region> {
    let mut regions = Vec::new();
    let mut add = |term: Option<&ClockTerm>| {
        if let Some(ClockTerm { clock, index: Some((_, length)) }) = term {
            let region = Region { offset: clock.0, stride: 1, length: *length };
            if !regions.contains(&region) {
                regions.push(region);
            }
        }
    };
    let mut conditions: Vec<&Condition> = Vec::new();
    for process in &network.processes {
        conditions.extend(process.locations.iter().map(|location| &location.invariant));
        for edge in &process.edges {
            conditions.push(&edge.guard);
            for update in &edge.updates {
                if let Update::Clock(update) = update {
                    add(Some(&update.clock));
                    add(update.source.as_ref());
                }
            }
        }
    }
    for condition in conditions {
        for constraint in condition.disjuncts.iter().flat_map(|conjunct| &conjunct.clocks) {
            add(constraint.left.as_ref());
            add(constraint.right.as_ref());
        }
    }
    regions
}

/// Reports variables that no declaration of `.tck` can hold.
fn check_data(network: &Network, diagnostics: &mut Diagnostics) {
    let mut refuse = |span: Span, what: String, note: &str| {
        let message = format!("{what} cannot be written as .tck");
        diagnostics.push(Diagnostic::error("not-expressible", span, message).note(note));
    };
    for variable in &network.variables {
        let (name, span) = (&variable.name, variable.span);
        if variable.symbolic {
            let what = format!("symbolic constant `{name}`");
            refuse(span, what, "every integer of .tck has a fixed initial value");
            continue;
        }
        let first = variable.first_slot as usize;
        let count = usize::try_from(variable.ty.slots()).unwrap_or(usize::MAX);
        let slots = network.slots.iter().skip(first).take(count);
        let fits = |value: i64| i32::try_from(value).is_ok();
        for slot in slots {
            match (slot.kind, slot.range) {
                (tioga_model::Kind::Bool, _) => {}
                (tioga_model::Kind::Rational, _) => {
                    refuse(
                        span,
                        format!("rational variable `{name}`"),
                        "data of .tck are integers",
                    );
                    break;
                }
                (_, None) => {
                    let what = format!("unbounded variable `{name}`");
                    refuse(span, what, "every integer of .tck has a range");
                    break;
                }
                (_, Some(range)) if !fits(range.min) || !fits(range.max) => {
                    let what = format!("the range of variable `{name}`");
                    refuse(span, what, "integers of .tck have 32 bits");
                    break;
                }
                _ => {}
            }
        }
    }
}
