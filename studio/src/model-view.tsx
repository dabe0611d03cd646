// The model: its source, its picture, and its queries.
import { useSignal } from "@preact/signals";
import { ask } from "./api";
import { Editor } from "./editor";
import { FindingsView } from "./findings-view";
import { Part, Picture } from "./picture";
import { attempt, changed, download, look, model, play, pointed, save, subject, text } from "./state";

interface Answer {
  kind: "reach" | "game";
  query: string;
  holds: boolean | null;
  reason?: string | null;
  trace?: unknown[] | null;
  rank?: { losses: number; steps: number } | null;
  luck?: { at: string; hoped: string | null; feared: string[] }[];
  checked?: string | null;
  stats?: { visited?: number; states?: number; seconds?: number };
}

/** The name of a copy: an example has no ending of its own, and a file keeps the one it has. */
function copyName(name: string): string {
  const file = name.replace(/^@/, "").replaceAll("/", "-");
  return name.startsWith("@") ? `${file}.tioga` : file;
}

export function ModelView() {
  const seen = look.value;
  const now = pointed.value;
  const name = model.value?.name ?? "";
  const errors = seen?.diagnostics.filter((one) => one.severity === "error").length ?? 0;
  const warnings = (seen?.diagnostics.length ?? 0) - errors;
  const count = (number: number, what: string) => `${number} ${what}${number === 1 ? "" : "s"}`;
  const spotOf = (part: Part) => {
    const automaton = seen?.picture?.automata[part.automaton];
    return part.node !== undefined ? automaton?.nodes[part.node] : automaton?.edges[part.edge ?? -1];
  };
  return (
    <div class="panes model-panes">
      <section class="pane" aria-label="Source">
        <header>
          <h2>
            {name}
            {changed.value && <span class="badge">edited</span>}
          </h2>
          <span class={seen?.valid ? "status good" : "status bad"} role="status">
            {!seen ? "" : seen.valid ? (warnings ? count(warnings, "warning") : "well-formed") : count(errors, "error")}
          </span>
          <span class="grow" />
          {(changed.value || !model.value?.writable) && (
            <button type="button" onClick={() => download(copyName(name), text.value)}>
              Save a copy
            </button>
          )}
          {model.value?.writable && (
            <button type="button" disabled={!changed.value} onClick={() => void save()}>
              Save
            </button>
          )}
        </header>
        <Editor />
        {seen && seen.diagnostics.length > 0 && (
          <ul class="problems" aria-label="Problems">
            {seen.diagnostics.slice(0, 50).map((one, index) => (
              <li key={index} class={one.severity}>
                <button
                  type="button"
                  class="plain"
                  disabled={!one.primary || one.primary.file !== name}
                  onClick={() => one.primary && (pointed.value = { start: one.primary.start, end: one.primary.end, from: "picture" })}
                >
                  <b>{one.severity}</b> {one.primary ? `line ${one.primary.line}: ` : ""}
                  {one.message}
                </button>
              </li>
            ))}
          </ul>
        )}
      </section>
      <section class="pane" aria-label="Picture and queries">
        <header>
          <h2>Picture</h2>
          <span class="hint">Choose a location or an edge to see its line.</span>
        </header>
        {seen?.picture ? (
          <Picture
            svg={seen.picture.svg}
            label={`Picture of ${name}`}
            automata={seen.picture.automata}
            classes={(part) => {
              const spot = spotOf(part);
              return spot && now && spot.start === now.start && spot.end === now.end ? "pointed" : undefined;
            }}
            onChoose={(part) => {
              const spot = spotOf(part);
              if (spot && spot.line > 0) pointed.value = { start: spot.start, end: spot.end, from: "picture" };
            }}
          />
        ) : (
          <p class="empty">There is no picture until the text can be parsed.</p>
        )}
        {seen?.valid && <Queries />}
        {seen?.valid && <FindingsView />}
      </section>
    </div>
  );
}

function Queries() {
  const answers = useSignal<Record<string, Answer | "asked">>({});
  const own = useSignal("");
  const queries = look.value?.queries ?? [];
  const run = async (query: string) => {
    answers.value = { ...answers.value, [query]: "asked" };
    const answer = await attempt(() => ask<Answer>("query", { ...subject(), query }));
    const next = { ...answers.value };
    if (answer) next[query] = answer;
    else delete next[query];
    answers.value = next;
  };
  const extra = Object.keys(answers.value).filter((query) => !queries.some((one) => one.text === query));
  const all = [...queries, ...extra.map((text) => ({ text, comment: null, line: 0, start: 0, game: false }))];
  return (
    <div class="queries">
      <h3>Queries</h3>
      {all.length === 0 && <p class="empty">The model has no queries; ask one below.</p>}
      <ul>
        {all.map((query) => (
          <li key={query.text}>
            <div class="query">
              <button type="button" disabled={answers.value[query.text] === "asked"} onClick={() => void run(query.text)}>
                Run
              </button>
              <div>
                <code>{query.text}</code>
                {query.comment && <p class="comment">{query.comment}</p>}
                <Answered answer={answers.value[query.text]} />
              </div>
            </div>
          </li>
        ))}
      </ul>
      <form
        class="ask"
        onSubmit={(event) => {
          event.preventDefault();
          if (own.value.trim()) void run(own.value.trim());
        }}
      >
        <label for="query">Ask</label>
        <input
          id="query"
          value={own.value}
          placeholder="E<> … , A[] … or control: A<> …"
          onInput={(event) => (own.value = event.currentTarget.value)}
          spellcheck={false}
        />
        <button type="submit">Run</button>
      </form>
    </div>
  );
}

function Answered({ answer }: { answer: Answer | "asked" | undefined }) {
  if (!answer) return null;
  if (answer === "asked") return <p class="status">running …</p>;
  const word = answer.holds === null ? "unknown" : answer.holds ? "holds" : "does not hold";
  const look = answer.holds === null ? "open" : answer.holds ? "good" : "bad";
  const states = answer.stats?.visited ?? answer.stats?.states;
  return (
    <div class="answer" role="status">
      <span class={`status ${look}`}>{word}</span>
      {answer.rank && (
        <span class="detail">
          rank ({answer.rank.losses}, {answer.rank.steps})
        </span>
      )}
      {states !== undefined && <span class="detail">{states} states</span>}
      {answer.reason && <span class="detail">{answer.reason}</span>}
      {answer.trace && answer.trace.length > 0 && (
        <button type="button" class="quiet" onClick={() => play(answer.trace ?? [])}>
          Play the {answer.kind === "game" ? "intended run" : answer.holds ? "witness" : "counterexample"}
        </button>
      )}
      {answer.luck?.map((one, index) => (
        <p class="detail" key={index}>
          at {one.at}: needs the system {one.hoped ? `to answer ${one.hoped}` : `not to answer ${one.feared.join(", ")}`}
        </p>
      ))}
    </div>
  );
}
