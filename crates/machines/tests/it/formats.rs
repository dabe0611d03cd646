//! Machines as texts.

use tioga_machines::{Error, Machine, read_dot, read_kiss2, write_dot, write_kiss2};

use crate::support::random;

#[test]
fn dot_is_read_as_learning_tools_write_it() {
    let machine = read_dot(
        "// a comment\ndigraph {\n__start0 [label=\"\" shape=\"none\"]\n0 [label=\"x\"]\n0 -> 1 [label=\"in it / out (1)/2\"]\n\
         1 -> 0 [color=red, label = \"b/\" ]; 1 -> 1[label=\"in it/x\"]\n__start0 -> 1\n}\n",
    )
    .unwrap();
    assert_eq!(machine.state_name(machine.initial()), "1");
    assert_eq!((machine.state_count(), machine.input_count(), machine.output_count()), (2, 2, 3));
    let start = machine.state("0").unwrap();
    let (target, output) = machine.step(start, machine.input("in it").unwrap()).unwrap();
    assert_eq!((machine.state_name(target), machine.output_name(output)), ("1", "out (1)/2"));
}

#[test]
fn what_is_written_is_read_again() {
    let mut rng = fastrand::Rng::with_seed(5);
    for _ in 0..50 {
        let machine = random(&mut rng, 5, 3, 3);
        let again = read_dot(&write_dot(&machine)).unwrap();
        assert_eq!(shown(&again), shown(&machine));
        let again = read_kiss2("random", &write_kiss2(&machine).unwrap()).unwrap();
        let order = |machine: &Machine| {
            let mut all = shown(machine);
            all.sort();
            all
        };
        assert_eq!(order(&again), order(&machine));
    }
}

fn shown(machine: &Machine) -> Vec<String> {
    let start = format!("start {}", machine.state_name(machine.initial()));
    let transitions = machine.transitions().map(|(source, input, output, target)| {
        format!(
            "{} {} {} {}",
            machine.state_name(source),
            machine.input_name(input),
            machine.output_name(output),
            machine.state_name(target)
        )
    });
    [start].into_iter().chain(transitions).collect()
}

#[test]
fn what_is_no_machine_is_refused_with_the_reason() {
    let complaint = |text: &str| read_dot(text).unwrap_err().to_string();
    assert_eq!(
        complaint("graph g { a -- b }"),
        "line 1: `--` is an edge without direction; a machine has `->`"
    );
    assert!(complaint("digraph g { a -> b [label=\"x\"]; __start0 -> a }").contains("(Moore)"));
    assert!(complaint("digraph g { a -> b; __start0 -> a }").contains("has no label"));
    assert!(complaint("digraph g { a -> b [label=\"x/y\"] }").contains("`__start0`"));
    assert!(complaint("digraph g { a -> b [label=\"x/y\"]").contains("does not end"));
    let twice = "digraph g { __start0 -> a; a -> a [label=\"x/y\"]; a -> b [label=\"x/y\"] }";
    let expected = Error::Nondeterministic { state: "a".into(), input: "x".into() };
    assert_eq!(read_dot(twice).unwrap_err(), expected);
    assert_eq!(read_dot("").unwrap_err().to_string(), "line 1: expected `digraph`");
}

#[test]
fn kiss2_spells_out_what_does_not_matter() {
    let text = ".i 2\n.o 1\n.s 2\n.r b\n0- a b 1\n11 a a 0 # a comment\n-- b a 0\n.e\n";
    let machine = read_kiss2("m", text).unwrap();
    assert_eq!((machine.state_count(), machine.input_count()), (2, 4));
    assert_eq!(machine.state_name(machine.initial()), "b");
    assert_eq!(
        machine.gap().map(|(state, input)| (machine.state_name(state), machine.input_name(input))),
        Some(("a", "10"))
    );
    assert!(read_kiss2("m", "0 a b\n").unwrap_err().to_string().starts_with("line 1: expected"));
}

/// The real machines, where they are.
#[test]
fn the_shared_machines_are_read() {
    let folder =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models/mealy");
    let Ok(files) = std::fs::read_dir(folder) else { return };
    let mut sizes = Vec::new();
    for file in files {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "dot") {
            continue;
        }
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        match read_dot(&std::fs::read_to_string(&path).unwrap()) {
            Ok(machine) => {
                assert!(machine.gap().is_none() && machine.unreachable().is_empty(), "{name}");
                sizes.push((
                    name,
                    machine.state_count(),
                    machine.input_count(),
                    machine.output_count(),
                ));
            }
            Err(error) => assert!(
                name == "car_alarm" && error.to_string().contains("Moore"),
                "{name}: {error}"
            ),
        }
    }
    let expected = [
        ("Angluin_Mealy", 4, 2, 2),
        ("coffee_mealy", 2, 2, 3),
        ("car_alarm_mealy", 5, 2, 2),
        ("nRF52832", 5, 9, 11),
        ("CYW43455", 16, 7, 11),
        ("OpenSSL_1.0.2_server_regular", 7, 7, 7),
        ("NSS_3.17.4_server_regular", 8, 8, 9),
        ("TCP_Linux_Client", 15, 10, 11),
        ("VerneMQ__two_client_will_retain", 17, 9, 18),
        ("mosquitto__two_client_will_retain", 18, 9, 21),
        ("tcp_server_bsd_trans", 55, 13, 11),
        ("tcp_server_ubuntu_trans", 57, 12, 9),
    ];
    for (name, states, inputs, outputs) in expected {
        assert!(sizes.contains(&(name.to_owned(), states, inputs, outputs)), "{name}: {sizes:?}");
    }
}
