//! A leader election protocol as a game, after the case study of DLLN08 (section 7): one node is the
//! system under test, and the tester plays the other nodes and the medium between them.
//!
//! The protocol: the node with the lowest address is to lead. A node believes in the lowest address
//! it has heard of, and knows how many hops away that one is. A message that tells of a lower
//! address, or of the same address no farther away, is useful: the node believes it and tells its
//! neighbours. A node that has heard nothing useful for long believes in itself again and says so.
//!
//! The game: three automata. `IUT` is the node under test. `Nodes` are all others; they may say
//! anything at any time. `Buffer` is the medium, which carries a few messages and hands one over
//! every `MESSAGE_DELAY` units or sooner, to the node under test or to another one. The tester
//! decides what is said and where it goes. The node under test decides two things: whether a message
//! of another node gets into the medium (`take!`) or is lost (`ignore!`), and whether and when, after
//! its time is up, it stops waiting (`timeout!`).
//!
//! Why no purpose can be enforced: all of them need a message in the medium. At the start there is
//! none. The node may answer every attempt to send with `ignore!`. It need not ever time out, for
//! nothing limits its waiting. So the medium may remain empty for ever, and the node never hears
//! anything.
//!
//! Why each can be reached if the node helps:
//! - TP1, a message is under way: one `take!` is enough. From there on the tester needs no
//!   cooperation: it has to write the message, which the node cannot prevent.
//! - TP2, the node forwards that node 1 leads: give it an address above 1, and after one `take!`
//!   write that node 1 leads and deliver this at once. The node believes in itself, so the message is
//!   useful; that it changes to `forward` is no choice of its own. If it believes in node 0 already,
//!   it has to time out first, which takes its help again.
//! - TP3, all places of the medium are taken: a `take!` for each place, without any delay.
//!
//! The paper gives neither the automata nor the constants; those are of an exercise on the same
//! protocol at Aalborg. As in the paper, for n nodes the medium has n places and no two nodes are
//! more than n − 1 hops apart, unless parameters say otherwise. Messages are told apart by leader
//! and distance, so the number of contents of the medium is (n (n − 1) + 1)ⁿ: TP3, which needs the
//! medium full, is much harder than TP1, which ends where it is first used.

use clap::{Args, value_parser};

use crate::text::fill;

/// A node under test, N − 1 others, and a medium that loses messages.
#[derive(Args, Clone, PartialEq, Eq, Debug)]
pub struct Lep {
    /// Number of nodes, at least 3
    #[arg(value_name = "N", value_parser = value_parser!(u32).range(3..=100))]
    pub nodes: u32,
    /// Number of messages the medium can carry [default: as many as there are nodes]
    #[arg(value_name = "SLOTS", value_parser = value_parser!(u32).range(1..=100))]
    pub slots: Option<u32>,
    /// Longest distance between two nodes [default: one less than there are nodes]
    #[arg(value_name = "FAR", value_parser = value_parser!(u32).range(1..=100))]
    pub far: Option<u32>,
}

impl Lep {
    /// The model in Tioga's own language.
    pub fn tioga(&self) -> String {
        let n = self.nodes;
        let (slots, far) = (self.slots.unwrap_or(n), self.far.unwrap_or(n.saturating_sub(1)));
        fill(TIOGA, &[("n", &n), ("slots", &slots), ("far", &far)])
    }
}

const TIOGA: &str = "\
// A node of a leader election protocol (DLLN08, section 7), the other nodes and their medium, as a
// game. The tester is the other nodes and the medium: it chooses what is sent and when it arrives.
// The node under test chooses which of their messages are lost, and when it gives up waiting.
model lep;

const int N = $n; // nodes
const int SLOTS = $slots; // messages the medium can carry
const int FAR = $far; // longest distance between two nodes
const int INITIAL_TIMEOUT = 10; // of a node that knows no leader but itself
const int TIMEOUT_DELAY = 5; // of a node that knows one, and in addition
const int MESSAGE_DELAY = 3; // for every hop: longest time until the medium hands a message over

typedef int[0, N - 1] Address;
typedef int[0, SLOTS - 1] BufferId;
typedef int[1, FAR] Hops;

// The messages under way: who leads, and how far from the leader the receiver is.
int[0, 1] inUse[BufferId];
Address leaderOf[BufferId];
Hops hopsOf[BufferId];
int[0, SLOTS] used;
clock age; // since the medium handed a message over, or got the first one

// What the node under test knows.
Address leader;
int[0, FAR] distance;

input address[N]; // at the start, the node under test learns its address
input deliver[SLOTS]; // the message of a slot reaches it
output take, ignore; // a message of another node gets into the medium, or is lost
output timeout; // it has heard nothing useful for long and elects itself
output send; // it tells its neighbours what it has learnt

void put(Address who, Hops hops) {
  int[0, SLOTS] i = 0;
  while (inUse[i] == 1) {
    i++;
  }
  inUse[i] = 1;
  leaderOf[i] = who;
  hopsOf[i] = hops;
  used++;
}

void remove(BufferId i) {
  inUse[i] = 0;
  leaderOf[i] = 0;
  hopsOf[i] = 1;
  used--;
}

automaton IUT {
  Address me;
  Address bufferInfo; // while it forwards: the leader it read from the buffer
  clock t; // since the last useful message

  bool useful(BufferId i) {
    return leaderOf[i] < leader || leaderOf[i] == leader && hopsOf[i] <= distance;
  }

  void learn(BufferId i) {
    leader = leaderOf[i];
    distance = hopsOf[i];
    bufferInfo = leaderOf[i];
    remove(i);
  }

  int patience() {
    return leader == me ? INITIAL_TIMEOUT : TIMEOUT_DELAY + distance * MESSAGE_DELAY;
  }

  init location start;
  location wait;
  location forward invariant t <= 1;

  start -> wait : address[a]? for a : Address do me = a, leader = a, t = 0;
  wait -> forward : deliver[i]? for i : BufferId when useful(i) do learn(i), t = 0;
  wait -> self : deliver[i]? for i : BufferId when !useful(i) do remove(i);
  wait -u-> self : timeout! when t >= patience() do leader = me, distance = 0, t = 0;
  forward -u-> wait : send! do bufferInfo = 0;
  forward -> self : deliver[i]? for i : BufferId do remove(i); // it does not listen

  // Whether a message gets through does not depend on what it says, so it is decided first.
  wait, forward -u-> self : take! when used < SLOTS;
  wait, forward -u-> self : ignore!;
}

automaton Nodes {
  init committed location Naming;
  location Quiet;
  committed location Sending, Writing;

  Naming -> Quiet : address[a]! for a : Address;
  Quiet -c-> Sending;
  Sending -> Quiet : ignore?;
  Sending -> Writing : take?;
  Writing -c-> Quiet : for l : Address, h : Hops when used == 0 do put(l, h), age = 0;
  Writing -c-> Quiet : for l : Address, h : Hops when used > 0 do put(l, h);
}

automaton Buffer {
  init location Carrying invariant used == 0 || age <= MESSAGE_DELAY;

  // A message goes to the node under test or to another one.
  Carrying -> self : deliver[i]! for i : BufferId when inUse[i] == 1 do age = 0;
  Carrying -c-> self : for i : BufferId when inUse[i] == 1 do remove(i), age = 0;

  // What the node under test sends; dropped if there is no room or nobody that far away.
  Carrying -> self : timeout? when used == 0 do put(leader, 1), age = 0;
  Carrying -> self : timeout? when used > 0 && used < SLOTS do put(leader, 1);
  Carrying -> self : timeout? when used == SLOTS;
  Carrying -> self : send? when distance < FAR && used == 0 do put(leader, distance + 1), age = 0;
  Carrying -> self : send? when distance < FAR && used > 0 && used < SLOTS do
      put(leader, distance + 1);
  Carrying -> self : send? when distance == FAR || used == SLOTS;
}

system IUT environment Nodes, Buffer;

query \"fails: TP1, all messages may get lost\" control: A<> exists (i : BufferId) inUse[i] == 1;
query \"holds: TP1, if the node helps\" E<> control: A<> exists (i : BufferId) inUse[i] == 1;
query \"fails: TP2, all messages may get lost\" control: A<> IUT.bufferInfo == 1 && IUT.forward;
query \"holds: TP2, if the node helps\" E<> control: A<> IUT.bufferInfo == 1 && IUT.forward;
query \"fails: TP3, all messages may get lost\" control: A<> forall (i : BufferId) inUse[i] == 1;
query \"holds: TP3, if the node helps\" E<> control: A<> forall (i : BufferId) inUse[i] == 1;
";
