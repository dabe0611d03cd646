//! A game as a specification.

/// The game of CDFLL05 as a specification: what the tester does are inputs, the rest outputs.
pub const TIMELY: &str = "
model timely;
input c;
output u;
automaton Main {
  clock x;
  init location L0 invariant x <= 2;
  location L1, L2, L3, L4, goal;
  L0 -> L1 : c? when x <= 1;
  L0 -> L2 : u! when x < 1 do x = 0;
  L0 -> L4 : u! when x > 1;
  L1 -> goal : c? when x >= 2;
  L1 -> L2 : u! when x < 1;
  L2 -> L3 : c?;
  L3 -> L1 : c? when x <= 1;
}
query control: A<> Main.goal;
query control: A[ Main.x <= 2 U Main.goal ];
query control: A[ not Main.L2 U Main.goal ];
";
