// The state space: symbolic states that are opened one after the other.
import { batch, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { ask, StateSpace } from "./api";
import { Part, Picture } from "./picture";
import { Plot } from "./plot";
import { attempt, look, model, play, subject } from "./state";

export function StatesView() {
  const opened = useSignal<number[]>([0]);
  const chosen = useSignal(0);
  const axes = useSignal<[string, string] | null>(null);
  const space = useSignal<StateSpace | null>(null);
  const asked = useRef(0);
  const seen = look.value;

  const fetch = async () => {
    const own = ++asked.current;
    const body = { ...subject(), opened: opened.value, state: chosen.value, plot: axes.value ?? undefined };
    const answer = await attempt(() => ask<StateSpace>("states", body));
    if (answer && own === asked.current) space.value = answer;
    return answer !== undefined;
  };
  useEffect(() => {
    if (seen?.valid) void fetch();
  }, [seen?.valid]);
  if (seen && !seen.valid) return <p class="empty">The model has errors; the state space needs a well-formed one.</p>;

  const known = space.value;
  if (!known) return <p class="empty">Computing the first state …</p>;
  const go = (state: number) => {
    chosen.value = state;
    void fetch();
  };
  const open = async (state: number) => {
    const before = opened.value;
    batch(() => {
      chosen.value = state;
      if (!before.includes(state)) opened.value = [...before, state];
    });
    if (!(await fetch())) opened.value = before;
  };
  const undo = () => {
    if (opened.value.length < 2) return;
    batch(() => {
      opened.value = opened.value.slice(0, -1);
      chosen.value = opened.value[opened.value.length - 1];
    });
    void fetch();
  };
  const now = known.states[chosen.value];
  const detail = known.chosen?.state === chosen.value ? known.chosen : null;
  const plot = detail?.plot;
  const clocks = detail?.clocks ?? [];
  const classes = (part: Part) => {
    if (part.node === undefined) return undefined;
    return [part.node === chosen.value ? "current" : "", known.states[part.node]?.steps ? "" : "closed"].join(" ").trim();
  };
  return (
    <div class="panes states-panes">
      <section class="pane" aria-label="State space">
        <header>
          <h2>{model.value?.name}</h2>
          <span class="hint" role="status">
            {known.states.length} states, {opened.value.length} opened{known.complete ? ": all there are" : ""}
            {known.full ? "; no more are shown" : ""}
          </span>
          <span class="grow" />
          <button type="button" disabled={opened.value.length < 2} onClick={undo}>
            Undo
          </button>
          <button
            type="button"
            disabled={opened.value.length < 2}
            onClick={() => {
              batch(() => ((opened.value = [0]), (chosen.value = 0)));
              void fetch();
            }}
          >
            Start again
          </button>
        </header>
        <p class="detail">Choose a state with + to open it: only then its successors are computed.</p>
        <Picture
          svg={known.svg}
          label="The states found so far"
          word="state"
          chooses="nodes"
          classes={classes}
          onChoose={(part) => part.node !== undefined && void open(part.node)}
        />
      </section>
      <section class="pane" aria-label="Chosen state">
        <header>
          <h2>State {chosen.value}</h2>
          <span class="grow" />
          {detail?.trace && detail.trace.length > 0 && (
            <button type="button" onClick={() => play(detail.trace ?? [])}>
              Play a run to this state
            </button>
          )}
        </header>
        {now && (
          <>
            <ul class="places">
              {now.name.split(", ").map((one) => (
                <li key={one}>
                  <code>{one}</code>
                </li>
              ))}
            </ul>
            <h3>Zone</h3>
            <code class="zone-text">{now.zone}</code>
            {clocks.length > 2 && plot && (
              <div class="fields">
                <label>
                  x{" "}
                  <select
                    value={plot.x}
                    onChange={(event) => {
                      axes.value = [event.currentTarget.value, plot.y ?? ""];
                      void fetch();
                    }}
                  >
                    {clocks.map((one) => (
                      <option key={one}>{one}</option>
                    ))}
                  </select>
                </label>
                <label>
                  y{" "}
                  <select
                    value={plot.y ?? ""}
                    onChange={(event) => {
                      axes.value = [plot.x, event.currentTarget.value];
                      void fetch();
                    }}
                  >
                    {clocks
                      .filter((one) => one !== plot.x)
                      .map((one) => (
                        <option key={one}>{one}</option>
                      ))}
                  </select>
                </label>
              </div>
            )}
            {plot && (
              <Plot
                x={plot.x}
                y={plot.y}
                limit={plot.limit}
                layers={[{ name: "valuations of this state", polygons: plot.polygons, className: "zone-area" }]}
                label={`Zone over ${plot.x}${plot.y ? ` and ${plot.y}` : ""}: ${now.zone}`}
              />
            )}
            <h3>Steps</h3>
            {!now.steps && (
              <p>
                <button type="button" class="primary" onClick={() => void open(chosen.value)}>
                  Open this state
                </button>
              </p>
            )}
            {now.steps?.length === 0 && <p class="status bad">No step leads on.</p>}
            <ul class="steps">
              {now.steps?.map((step, index) => (
                <li key={index}>
                  <button type="button" class={`move ${step.kind}`} title={step.edges} onClick={() => go(step.target)}>
                    {step.action}
                  </button>
                  <span class="detail">
                    to state {step.target}: {known.states[step.target]?.name}
                  </span>
                </li>
              ))}
            </ul>
          </>
        )}
      </section>
    </div>
  );
}
