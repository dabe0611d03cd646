//! `tioga monitor` on logs as they exist: timestamps, epochs, CSV, other fields, sessions, and what is
//! found after a violation.

use crate::binary::{Folder, Json, Run};

/// A lamp that goes on one to two seconds after a touch, and tells its level.
const LAMP: &str = "\
time unit 1 s;
input touch; output on, level(int[0,3] v);
automaton Lamp {
  clock x;
  init location Dark;
  location Waking invariant x <= 2;
  location Bright;
  Dark -> Waking : touch? do x = 0;
  Waking -> Bright : on! when x >= 1;
  Bright -> Bright : level(2)!;
  Bright -> Waking : touch? do x = 0;
}
";

fn lamp(name: &str, log: &str, options: &str) -> Run {
    let folder = Folder::new(&format!("monitor_logs_{name}"));
    folder.write("lamp.tioga", LAMP);
    let options: Vec<&str> = options.split_whitespace().collect();
    folder.tioga(&[&["monitor", "lamp.tioga"], &options[..]].concat(), log)
}

/// The same two observations, `gap` seconds apart, in many ways; each with its options.
fn ways(gap: &str) -> Vec<(String, &'static str)> {
    let millis = |base: i64| {
        let gap: tioga_base::Rational = gap.parse().unwrap();
        base + gap.mul(tioga_base::Rational::integer(1000)).unwrap().to_integer().unwrap()
    };
    let base = 1_717_158_600_000i64;
    let end = millis(base);
    let seconds = format!("{}.{:03}", end / 1000, end % 1000);
    let clock = format!("12:30:{:02}.{:03}", (end - base) / 1000, (end - base) % 1000);
    vec![
        (format!("0 touch?\n{gap} on!\n"), ""),
        (format!("2024-05-31T12:30:00Z touch?\n2024-05-31T{clock}Z on!\n"), ""),
        (format!("2024-05-31 12:30:00 touch?\n2024-05-31 {} on!\n", clock.replace('.', ",")), ""),
        (
            format!("2024-05-31T12:30:00Z touch\n2024-05-31T14:{}+02:00 on\n", &clock[3..]),
            "--time iso",
        ),
        (format!("{} touch?\n{seconds} on!\n", base / 1000), ""),
        (format!("{base} touch?\n{end} on!\n"), ""),
        (format!("{base} touch?\n{end} on!\n"), "--time ms"),
        (format!("{base}000 touch?\n{end}000 on!\n"), "--time us"),
        (format!("{base}000000 touch?\n{end}000000 on!\n"), ""),
        (format!("{base}000000 touch?\n{end}000000 on!\n"), "--time ns"),
        (format!("0 touch?\n{} on!\n", end - base), "--time ms"),
        (format!("time,action\n0,touch\n{gap},on\n"), "--csv"),
        (
            format!("when;what;dir\n{base};touch;in\n{end};on;OUT\n"),
            "--csv --separator ; --map time=when,action=what,direction=dir --time ms",
        ),
        (format!("x,0,touch?\ny,{gap},\"on!\"\n"), "--csv --no-header --map time=2,action=3"),
        (
            format!("at,input,output,note\n0,touch,,a\n{gap},,on,\"b, c\"\n"),
            "--csv --map time=at,input=input,output=output",
        ),
        (
            format!(
                "{{\"ts\":{base},\"event\":{{\"name\":\"touch\"}},\"pid\":7}}\n\
                 {{\"ts\":{end},\"event\":{{\"name\":\"on\"}},\"pid\":7}}\n"
            ),
            "--map time=ts,action=event.name --ignore-extra --time ms",
        ),
        (
            format!(
                "{{\"at\":0,\"input\":\"touch\",\"host\":\"a\"}}\n\
                 {{\"at\":{gap},\"output\":\"on\",\"host\":\"a\"}}\n"
            ),
            "--ignore-extra",
        ),
    ]
}

#[test]
fn the_same_log_means_the_same_however_it_is_written() {
    for (number, (log, options)) in ways("1.5").iter().enumerate() {
        let run = lamp(&format!("same_{number}"), log, options);
        assert_eq!(run.code, 0, "{options}: {log}{}{}", run.out, run.err);
        assert!(run.out.starts_with("conforms: 2 observations in 1.5 s\n"), "{log}: {}", run.out);
    }
    for (number, (log, options)) in ways("2.001").iter().enumerate() {
        let run = lamp(&format!("late_{number}"), log, options);
        assert_eq!(run.code, 1, "{options}: {log}{}{}", run.out, run.err);
        let late = "`on` at 2.001 s came 0.001 s too late: it was expected from 1 s to 2 s";
        assert!(run.out.contains(late), "{log}: {}", run.out);
    }
}

#[test]
fn nanoseconds_since_1970_are_exact() {
    // A double has no room for these digits.
    let log =
        |nanoseconds: &str| format!("1717158600.123456789 touch?\n1717158602.{nanoseconds} on!\n");
    assert_eq!(lamp("exact", &log("123456789"), "").code, 0);
    let run = lamp("exact_late", &log("123456790"), "");
    assert_eq!(run.code, 1, "{}", run.out);
    assert!(run.out.contains("came 0.000000001 s too late"), "{}", run.out);
}

#[test]
fn values_come_from_fields() {
    let csv = "time,action,v\n0,touch,\n1,on,\n2,level,2\n";
    let map = "--csv --map time=time,action=action,values=v";
    assert_eq!(lamp("values", csv, map).code, 0);
    let other = csv.replace(",2\n", ",3\n");
    let run = lamp("values_other", &other, map);
    assert!(run.out.contains("`level(3)` at 2 s has other values"), "{}{}", run.out, run.err);
    let json =
        "{\"t\":0,\"e\":\"touch\"}\n{\"t\":1,\"e\":\"on\"}\n{\"t\":2,\"e\":\"level\",\"vs\":[2]}\n";
    let run = lamp("values_json", json, "--map time=t,action=e,values=vs");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
}

#[test]
fn what_cannot_be_read_is_pointed_at() {
    let cases = [
        ("time,action\n0,touch\nsoon,on\n", "--csv", "standard input:3:1", "`soon` is no moment"),
        ("time,action\n0,tuch\n", "--csv", "standard input:2:3", "did you mean `touch`?"),
        ("when,action\n0,touch\n", "--csv", "standard input:1:1", "there is no column `time`"),
        ("time,action\n0,\"touch\n", "--csv", "standard input:2:3", "not closed"),
        ("{\"at\":0,\"input\":\"touch\",\"host\":1}\n", "", "standard input:1:", "--ignore-extra"),
        ("{\"t\":0,\"e\":\"touch\",\"h\":1}\n", "--map time=t,action=e", ":1:", "`h` is not known"),
        ("0 touch?\n2024-05-31T12:30:00Z on!\n", "", "standard input:2:1", "all numbers or all"),
        ("2024-02-30T12:30:00Z touch?\n", "", "standard input:1:1", "is no timestamp"),
        ("0 touch?\n", "--time iso", "standard input:1:1", "timestamps are expected"),
        ("0 touch?\n1 on!\n", "--session id", "standard input:1:1", "no field for the session"),
        ("{\"at\":0,\"input\":\"touch\"}\n", "--session id", ":1:1", "no field `id`"),
    ];
    for (number, (log, options, place, message)) in cases.into_iter().enumerate() {
        let run = lamp(&format!("bad_{number}"), log, options);
        assert_eq!(run.code, 2, "{log}: {}", run.out);
        assert!(run.err.contains(place) && run.err.contains(message), "{log}: {}", run.err);
    }
    for options in
        ["--map time=a", "--map action=a", "--map when=a", "--no-header", "--separator ab"]
    {
        assert_eq!(lamp("bad_option", "", options).code, 2, "{options}");
    }
    let folder = Folder::new("monitor_logs_no_unit");
    folder.write("lamp.tioga", LAMP.replace("time unit 1 s;\n", ""));
    let log = "2024-05-31T12:30:00Z touch?\n2024-05-31T12:30:01Z on!\n";
    let run = folder.tioga(&["monitor", "lamp.tioga"], log);
    assert!(run.code == 2 && run.err.contains("declare `time unit 1 s;`"), "{}", run.err);
    let run = folder.tioga(&["monitor", "lamp.tioga", "--scale", "1"], log);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
}

#[test]
fn actions_that_the_model_does_not_have_may_be_passed_over() {
    let log = "0 touch?\n1/2 heartbeat\n1 on!\n";
    assert_eq!(lamp("unknown", log, "").code, 2);
    let run = lamp("unknown_ignored", log, "--ignore-unknown");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.contains("passed over 1 action that the model does not have"), "{}", run.out);
}

#[test]
fn each_session_has_a_monitor_and_a_clock_of_its_own() {
    let log = "time,id,action\n\
               1717158600,a,touch\n1717158600.5,b,touch\n1717158601,c,touch\n\
               1717158601.5,a,on\n1717158603,b,on\n1717158602.5,c,on\n1717158604,c,touch\n";
    let run = lamp("sessions", log, "--csv --session id");
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    assert!(run.out.starts_with("session a\nconforms: 2 observations in 1.5 s\n"), "{}", run.out);
    let late = "session b\nviolation at line 6: `on` at 2.5 s came 0.5 s too late";
    assert!(run.out.contains(late), "{}", run.out);
    assert!(run.out.contains("session c\nconforms: 3 observations in 3 s\n"), "{}", run.out);
    assert!(run.out.contains("3 sessions: 2 conform, 1 do not, 0 inconclusive"), "{}", run.out);
    let run = lamp("sessions_json", log, "--csv --session id --format json");
    let sessions = run.json()["result"]["sessions"].clone();
    let verdicts: Vec<(&str, &str)> = sessions
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["session"].as_str().unwrap(), one["verdict"].as_str().unwrap()))
        .collect();
    assert_eq!(verdicts, [("a", "conforms"), ("b", "violation"), ("c", "conforms")]);
}

#[test]
fn every_violation_is_told_if_monitoring_goes_on() {
    let log = "0 touch?\n5 on!\n6 touch?\n7 on!\n8 on!\n9 touch?\n12 end\n13 touch?\n14 on!\n";
    let first = lamp("first", log, "");
    assert_eq!(first.code, 1);
    assert_eq!(first.out.matches("violation at").count(), 1, "{}", first.out);
    let all = lamp("all", log, "--keep-going");
    assert_eq!(all.code, 1, "{}{}", all.out, all.err);
    let lines: Vec<&str> = all.out.lines().collect();
    assert!(
        lines[0].starts_with("violation at line 2: `on` at 5 s came 3 s too late"),
        "{}",
        all.out
    );
    assert!(
        lines[1].starts_with("violation at line 5: `on` at 8 s was not expected"),
        "{}",
        all.out
    );
    assert!(
        lines[2].starts_with("violation at line 7: the system was silent until 12 s"),
        "{}",
        all.out
    );
    assert!(lines[3].starts_with("3 findings, 6 observations that conform"), "{}", all.out);
    let json = lamp("all_json", log, "--keep-going --format json").json();
    let findings = json["result"]["findings"].as_array().unwrap().clone();
    let at: Vec<u64> = findings.iter().map(|one| one["line"].as_u64().unwrap()).collect();
    assert_eq!(at, [2, 5, 7]);
    assert_eq!(json["result"]["line"], 2);
    // An input that is not specified is no violation, and what follows is judged again.
    let log = "0 touch?\n1/2 touch?\n1 on!\n2 touch?\n9 on!\n";
    let run = lamp("inconclusive", log, "--keep-going");
    assert_eq!(run.code, 1, "{}", run.out);
    assert!(run.out.starts_with("inconclusive at line 2: "), "{}", run.out);
    assert!(run.out.contains("violation at line 5: "), "{}", run.out);
    // With latencies nothing is judged before everything under way has arrived.
    let log = "0 touch?\n5 on!\n5.1 on!\n9 touch?\n10 on!\n";
    let run = lamp("under_way", log, "--keep-going --in-latency 0..1/4 --out-latency 0..1/4");
    assert!(
        run.out.contains("1 finding, 3 observations that conform, 1 not judged"),
        "{}",
        run.out
    );
}
