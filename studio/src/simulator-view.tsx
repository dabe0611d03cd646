// The simulator: what can happen next and when, the state, its zone, and the run so far.
import { batch, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { ask, Choice, Interval, Simulation, value } from "./api";
import { compare, contains, Fraction, fraction, parse, readable, written } from "./fraction";
import { Part, Picture } from "./picture";
import { Axes, Plot } from "./plot";
import { attempt, download, files, look, model, records, rows, shown, subject, text } from "./state";

export function SimulatorView() {
  const now = useSignal<Simulation | null>(null);
  const axes = useSignal<[string, string] | null>(null);
  const seed = useSignal(0);
  const asked = useRef(0);

  const fetch = async (more: object = {}) => {
    const own = ++asked.current;
    const applied = records.peek().slice(0, shown.peek());
    const answer = await attempt(() =>
      ask<Simulation>("simulate", { ...subject(), records: applied, plot: axes.peek() ?? undefined, ...more }),
    );
    if (answer && own === asked.current) now.value = answer;
    return answer;
  };

  // A run that was put here from elsewhere is followed once as a whole, for its rows.
  const key = `${model.value?.name} ${text.value.length}`;
  useEffect(() => {
    void (async () => {
      const all = records.peek();
      if (all.length > 0 && rows.peek().length !== all.length) {
        const whole = await attempt(() => ask<Simulation>("simulate", { ...subject(), records: all }));
        rows.value = whole?.rows ?? [];
        if (!whole) batch(() => ((records.value = []), (shown.value = 0)));
      }
      await fetch();
    })();
  }, [key]);

  const goTo = (position: number) => {
    shown.value = Math.min(Math.max(position, 0), records.value.length);
    void fetch();
  };
  const extend = async (more: unknown[]) => {
    const before = records.value.slice(0, shown.value);
    const next = [...before, ...more];
    const own = ++asked.current;
    const answer = await attempt(() =>
      ask<Simulation>("simulate", { ...subject(), records: next, plot: axes.peek() ?? undefined }),
    );
    if (answer && own === asked.current) accept(answer);
  };
  const accept = (answer: Simulation) =>
    batch(() => {
      records.value = answer.records;
      rows.value = answer.rows;
      shown.value = answer.records.length;
      now.value = answer;
    });
  const walk = async () => {
    const answer = await fetch({ walk: [10, seed.value] });
    seed.value += 1;
    if (answer) accept(answer);
  };
  const openGiven = async (name: string) => {
    const opened = await attempt(() => ask<{ text: string }>("trace", { name }));
    if (opened) await openTrace(opened.text);
  };
  const openTrace = async (contents: string) => {
    const answer = await attempt(() => ask<Simulation>("simulate", { ...subject(), trace: contents }));
    if (answer) accept(answer);
  };

  const view = now.value;
  const seen = look.value;
  if (seen && !seen.valid) return <p class="empty">The model has errors; the simulator needs a well-formed one.</p>;
  if (!view) return <p class="empty">Computing the first state …</p>;
  const at = (part: Part) => {
    const automaton = seen?.picture?.automata[part.automaton];
    if (!automaton) return undefined;
    if (part.node !== undefined) {
      const name = automaton.nodes[part.node]?.name;
      return automaton.processes.some((process) => view.state.locations[process] === name) ? "current" : undefined;
    }
    const edge = automaton.edges[part.edge ?? -1];
    const can = view.choices.some((choice) =>
      choice.spans.some(
        (span) =>
          span.start === edge?.start && span.end === edge?.end && span.edge === edge?.name && automaton.processes.includes(span.process),
      ),
    );
    return can ? "possible" : undefined;
  };
  return (
    <div class="panes simulator-panes">
      <section class="pane" aria-label="Model">
        <header>
          <h2>{model.value?.name}</h2>
          <span class="hint">Where the processes are, and which edges can be taken.</span>
        </header>
        {seen?.picture && <Picture svg={seen.picture.svg} label="The model with its current locations" classes={at} />}
        <Run onGo={goTo} onWalk={walk} onOpen={openTrace} onGiven={(name) => void openGiven(name)} text={view.text} />
      </section>
      <section class="pane" aria-label="State">
        <header>
          <h2>Next</h2>
          <span class="hint">time {view.time_text}</span>
        </header>
        <Moves view={view} onTake={(more) => void extend(more)} />
        <div class="pair">
          <State view={view} />
          <Zone
            view={view}
            axes={axes.value}
            onAxes={(next) => {
              axes.value = next;
              void fetch();
            }}
          />
        </div>
      </section>
    </div>
  );
}

/** The end of the axis of delays, and into how many parts a unit is divided. */
function scale(view: Simulation): { end: number; parts: number } {
  const ends = [...view.choices.flatMap((choice) => choice.windows), view.delays].flatMap((one: Interval) =>
    one.to === null ? [value(one.from) * 1.3] : [value(one.to)],
  );
  const largest = Math.max(1, ...ends.filter((one) => Number.isFinite(one)));
  const parts = largest <= 20 ? 20 : largest <= 400 ? 2 : 1;
  return { end: Math.ceil(largest * (view.delays.to === null ? 1.2 : 1)), parts };
}

function Moves({ view, onTake }: { view: Simulation; onTake: (records: unknown[]) => void }) {
  const delay = useSignal<Fraction>(fraction(0));
  const values = useSignal<Record<string, string>>({});
  const { end, parts } = scale(view);
  const here = JSON.stringify(view.state) + view.time;
  useEffect(() => {
    delay.value = fraction(0);
  }, [here]);
  const percent = (at: number) => `${Math.min((at / end) * 100, 100)}%`;
  const take = (choice: Choice, wanted?: Fraction) => {
    const asked = wanted ?? delay.value;
    const fits = choice.windows.some((window) => contains(window, asked));
    const chosen = fits ? asked : parse(choice.earliest);
    onTake(chosen.over === 0 ? [choice.record] : [{ delay: written(chosen) }, choice.record]);
  };
  const allowed = contains(view.delays, delay.value);
  return (
    <div class="moves">
      <div class="delay">
        <label for="delay">Delay</label>
        <input
          id="delay"
          type="range"
          min="0"
          max={end * parts}
          step="1"
          value={Math.round((delay.value.over / delay.value.under) * parts)}
          aria-valuetext={readable(delay.value)}
          onInput={(event) => (delay.value = fraction(Number(event.currentTarget.value), parts))}
        />
        <output>{readable(delay.value)}</output>
        <button
          type="button"
          disabled={!allowed || delay.value.over === 0}
          onClick={() => onTake([{ delay: written(delay.value) }])}
          title={`time may pass for ${view.delays_text}`}
        >
          Wait
        </button>
      </div>
      <ul class="choices">
        {view.choices.map((choice, index) => {
          const fits = choice.windows.some((window) => contains(window, delay.value));
          return (
            <li key={index}>
              <button
                type="button"
                class={`move ${choice.kind}`}
                title={choice.edges}
                onClick={() => take(choice)}
                aria-label={`${choice.action} after ${choice.window_text}, ${choice.edges}`}
              >
                {choice.action}
              </button>
              <div
                class="window"
                title={`possible after ${choice.window_text}; click for a moment`}
                onClick={(event) => {
                  const box = event.currentTarget.getBoundingClientRect();
                  const at = ((event.clientX - box.left) / box.width) * end;
                  take(choice, fraction(Math.round(at * parts), parts));
                }}
              >
                {choice.windows.map((window, position) => {
                  const from = value(window.from);
                  const to = window.to === null ? end : value(window.to);
                  return (
                    <span
                      key={position}
                      class={`span ${choice.kind} ${fits ? "now" : ""}`}
                      style={{ left: percent(from), width: `max(4px, ${percent(to - from)})` }}
                    />
                  );
                })}
                <span class="cursor" style={{ left: percent(delay.value.over / delay.value.under) }} />
              </div>
              <span class="window-text">{choice.window_text}</span>
            </li>
          );
        })}
        {view.awaiting.map((one) => (
          <li key={one.channel}>
            <form
              class="ask"
              onSubmit={(event) => {
                event.preventDefault();
                const given = (values.value[one.channel] ?? "").split(",").map((part) => part.trim());
                const step = { input: { channel: one.channel, values: given } };
                onTake(compare(delay.value, fraction(0)) === 0 ? [step] : [{ delay: written(delay.value) }, step]);
              }}
            >
              <label for={`values-${one.channel}`}>{one.channel}?</label>
              <input
                id={`values-${one.channel}`}
                placeholder={one.types.join(", ")}
                value={values.value[one.channel] ?? ""}
                onInput={(event) => (values.value = { ...values.value, [one.channel]: event.currentTarget.value })}
              />
              <button type="submit">Send</button>
            </form>
          </li>
        ))}
      </ul>
      {view.lock && (
        <p class="status bad">
          {view.lock === "deadlock" ? "Deadlock: no step is possible, however long the run waits." : "Timelock: no step is possible, and time cannot pass."}
        </p>
      )}
    </div>
  );
}

function State({ view }: { view: Simulation }) {
  const groups: [string, Record<string, unknown>][] = [
    ["Locations", view.state.locations],
    ["Data", view.state.data],
    ["Clocks", view.state.clocks],
  ];
  return (
    <div class="state">
      <h3>State</h3>
      {groups
        .filter(([, all]) => Object.keys(all).length > 0)
        .map(([title, all]) => (
          <table key={title}>
            <caption>{title}</caption>
            <tbody>
              {Object.entries(all).map(([name, one]) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>{typeof one === "string" && one.includes("/") ? readable(parse(one)) : String(one)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        ))}
    </div>
  );
}

function Zone({ view, axes, onAxes }: { view: Simulation; axes: [string, string] | null; onAxes: (next: [string, string]) => void }) {
  const symbolic = view.symbolic;
  if (!symbolic) return null;
  const plot = symbolic.plot;
  const clocks = symbolic.clocks ?? [];
  const [x, y] = axes ?? [plot?.x ?? "", plot?.y ?? ""];
  return (
    <div class="zone">
      <h3>Zone</h3>
      {symbolic.reason && <p class="empty">{symbolic.reason}</p>}
      {symbolic.zones?.map((zone) => (
        <code class="zone-text" key={zone}>
          {zone}
        </code>
      ))}
      {clocks.length > 2 && (
        <div class="fields">
          <Axes clocks={clocks} x={x} y={y} onAxes={onAxes} />
        </div>
      )}
      {plot && (
        <Plot
          x={plot.x}
          y={plot.y}
          limit={plot.limit}
          layers={[{ name: "reachable with the same steps", polygons: plot.polygons, className: "zone-area" }]}
          point={[value(plot.point[0]), value(plot.point[1])]}
          label={`Zone over ${plot.x}${plot.y ? ` and ${plot.y}` : ""}: ${symbolic.zones?.join(" or ")}`}
        />
      )}
    </div>
  );
}

interface RunProps {
  onGo: (at: number) => void;
  onWalk: () => void;
  onOpen: (contents: string) => void;
  onGiven: (name: string) => void;
  text: string;
}

function Run({ onGo, onWalk, onOpen, onGiven, text }: RunProps) {
  const picker = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const position = shown.value;
  const traces = files.value?.files.filter((file) => file.kind === "trace") ?? [];
  useEffect(() => {
    list.current?.querySelector(".now")?.scrollIntoView({ block: "nearest" });
  }, [position]);
  return (
    <div class="run">
      <div class="toolbar" role="group" aria-label="Run">
        <h3>Run</h3>
        <button type="button" disabled={position === 0} onClick={() => onGo(0)}>
          Start
        </button>
        <button type="button" disabled={position === 0} onClick={() => onGo(position - 1)}>
          Undo
        </button>
        <button type="button" disabled={position >= records.value.length} onClick={() => onGo(position + 1)}>
          Redo
        </button>
        <button type="button" disabled={position >= records.value.length} onClick={() => onGo(records.value.length)}>
          End
        </button>
        <span class="grow" />
        <button type="button" onClick={onWalk}>
          10 random steps
        </button>
        <button type="button" onClick={() => picker.current?.click()}>
          Open trace
        </button>
        <input
          ref={picker}
          type="file"
          hidden
          accept=".trace,.jsonl,.txt"
          aria-label="Trace file"
          onChange={(event) => {
            const file = event.currentTarget.files?.[0];
            if (file) void file.text().then(onOpen);
            event.currentTarget.value = "";
          }}
        />
        {traces.length > 0 && (
          <select
            aria-label="Given trace"
            value=""
            onChange={(event) => {
              if (event.currentTarget.value) onGiven(event.currentTarget.value);
              event.currentTarget.value = "";
            }}
          >
            <option value="">given traces …</option>
            {traces.map((file) => (
              <option key={file.name}>{file.name}</option>
            ))}
          </select>
        )}
        <button type="button" disabled={records.value.length === 0} onClick={() => download("run.trace", text)}>
          Save trace
        </button>
      </div>
      {records.value.length === 0 ? (
        <p class="empty">
          The run begins here. Take a step on the right{traces.length > 0 ? ", or open a trace" : ""}.
        </p>
      ) : (
        <ol class="trace" ref={list}>
          {rows.value.map((row, index) => (
            <li key={index} class={index + 1 === position ? "now" : index >= position ? "later" : ""}>
              <button type="button" class="plain" onClick={() => onGo(index + 1)} aria-current={index + 1 === position ? "step" : undefined}>
                <span class="time">{row.time}</span>
                <span class={`what ${row.kind}`}>{row.what}</span>
                <span class="edges">{row.edges}</span>
              </button>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
