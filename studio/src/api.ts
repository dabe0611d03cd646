// Requests to the server, and the values it answers with. docs/studio-api.md describes them.

export type Exact = number | string;

export interface Place {
  file: string;
  line: number;
  column: number;
  start: number;
  end: number;
  label?: string;
}

export interface Diagnostic {
  severity: "error" | "warning" | "note";
  code: string;
  message: string;
  primary: Place | null;
  notes: string[];
  help: string | null;
  fix: { start: number; end: number; file: string; replacement: string } | null;
}

export interface Spot {
  name: string;
  line: number;
  start: number;
  end: number;
}

export interface Automaton {
  name: string;
  purpose: boolean;
  nodes: Spot[];
  edges: Spot[];
  processes: string[];
}

export interface Look {
  valid: boolean;
  diagnostics: Diagnostic[];
  picture: { svg: string; automata: Automaton[] } | null;
  queries: { text: string; comment: string | null; game: boolean; start: number; line: number }[];
  clocks: string[];
  purposes: string[];
  interface: { inputs: string[]; outputs: string[] } | null;
}

export type Kind = "model" | "suite" | "journal" | "mutation" | "trace";

export interface Files {
  given: string;
  files: { name: string; kind: Kind; size: number }[];
  examples: { name: string; about: string }[];
  campaign: Campaign;
  sut: string | null;
  version: string;
}

export interface Campaign {
  plan: { suite: string; sut: string; journal: string } | null;
  state: { running: boolean; started: number; failure: string | null };
}

export interface Interval {
  from: Exact;
  from_open: boolean;
  to: Exact | null;
  to_open: boolean;
}

export interface Choice {
  action: string;
  edges: string;
  kind: "input" | "output" | "internal";
  by: "tester" | "system";
  windows: Interval[];
  window_text: string;
  earliest: Exact;
  record: unknown;
  spans: { process: string; edge: string; start: number; end: number }[];
}

export interface Polygon {
  corners: [Exact, Exact][];
  inside: boolean[];
  sides: ("closed" | "open" | "cut")[];
}

export interface Row {
  time: string;
  what: string;
  edges: string;
  kind: string;
  state: string;
}

export interface StateValue {
  locations: Record<string, string>;
  data: Record<string, Exact | boolean>;
  clocks: Record<string, Exact>;
}

export interface Simulation {
  model: string;
  time: Exact;
  time_text: string;
  state: StateValue;
  choices: Choice[];
  awaiting: { channel: string; types: string[] }[];
  delays: Interval;
  delays_text: string;
  lock: string | null;
  records: unknown[];
  rows: Row[];
  text: string;
  symbolic: {
    reason?: string;
    zones?: string[];
    clocks?: string[];
    plot?: {
      x: string;
      y: string | null;
      limit: Exact;
      polygons: Polygon[];
      point: [Exact, Exact];
    } | null;
  } | null;
}

export type Aim = { query: string } | { locations: [string, string][] } | { purpose: string };

export interface GameOverview {
  query: string;
  answer: { holds: boolean | null; luck: { at: string; hoped: string | null; after: string | null; feared: string[] }[]; rank: { losses: number; steps: number } | null; checked: string | null };
  note: string | null;
  avoids: boolean;
  complete: boolean;
  clocks: string[];
  places: { name: string; locations: Record<string, string>; initial: boolean; ranks: string[] }[];
}

export interface Ranks {
  name: string;
  x?: string;
  y?: string | null;
  limit?: Exact;
  levels?: { rank: string; losses: number; steps: number; risks: number; polygons: Polygon[] }[];
}

export interface Round {
  time: Exact;
  state: StateValue;
  rank: { losses: number; steps: number } | null;
  happened: { delay: Exact; by: string | null; action: string | null } | null;
}

export interface Played {
  outcome: string;
  reason: string;
  good: boolean | null;
  rounds: Round[];
  intentions: string[];
  records: unknown[];
  waiting: { round: Round; intention: string; offers: Choice[]; may_pass: boolean } | null;
}

export interface CaseLine {
  name: string;
  purpose: string;
  shape: string;
  rank: { risks: number; losses: number; steps: number };
  luck: string[];
  exact: boolean;
  approximated: string[];
  may_be_inconclusive: boolean;
  places: number;
}

export type RunRow = [number, string, string, string, string | null, number, number];

export interface Journal {
  system: string;
  model: string | null;
  seed: number;
  planned: number;
  cases: string[];
  table: { name: string; counts: Record<string, number> }[];
  runs: RunRow[];
  events: number;
  shrinks: boolean;
  counts: Record<string, number>;
  note: string | null;
}

export type EventRow = [number, string, string | null, string];

export interface RunDetail {
  run: number;
  case: string;
  outcome: string;
  reason: string;
  seed: number | null;
  purpose: string | null;
  svg: string;
  timing: string;
  text: string;
  message: string;
  expected?: string[];
}

export interface Shrunk {
  inputs_before: number;
  inputs: number;
  attempts: number;
  complete: boolean;
  again: { tries: number; failed: number };
  shown?: RunDetail;
}

export interface Findings {
  obstacles: { name: string; message: string; advice: string; trace: unknown[] | null }[] | null;
  properties: { property: string; meaning: string; about: string; verdict: string; reason: string; witness?: { places: Place[] } }[];
  reachability: { complete: boolean; reason: string | null; visited?: number } | null;
  assumptions: { assumption: string; verdict: string; reason?: string; trace?: unknown[]; turn?: unknown[] }[] | null;
}

export interface StateSpace {
  svg: string;
  states: {
    number: number;
    name: string;
    zone: string;
    steps: { action: string; kind: string; edges: string; target: number; name: string }[] | null;
  }[];
  known: number;
  complete: boolean;
  next: number[];
  full: number | null;
  chosen: {
    state: number;
    trace: unknown[] | null;
    reason: string | null;
    clocks: string[];
    plot: { x: string; y: string | null; limit: Exact; polygons: Polygon[] } | null;
  } | null;
}

export interface Mutation {
  model: string;
  cases: string[];
  rows: {
    mutant: string;
    killed: boolean;
    status: string | null;
    cells: [number, number, number, string | null][];
  }[];
  killed: number;
  equivalent: number;
  mutants: number;
  note: string | null;
}

export class Refused extends Error {
  constructor(
    message: string,
    readonly diagnostics: Diagnostic[],
    readonly status: number,
  ) {
    super(message);
  }
}

/** Asks the server. */
export async function ask<T>(path: string, body: object = {}): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`api/${path}`, { method: "POST", body: JSON.stringify(body) });
  } catch {
    throw new Refused("The studio is not running any more. Start `tioga studio` again.", [], 0);
  }
  const value = await response.json();
  if (!response.ok) {
    const error = value.error ?? { message: response.statusText, diagnostics: [] };
    const help = error.diagnostics?.find((one: Diagnostic) => one.help)?.help;
    throw new Refused(help ? `${error.message} (${help})` : error.message, error.diagnostics ?? [], response.status);
  }
  return value as T;
}

/** A number of the server as a JavaScript number, for drawing only. */
export function value(exact: Exact): number {
  if (typeof exact === "number") return exact;
  const [over, under] = exact.split("/");
  return Number(over) / Number(under ?? 1);
}
