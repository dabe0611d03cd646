//! Time per operation on random zones of dimension 4, 8 and 16, beside a plain textbook
//! implementation in the same run.
//!
//! ```text
//! cargo bench -p tioga-zones                    all operations
//! cargo bench -p tioga-zones -- close           those whose name contains a word
//! cargo bench -p tioga-zones -- close 8         and for one dimension
//! cargo bench -p tioga-zones -- --once close    one pass without timing, for callgrind
//! cargo bench -p tioga-zones -- --print 8       the zones, to measure other libraries on the same
//! ```
//!
//! The rows with `4 × 4` work on unions of four zones that all overlap.
//!
//! Each figure includes copying the zone that is worked on, as a search has to. It is the least
//! mean over several passes, so that other load disturbs little. `ratio` is the textbook's time
//! divided by ours.
#![allow(clippy::unwrap_used, reason = "a benchmark fails by panicking")]

mod textbook;

use std::hint::black_box;
use std::time::Instant;

use fastrand::Rng;
use textbook::Textbook;
use tioga_zones::{Arrival, Bound, Federation, LuBounds, OpenZone, Zone};

const POOL: usize = 128;
const PASSES: usize = 500;
/// How many pairs of unions there are, how many zones in each, and how often they are passed.
const UNIONS: usize = 16;
const UNITED: usize = 4;
const UNION_PASSES: usize = 10;
/// Larger unions that overlap like this have differences in too many pieces to be of interest.
const LARGEST_UNITED: usize = 8;

/// What one dimension is measured on. Zones at equal places are consistent with each other.
struct Pool {
    dimension: usize,
    /// Not closed, but with a solution.
    open: Vec<OpenZone>,
    open_textbook: Vec<Textbook>,
    zones: Vec<Zone>,
    others: Vec<Zone>,
    /// A constraint on the zone at the same place that cuts it without emptying it.
    cuts: Vec<(usize, usize, Bound)>,
    bounds: LuBounds,
    /// Pairs of unions of four zones. All zones of a pair have a point in common.
    unions: Vec<(Federation, Federation)>,
}

/// Bounds around a random point, so that there is a solution; a quarter of them missing.
fn random_constraints(rng: &mut Rng, point: &[i32]) -> Vec<(usize, usize, i32, bool)> {
    let n = point.len();
    let mut constraints = Vec::new();
    for i in 0..n {
        for j in (0..n).filter(|&j| j != i) {
            if rng.u32(..4) > 0 {
                let slack = rng.i32(1..40);
                let bound = point[i] - point[j] + slack;
                constraints.push((i, j, if i == 0 { bound.min(0) } else { bound }, rng.bool()));
            }
        }
    }
    constraints
}

fn bound(constant: i32, weak: bool) -> Bound {
    if weak { Bound::le(constant).unwrap() } else { Bound::lt(constant).unwrap() }
}

impl Pool {
    fn new(dimension: usize) -> Self {
        let mut rng = Rng::with_seed(7);
        let mut bounds = LuBounds::none(dimension);
        for clock in 1..dimension {
            bounds.raise_lower(clock, rng.u32(10..60));
            bounds.raise_upper(clock, rng.u32(10..60));
        }
        let mut pool = Self {
            dimension,
            open: Vec::new(),
            open_textbook: Vec::new(),
            zones: Vec::new(),
            others: Vec::new(),
            cuts: Vec::new(),
            bounds,
            unions: Vec::new(),
        };
        while pool.zones.len() < POOL {
            pool.grow(&mut rng);
        }
        let unions = if dimension <= LARGEST_UNITED { UNIONS } else { 0 };
        pool.unions = (0..unions).map(|_| pair_of_unions(&mut rng, dimension)).collect();
        pool
    }

    fn grow(&mut self, rng: &mut Rng) {
        let n = self.dimension;
        let point = random_point(rng, n);
        let mut open = [OpenZone::new(n), OpenZone::new(n)];
        let mut textbook = Textbook::universal(n);
        for (which, open) in open.iter_mut().enumerate() {
            for (i, j, constant, weak) in random_constraints(rng, &point) {
                open.constrain(i, j, bound(constant, weak));
                if which == 0 {
                    textbook.add(i, j, constant, weak);
                }
            }
        }
        let [first, second] = open.clone().map(OpenZone::close);
        let (Some(zone), Some(other)) = (first, second) else { return };
        let (i, j) = (rng.usize(..n), rng.usize(..n));
        let cut = bound(point[i] - point[j] + rng.i32(0..5), true);
        if i == j || !zone.meets(i, j, cut) || zone.implies(i, j, cut) || !zone.intersects(&other) {
            return;
        }
        let [open, _] = open;
        self.open.push(open);
        self.open_textbook.push(textbook);
        self.zones.push(zone);
        self.others.push(other);
        self.cuts.push((i, j, cut));
    }
}

fn random_point(rng: &mut Rng, n: usize) -> Vec<i32> {
    (0..n).map(|i| if i == 0 { 0 } else { rng.i32(1..50) }).collect()
}

fn pair_of_unions(rng: &mut Rng, n: usize) -> (Federation, Federation) {
    let point = random_point(rng, n);
    let mut zone = || {
        let mut open = OpenZone::new(n);
        for (i, j, constant, weak) in random_constraints(rng, &point) {
            open.constrain(i, j, bound(constant, weak));
        }
        open.close().expect("the point is a solution")
    };
    let mut union = || Federation::from_zones(n, (0..UNITED).map(|_| zone()));
    (union(), union())
}

/// Prints the matrices that are measured on, a line each: the open one, the zone, the other zone,
/// the constraint; then the zones of the unions. Bounds are packed as in [`Bound::packed`].
fn print(pool: &Pool) {
    let line = |name: &str, bounds: &[Bound]| {
        let packed: Vec<String> = bounds.iter().map(|b| b.packed().to_string()).collect();
        println!("{name} {} {}", pool.dimension, packed.join(" "));
    };
    for k in 0..POOL {
        line("open", &pool.open_textbook[k].bounds());
        line("zone", pool.zones[k].bounds());
        line("other", pool.others[k].bounds());
        let (i, j, cut) = pool.cuts[k];
        println!("cut {} {i} {j} {}", pool.dimension, cut.packed());
    }
    for (goal, bad) in &pool.unions {
        println!("union {}", pool.dimension);
        goal.zones().iter().for_each(|zone| line("goal", zone.bounds()));
        bad.zones().iter().for_each(|zone| line("bad", zone.bounds()));
    }
}

/// The mean over the pairs of unions of the least time of a call, in tenths of nanoseconds.
fn time_unions<'a>(
    unions: &'a [(Federation, Federation)],
    once: bool,
    operation: impl Fn(&'a Federation, &'a Federation),
) -> u128 {
    let call = |goal: &'a Federation, bad: &'a Federation| {
        let start = Instant::now();
        operation(goal, bad);
        start.elapsed().as_nanos() * 10
    };
    let passes = if once { 1 } else { UNION_PASSES };
    let least = |(goal, bad): &'a (Federation, Federation)| {
        (0..passes).map(|_| call(goal, bad)).min().unwrap()
    };
    unions.iter().map(least).sum::<u128>() / UNIONS as u128
}

/// The least mean time of one call in tenths of nanoseconds, over passes through the pool.
fn time(once: bool, mut operation: impl FnMut(usize)) -> u128 {
    let mut one_pass = || {
        let start = Instant::now();
        (0..POOL).for_each(&mut operation);
        start.elapsed().as_nanos() * 10 / POOL as u128
    };
    (0..if once { 1 } else { PASSES }).map(|_| one_pass()).min().unwrap()
}

struct Row {
    name: &'static str,
    ours: fn(&Pool, bool) -> u128,
    textbook: Option<fn(&Pool, bool) -> u128>,
}

/// Times an operation on a zone that is copied into a buffer first.
fn in_place(pool: &Pool, once: bool, mut operation: impl FnMut(usize, &mut Zone)) -> u128 {
    let mut zone = Zone::zero(pool.dimension);
    time(once, |k| {
        zone.clone_from(&pool.zones[k]);
        operation(k, &mut zone);
        black_box(&zone);
    })
}

fn by_textbook(pool: &Pool, once: bool, operation: impl Fn(usize, &mut Textbook)) -> u128 {
    let zones: Vec<Textbook> = pool.zones.iter().map(Textbook::from).collect();
    let mut zone = Textbook::universal(pool.dimension);
    time(once, |k| {
        zone.clone_from(&zones[k]);
        operation(k, &mut zone);
        black_box(&zone);
    })
}

const ROWS: &[Row] = &[
    Row {
        name: "close",
        ours: |pool, once| {
            let mut zone = Zone::zero(pool.dimension);
            time(once, |k| {
                assert!(pool.open[k].close_into(&mut zone));
                black_box(&zone);
            })
        },
        textbook: Some(|pool, once| {
            let mut zone = Textbook::universal(pool.dimension);
            time(once, |k| {
                zone.clone_from(&pool.open_textbook[k]);
                assert!(zone.close());
                black_box(&zone);
            })
        }),
    },
    Row {
        name: "one constraint",
        ours: |pool, once| {
            in_place(pool, once, |k, zone| {
                let (i, j, bound) = pool.cuts[k];
                zone.constrain(i, j, bound).unwrap();
            })
        },
        textbook: Some(|pool, once| {
            by_textbook(pool, once, |k, zone| {
                let (i, j, bound) = pool.cuts[k];
                assert!(zone.constrain(i, j, bound.constant().unwrap(), !bound.is_strict()));
            })
        }),
    },
    Row {
        name: "intersection",
        ours: |pool, once| in_place(pool, once, |k, zone| zone.intersect(&pool.others[k]).unwrap()),
        textbook: Some(|pool, once| {
            let others: Vec<Textbook> = pool.others.iter().map(Textbook::from).collect();
            by_textbook(pool, once, |k, zone| assert!(zone.intersect(&others[k])))
        }),
    },
    Row {
        name: "delay",
        ours: |pool, once| in_place(pool, once, |_, zone| zone.delay()),
        textbook: None,
    },
    Row {
        name: "past",
        ours: |pool, once| in_place(pool, once, |_, zone| zone.past()),
        textbook: None,
    },
    Row {
        name: "reset",
        ours: |pool, once| in_place(pool, once, |_, zone| zone.reset(2, 0)),
        textbook: None,
    },
    Row {
        name: "free",
        ours: |pool, once| in_place(pool, once, |_, zone| zone.free(2)),
        textbook: None,
    },
    Row {
        name: "extrapolate LU+",
        ours: |pool, once| in_place(pool, once, |_, zone| zone.extrapolate_lu_plus(&pool.bounds)),
        textbook: None,
    },
    Row {
        name: "inclusion (equal)",
        ours: |pool, once| in_place(pool, once, |k, zone| assert!(pool.zones[k].includes(zone))),
        textbook: Some(|pool, once| {
            let zones: Vec<Textbook> = pool.zones.iter().map(Textbook::from).collect();
            by_textbook(pool, once, |k, zone| assert!(zones[k].includes(zone)))
        }),
    },
    Row {
        name: "relation",
        ours: |pool, once| {
            time(once, |k| {
                black_box(pool.zones[k].relation(&pool.zones[(k + 1) % POOL]));
            })
        },
        textbook: None,
    },
    Row {
        name: "packed inclusion (equal)",
        ours: |pool, once| {
            let packed: Vec<_> = pool.zones.iter().map(Zone::pack).collect();
            time(once, |k| assert!(packed[k].includes(&packed[k])))
        },
        textbook: None,
    },
    Row {
        name: "pack",
        ours: |pool, once| {
            time(once, |k| {
                black_box(pool.zones[k].pack());
            })
        },
        textbook: None,
    },
    Row {
        name: "aLU inclusion (equal)",
        ours: |pool, once| {
            time(once, |k| {
                let zone = &pool.zones[k];
                assert!(zone.includes_modulo_alu(zone, &pool.bounds));
            })
        },
        textbook: None,
    },
    Row {
        name: "minimal constraints",
        ours: |pool, once| {
            time(once, |k| {
                black_box(pool.zones[k].to_compact());
            })
        },
        textbook: None,
    },
    Row {
        name: "subtraction",
        ours: |pool, once| {
            time(once, |k| {
                black_box(pool.zones[k].subtract(&pool.others[k]));
            })
        },
        textbook: None,
    },
    Row {
        name: "timed predecessor",
        ours: |pool, once| {
            let pairs: Vec<(Federation, Federation)> = (pool.zones.iter().cloned())
                .zip(pool.others.iter().cloned())
                .map(|(goal, bad)| (goal.into(), bad.into()))
                .collect();
            time(once, |k| {
                let (goal, bad) = &pairs[k];
                black_box(goal.timed_predecessor(bad, Arrival::Safe));
            })
        },
        textbook: None,
    },
    Row {
        name: "intersection 4 × 4",
        ours: |pool, once| {
            time_unions(&pool.unions, once, |goal, bad| {
                let mut common = goal.clone();
                common.intersect(bad);
                black_box(common);
            })
        },
        textbook: None,
    },
    Row {
        name: "subtraction 4 × 4",
        ours: |pool, once| {
            time_unions(&pool.unions, once, |goal, bad| {
                let mut rest = goal.clone();
                rest.subtract(bad);
                black_box(rest);
            })
        },
        textbook: None,
    },
    Row {
        name: "merge after subtraction",
        ours: |pool, once| {
            let rests: Vec<Federation> = (pool.zones.iter().zip(&pool.others))
                .map(|(zone, other)| zone.subtract(other))
                .collect();
            time(once, |k| {
                let mut rest = rests[k].clone();
                rest.merge();
                black_box(rest);
            })
        },
        textbook: None,
    },
    Row {
        name: "timed predecessor 4 × 4",
        ours: |pool, once| {
            time_unions(&pool.unions, once, |goal, bad| {
                black_box(goal.timed_predecessor(bad, Arrival::Safe));
            })
        },
        textbook: None,
    },
    Row {
        name: "timed successor 4 × 4",
        ours: |pool, once| {
            time_unions(&pool.unions, once, |start, bad| {
                black_box(start.timed_successor(bad, Arrival::Safe));
            })
        },
        textbook: None,
    },
    Row {
        name: "inclusion 4 × 4",
        ours: |pool, once| {
            time_unions(&pool.unions, once, |goal, bad| {
                black_box(goal.includes(bad));
            })
        },
        textbook: None,
    },
    Row {
        name: "merge 4 × 4",
        ours: |pool, once| {
            let differences: Vec<(Federation, Federation)> = (pool.unions.iter())
                .map(|(goal, bad)| {
                    let mut rest = goal.clone();
                    rest.subtract(bad);
                    (rest, bad.clone())
                })
                .collect();
            time_unions(&differences, once, |rest, _| {
                let mut rest = rest.clone();
                rest.merge();
                black_box(rest);
            })
        },
        textbook: None,
    },
];

fn tenths(value: u128) -> String {
    format!("{}.{}", value / 10, value % 10)
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let once = arguments.iter().any(|argument| argument == "--once");
    let words = || arguments.iter().filter(|argument| !argument.starts_with("--"));
    let names: Vec<&String> = words().filter(|word| word.parse::<usize>().is_err()).collect();
    let dimensions: Vec<usize> = words().filter_map(|word| word.parse().ok()).collect();
    let dimensions = if dimensions.is_empty() { vec![4, 8, 16] } else { dimensions };
    let pools: Vec<Pool> = dimensions.into_iter().map(Pool::new).collect();
    if arguments.iter().any(|argument| argument == "--print") {
        return pools.iter().for_each(print);
    }
    println!(
        "{:28}{:>10}{:>12}{:>14}{:>8}",
        "operation", "dimension", "ns", "textbook ns", "ratio"
    );
    for row in ROWS.iter().filter(|row| names.iter().all(|name| row.name.contains(*name))) {
        let on_unions = row.name.ends_with("4 × 4");
        for pool in pools.iter().filter(|pool| !on_unions || !pool.unions.is_empty()) {
            let ours = (row.ours)(pool, once).max(1);
            let textbook = row.textbook.map(|textbook| textbook(pool, once));
            let (beside, ratio) =
                textbook.map_or_else(Default::default, |t| (tenths(t), tenths(t * 10 / ours)));
            let (name, dimension) = (row.name, pool.dimension);
            println!("{name:28}{dimension:>10}{:>12}{beside:>14}{ratio:>8}", tenths(ours));
        }
    }
}
