// The state space: symbolic states that are opened one after the other.
import { batch, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { ask, StateSpace } from "./api";
import { Part, Picture } from "./picture";
import { Axes, Plot } from "./plot";
import { attempt, look, model, play, subject } from "./state";

export function StatesView() {
  // What each click opened.
  const clicks = useSignal<number[][]>([[0]]);
  const chosen = useSignal(0);
  const wanted = useSignal("");
  const axes = useSignal<[string, string] | null>(null);
  const space = useSignal<StateSpace | null>(null);
  // How many states the space was asked with.
  const opened = useSignal(0);
  const asked = useRef(0);
  const seen = look.value;

  const fetch = async () => {
    const own = ++asked.current;
    const states = clicks.value.flat();
    const body = { ...subject(), opened: states, state: chosen.value, plot: axes.value ?? undefined };
    const answer = await attempt(() => ask<StateSpace>("states", body));
    if (answer && own === asked.current) batch(() => ((space.value = answer), (opened.value = states.length)));
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
  const open = async (state: number, states = [state]) => {
    const before = clicks.value;
    const fresh = states.filter((one) => !before.some((click) => click.includes(one)));
    batch(() => {
      chosen.value = state;
      if (fresh.length > 0) clicks.value = [...before, fresh];
    });
    if (!(await fetch())) clicks.value = before;
  };
  const exists = /^\d+$/.test(wanted.value) && Number(wanted.value) < known.known;
  const undo = () => {
    if (clicks.value.length < 2) return;
    batch(() => {
      clicks.value = clicks.value.slice(0, -1);
      chosen.value = clicks.value[clicks.value.length - 1][0];
    });
    void fetch();
  };
  const now = known.states.find((one) => one.number === chosen.value);
  const detail = known.chosen?.state === chosen.value ? known.chosen : null;
  const plot = detail?.plot;
  const clocks = detail?.clocks ?? [];
  const classes = (part: Part) => {
    if (part.node === undefined) return undefined;
    const state = known.states[part.node];
    return [state?.number === chosen.value ? "current" : "", state?.steps ? "" : "closed"].join(" ").trim();
  };
  return (
    <div class="panes states-panes">
      <section class="pane" aria-label="State space">
        <header>
          <h2>{model.value?.name}</h2>
          <span class="hint" role="status">
            {known.known} states, {opened.value} opened{known.complete ? ": all there are" : ""}
          </span>
          <span class="grow" />
          <button
            type="button"
            disabled={known.next.length === 0 || known.full !== null}
            onClick={() => void open(chosen.value, known.next)}
          >
            Open {known.next.length || ""} more
          </button>
          <button type="button" disabled={clicks.value.length < 2} onClick={undo}>
            Undo
          </button>
          <button
            type="button"
            disabled={clicks.value.length < 2}
            onClick={() => {
              batch(() => ((clicks.value = [[0]]), (chosen.value = 0)));
              void fetch();
            }}
          >
            Start again
          </button>
        </header>
        <p class="detail">Choose a state with + to open it: only then its successors are computed.</p>
        {known.states.length < known.known && (
          <form
            class="fields"
            onSubmit={(event) => {
              event.preventDefault();
              if (exists) go(Number(wanted.value));
            }}
          >
            <span>
              The {known.states.length} states nearest to state {known.chosen?.state ?? 0} are shown,{" "}
              {known.known - known.states.length} are not. Choose a state to see those around it.
            </span>
            <span class="together">
              <label>
                State{" "}
                <input
                  type="number"
                  min="0"
                  max={known.known - 1}
                  value={wanted.value}
                  onInput={(event) => (wanted.value = event.currentTarget.value)}
                />
              </label>
              <button type="submit" disabled={!exists}>
                Show
              </button>
            </span>
          </form>
        )}
        {known.full !== null && (
          <p class="status bad">
            The studio keeps at most {known.full} states. Successors beyond them are left out; <code>tioga reach</code> searches
            further.
          </p>
        )}
        <Picture
          svg={known.svg}
          label="The states found so far"
          word="state"
          chooses="nodes"
          classes={classes}
          keys={known.states.map((one) => one.number)}
          current={known.states.findIndex((one) => one.number === chosen.value)}
          onChoose={(part) => {
            const state = part.node === undefined ? undefined : known.states[part.node];
            if (state) void open(state.number);
          }}
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
                <Axes
                  clocks={clocks}
                  x={plot.x}
                  y={plot.y ?? ""}
                  onAxes={(next) => {
                    axes.value = next;
                    void fetch();
                  }}
                />
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
                    to state {step.target}: {step.name}
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
