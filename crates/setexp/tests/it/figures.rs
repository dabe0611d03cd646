//! The figures of KHO that its text tells.

use tioga_base::Budget;
use tioga_setexp::{SetExp, View};

use crate::build::figure_1;

/// Figure 2: the states and transitions of SetExp(A) for the automaton A of Figure 1. Per location the states
/// differ in what is pending; `l1` after `rho` is `l1` as before `alpha`, since c1 is above 3.
#[test]
fn figure_2_comes_out() {
    let tiosa = figure_1();
    let setexp = SetExp::of(&tiosa, &mut Budget::steps(1000)).unwrap();
    let expected = "\
SetExp of figure_1: 10 states, 14 transitions
  q0 l0 [initial]
  q1 l1
  q2 l2 {c1: 2, 3}
  q3 l3 {c1: 2, 3}
  q4 l2 {c1: 3}
  q5 l3 {c1: 3}
  q6 l4 {c1: 3}
  q7 l2
  q8 l4
  q9 l3
  q0 -> q1 : phi(m)? [-; x = m] (type 2)
  q1 -> q2 : <alpha?, Set(c1, 2, 3)> (type 2)
  q2 -> q3 : beta! [p <= x; -] (type 2)
  q2 -> q4 : Exp(c1, 2) (type 1)
  q2 -> q5 : <Exp(c1, 2), beta!> [p <= x; -] (type 3)
  q3 -> q5 : Exp(c1, 2) (type 1)
  q4 -> q5 : beta! [p <= x; -] (type 2)
  q4 -> q6 : beta! [x <= p; x = x + 1] (type 2)
  q4 -> q7 : Exp(c1, 3) (type 1)
  q4 -> q8 : <Exp(c1, 3), beta!> [x <= p; x = x + 1] (type 3)
  q5 -> q9 : Exp(c1, 3) (type 1)
  q6 -> q8 : Exp(c1, 3) (type 1)
  q7 -> q8 : beta! [x <= p; x = x + 1] (type 2)
  q8 -> q1 : rho! (type 2)
";
    assert_eq!(View::setexp(&tiosa, &setexp).text(), expected);
}
