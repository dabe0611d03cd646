//! Goals: as JSON, in words, and as older suites have them.

use tioga_base::Rational;
use tioga_testcase::{Before, Cover, CoverItem, Goal, Next, Summary};

fn item(element: &str, words: &str) -> CoverItem {
    let (element, words) = (element.to_owned(), words.to_owned());
    CoverItem { criterion: Cover::Edges, element, words, before: None, next: None }
}

/// Goals with their sentences.
fn goals() -> Vec<(Goal, &'static str)> {
    let half = Rational::new(1, 2).unwrap();
    let text = str::to_owned;
    vec![
        (Goal::Anything, ""),
        (Goal::Actions(100), "100 actions that conform"),
        (Goal::Purpose(text("Q")), "purpose Q"),
        (Goal::query("E<> control: A<> P.G"), "E<> control: A<> P.G"),
        (
            Goal::Query { query: text("control: A<> P.G"), within: Some(half) },
            "control: A<> P.G within 1/2",
        ),
        (Goal::Reach { condition: text("x > 1"), within: None }, "reach x > 1"),
        (Goal::Reach { condition: text("P.G"), within: Some(half) }, "reach P.G within 1/2"),
        (Goal::Walk(Rational::integer(7)), "walk 7"),
        (
            Goal::GridWord { purpose: text("Q"), word: text("1/2 a 1 b") },
            "grid word of Q: 1/2 a 1 b",
        ),
        (Goal::GridWord { purpose: text("Q"), word: String::new() }, "grid word of Q: "),
        (Goal::Inputs { unit: None, inputs: text("a b") }, "inputs a b"),
        (Goal::Inputs { unit: Some(half), inputs: text("a - b") }, "inputs in units of 1/2: a - b"),
        (
            Goal::Confirm {
                at: text("A, x = 1"),
                against: text("B"),
                way: text("a 1"),
                sequence: text("2 b"),
            },
            "confirm A, x = 1 against B: a 1 | 2 b",
        ),
    ]
}

/// A summary with a goal in the form that is given.
fn summary(key: &str, goal: &serde_json::Value) -> serde_json::Result<Summary> {
    let mut value = serde_json::to_value(Summary::default()).unwrap();
    let object = value.as_object_mut().unwrap();
    object.remove("goal");
    object.insert(key.to_owned(), goal.clone());
    serde_json::from_value(value)
}

#[test]
fn goals_are_values_in_files() {
    let items = vec![
        CoverItem { next: Some(Next::Output), ..item("P.edge1", "P: A -> B on `a?`") },
        CoverItem { before: Some(Before::NotZero), ..item("P.x-edge1-edge2", "P: x set") },
    ];
    let covers = Goal::Cover(items);
    let words = "P: A -> B on `a?`, then an output; and then P: x set, not 0 before";
    for (goal, sentence) in goals().into_iter().chain([(covers, words)]) {
        assert_eq!(goal.to_string(), sentence);
        let value = serde_json::to_value(&goal).unwrap();
        assert_eq!(summary("goal", &value).unwrap().goal, goal, "{value}");
    }
}

#[test]
fn sentences_of_version_2_are_read() {
    for (goal, sentence) in goals() {
        let read = summary("purpose", &sentence.into()).unwrap().goal;
        assert_eq!(read, goal, "{sentence}");
        assert_eq!(read.to_string(), sentence);
    }
    // What only the model explains keeps its sentence.
    let words = "P: A -> B on `a?`, then silence";
    let read = summary("purpose", &words.into()).unwrap().goal;
    assert_eq!(read, Goal::Sentence(words.to_owned()));
    assert_eq!(read.sentence(), Some(words));
}

#[test]
fn other_goals_are_refused() {
    for wrong in [serde_json::json!(7), serde_json::json!({ "jump": 3 }), serde_json::json!({})] {
        assert!(summary("goal", &wrong).is_err(), "{wrong}");
    }
}
