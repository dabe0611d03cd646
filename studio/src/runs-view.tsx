// Runs: a campaign while it runs, or any journal: results, events, diagrams, explanations, coverage and mutants.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { ask, Campaign, EventRow, Journal, Mutation, RunDetail } from "./api";
import { Picture } from "./picture";
import { attempt, files, journal, refreshFiles } from "./state";
import { VirtualList } from "./virtual";

type Part = "run" | "events" | "coverage" | "compare";

export function RunsView() {
  const all = files.value?.files ?? [];
  const journals = all.filter((file) => file.kind === "journal" || file.kind === "mutation");
  useEffect(() => {
    if (journal.value === null && journals.length > 0) journal.value = journals[0].name;
  }, [journals.length]);
  const kind = journals.find((file) => file.name === journal.value)?.kind;
  return (
    <div class="runs">
      <div class="toolbar">
        {journals.length > 0 && (
          <label>
            Journal{" "}
            <select value={journal.value ?? ""} onChange={(event) => (journal.value = event.currentTarget.value)}>
              {journals.map((file) => (
                <option key={file.name}>{file.name}</option>
              ))}
            </select>
          </label>
        )}
        <CampaignBar />
      </div>
      {journals.length === 0 && (
        <p class="empty">
          There is no journal among the given files. <code>tioga run</code> and <code>tioga mutation</code> write one; open the studio
          with it or with its folder.
        </p>
      )}
      {kind === "journal" && journal.value && <JournalView name={journal.value} key={journal.value} />}
      {kind === "mutation" && journal.value && <MutationView name={journal.value} key={journal.value} />}
    </div>
  );
}

function CampaignBar() {
  const state = useSignal<Campaign | null>(files.value?.campaign ?? null);
  const running = state.value?.state.running ?? false;
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => {
      void attempt(() => ask<Campaign>("campaign")).then((answer) => {
        if (!answer) return;
        state.value = answer;
        if (!answer.state.running) void refreshFiles();
      });
    }, 500);
    return () => clearInterval(timer);
  }, [running]);
  const plan = state.value?.plan;
  if (!plan) return null;
  const act = async (what: "start" | "stop") => {
    const answer = await attempt(() => ask<Campaign>(`campaign/${what}`));
    if (answer) state.value = answer;
    if (what === "start") {
      setTimeout(() => void refreshFiles().then(() => (journal.value = plan.journal)), 400);
    }
  };
  return (
    <div class="campaign" role="group" aria-label="Campaign">
      <span>
        {plan.suite} against <code>{plan.sut}</code>
      </span>
      {running ? (
        <button type="button" onClick={() => void act("stop")}>
          Stop
        </button>
      ) : (
        <button type="button" class="primary" onClick={() => void act("start")}>
          Run the suite
        </button>
      )}
      {state.value?.state.failure && <span class="status bad">{state.value.state.failure}</span>}
    </div>
  );
}

/** Calls back when a journal has grown, at most once a second. */
function useLive(name: string, grown: () => void) {
  const latest = useRef(grown);
  latest.current = grown;
  useEffect(() => {
    let first = true;
    let timer = 0;
    const source = new EventSource(`api/live?name=${encodeURIComponent(name)}`);
    source.onmessage = () => {
      if (first) {
        first = false;
        return;
      }
      if (!timer) {
        timer = window.setTimeout(() => {
          timer = 0;
          latest.current();
        }, 700);
      }
    };
    return () => {
      clearTimeout(timer);
      source.close();
    };
  }, [name]);
}

function JournalView({ name }: { name: string }) {
  const data = useSignal<Journal | null>(null);
  const chosen = useSignal<number | null>(null);
  const part = useSignal<Part>("run");
  const onlyBad = useSignal(false);
  const load = async () => {
    const answer = await attempt(() => ask<Journal>("journal", { name }));
    if (!answer) return;
    data.value = answer;
    if (chosen.value === null && answer.runs.length > 0) {
      const worst = ["fail", "error", "inconclusive", "interrupted", "pass"];
      const best = worst.map((word) => answer.runs.find((run) => run[2] === word)).find((run) => run !== undefined);
      chosen.value = best ? best[0] : answer.runs[0][0];
    }
  };
  useEffect(() => void load(), [name]);
  useLive(name, () => void load());
  const all = data.value;
  if (!all) return <p class="empty">Reading the journal …</p>;
  const lines = onlyBad.value ? all.runs.filter((run) => run[2] !== "pass") : all.runs;
  const at = lines.findIndex((run) => run[0] === chosen.value);
  const parts: [Part, string][] = [
    ["run", "Run"],
    ["events", "Events"],
    ["coverage", "Coverage"],
    ["compare", "Compare"],
  ];
  return (
    <div class="panes runs-panes">
      <section class="pane" aria-label="Results">
        <header>
          <h2>{name}</h2>
          <span class="hint">
            {all.system}
            {all.counts.runs < all.planned ? `, ${all.counts.runs} of ${all.planned} runs` : ""}
          </span>
        </header>
        {all.note && (
          <p class="notice warn" role="status">
            {all.note}
          </p>
        )}
        <ul class="counts" aria-label="Outcomes">
          {["pass", "inconclusive", "fail", "error", "interrupted"]
            .filter((word) => all.counts[word] > 0 || word === "pass" || word === "fail")
            .map((word) => (
              <li key={word} class={all.counts[word] > 0 ? word : ""}>
                <b>{all.counts[word]}</b> {word}
              </li>
            ))}
        </ul>
        <label class="check">
          <input type="checkbox" checked={onlyBad.value} onChange={(event) => (onlyBad.value = event.currentTarget.checked)} /> only runs that did
          not pass
        </label>
        <VirtualList
          count={lines.length}
          height={44}
          label="Runs"
          selected={at < 0 ? null : at}
          onSelect={(index) => {
            chosen.value = lines[index][0];
          }}
          row={(index) => {
            const [run, own, outcome, reason, when] = lines[index];
            return (
              <div class="run-row">
                <span class={`verdict ${outcome}`}>{outcome}</span>
                <span class="name">
                  <b>{run}</b> {own}
                </span>
                <span class="time">{when ?? ""}</span>
                <span class="reason">{reason}</span>
              </div>
            );
          }}
        />
      </section>
      <section class="pane" aria-label="Details">
        <header>
          <div class="switch" role="group" aria-label="Part">
            {parts.map(([one, title]) => (
              <button type="button" key={one} aria-pressed={part.value === one} onClick={() => (part.value = one)}>
                {title}
              </button>
            ))}
          </div>
        </header>
        {part.value === "run" && chosen.value !== null && <OneRun name={name} run={chosen.value} />}
        {part.value === "events" && <Events name={name} total={all.events} start={lines[at]?.[6] ?? 0} />}
        {part.value === "coverage" && <CoverageView name={name} version={all.events} />}
        {part.value === "compare" && chosen.value !== null && <Compare name={name} run={chosen.value} journal={all} />}
      </section>
    </div>
  );
}

function useRun(name: string, run: number) {
  const detail = useSignal<RunDetail | null>(null);
  useEffect(() => {
    let gone = false;
    void attempt(() => ask<RunDetail>("journal/run", { name, run })).then((answer) => {
      if (answer && !gone) detail.value = answer;
    });
    return () => {
      gone = true;
    };
  }, [name, run]);
  return detail.value;
}

function OneRun({ name, run }: { name: string; run: number }) {
  const detail = useRun(name, run);
  if (!detail) return <p class="empty">Explaining the run …</p>;
  return (
    <div class="one-run">
      <h2>
        run {detail.run} of {detail.case} <span class={`verdict ${detail.outcome}`}>{detail.outcome}</span>
      </h2>
      <dl class="facts">
        {detail.purpose && (
          <>
            <dt>purpose</dt>
            <dd>{detail.purpose}</dd>
          </>
        )}
        <dt>reason</dt>
        <dd>{detail.reason}</dd>
        <dt>explanation</dt>
        <dd>{detail.message}</dd>
        {detail.expected && detail.expected.length > 0 && (
          <>
            <dt>expected</dt>
            <dd>
              {detail.expected.map((one) => (
                <div key={one}>{one}</div>
              ))}
            </dd>
          </>
        )}
      </dl>
      <Picture svg={detail.svg} label={`Sequence of run ${detail.run}: ${detail.outcome}`} />
    </div>
  );
}

function Events({ name, total, start }: { name: string; total: number; start: number }) {
  // Pages of events as they come; the signal only says that there are more.
  const pages = useRef(new Map<number, EventRow[]>());
  const come = useSignal(0);
  const asked = useRef(new Set<number>());
  const PAGE = 200;
  const need = (from: number, to: number) => {
    for (let page = Math.floor(from / PAGE); page <= Math.floor(Math.max(to - 1, 0) / PAGE); page++) {
      if (asked.current.has(page)) continue;
      asked.current.add(page);
      const body = { name, from: page * PAGE, count: PAGE };
      void attempt(() => ask<{ events: EventRow[] }>("journal/events", body)).then((answer) => {
        if (answer) pages.current.set(page, answer.events);
        else asked.current.delete(page);
        come.value += 1;
      });
    }
  };
  // A journal that grows has more on what was its last page.
  const before = useRef(total);
  if (before.current !== total) {
    asked.current.delete(Math.floor(Math.max(before.current - 1, 0) / PAGE));
    before.current = total;
  }
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const list = host.current?.querySelector<HTMLElement>(".virtual");
    if (list) list.scrollTop = start * 24;
  }, [start]);
  return (
    <div class="events" ref={host}>
      <p class="detail">{total.toLocaleString("en")} events</p>
      <VirtualList
        count={total}
        height={24}
        label="Events"
        onRange={need}
        row={(index) => {
          const row = come.value >= 0 ? pages.current.get(Math.floor(index / PAGE))?.[index % PAGE] : undefined;
          if (!row) return <div class="event-row">…</div>;
          return (
            <div class={`event-row ${row[1]}`}>
              <span class="number">{row[0]}</span>
              <span class="time">{row[2] ?? ""}</span>
              <span class="what">{row[3]}</span>
            </div>
          );
        }}
      />
    </div>
  );
}

function CoverageView({ name, version }: { name: string; version: number }) {
  const data = useSignal<{ svg: string | null; cases: { name: string; places: [number, number]; edges: [number, number] }[] } | null>(null);
  useEffect(() => {
    void attempt(() => ask<NonNullable<typeof data.value>>("journal/coverage", { name })).then((answer) => {
      if (answer) data.value = answer;
    });
  }, [name, version]);
  if (!data.value) return <p class="empty">Counting what was visited …</p>;
  return (
    <div class="coverage">
      {data.value.svg ? (
        <Picture svg={data.value.svg} label="The model with how often each location was entered" />
      ) : (
        <p class="empty">No place of the test cases stands for one location of the model for certain.</p>
      )}
      <table>
        <thead>
          <tr>
            <th scope="col">test case</th>
            <th scope="col">places</th>
            <th scope="col">edges</th>
          </tr>
        </thead>
        <tbody>
          {data.value.cases.map((one) => (
            <tr key={one.name}>
              <td>{one.name}</td>
              <td>{one.places.join(" of ")}</td>
              <td>{one.edges.join(" of ")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Compare({ name, run, journal: own }: { name: string; run: number; journal: Journal }) {
  const journals = files.value?.files.filter((file) => file.kind === "journal") ?? [];
  const other = useSignal(name);
  const second = useSignal(own.runs.find((one) => one[0] !== run)?.[0] ?? run);
  const data = useSignal<{ left: string[]; right: string[]; differ: number | null } | null>(null);
  useEffect(() => {
    data.value = null;
    const body = { name, run, other: other.value, other_run: second.value };
    void attempt(() => ask<NonNullable<typeof data.value>>("journal/compare", body)).then((answer) => {
      if (answer) data.value = answer;
    });
  }, [name, run, other.value, second.value]);
  const both = data.value;
  const lines = both ? Array.from({ length: Math.min(Math.max(both.left.length, both.right.length), 2000) }, (_, index) => index) : [];
  return (
    <div class="compare">
      <div class="fields">
        <span>
          run {run} of {name} with
        </span>
        <label>
          run{" "}
          <input type="number" min="0" value={second.value} onChange={(event) => (second.value = Number(event.currentTarget.value))} />
        </label>
        <label>
          of{" "}
          <select value={other.value} onChange={(event) => (other.value = event.currentTarget.value)}>
            {journals.map((file) => (
              <option key={file.name}>{file.name}</option>
            ))}
          </select>
        </label>
      </div>
      {both && (
        <p class="status" role="status">
          {both.differ === null ? "The two runs are the same." : `The first difference is at event ${both.differ + 1}.`}
        </p>
      )}
      {both && (
        <div class="scroll" tabIndex={0} role="region" aria-label="Two runs side by side">
          <table class="two">
            <thead>
              <tr>
                <th scope="col">run {run}</th>
                <th scope="col">
                  run {second.value}
                  {other.value !== name ? ` of ${other.value}` : ""}
                </th>
              </tr>
            </thead>
            <tbody>
              {lines.map((index) => (
                <tr key={index} class={index === both.differ ? "differ" : both.left[index] === both.right[index] ? "" : "other"}>
                  <td>{both.left[index] ?? ""}</td>
                  <td>{both.right[index] ?? ""}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}

function MutationView({ name }: { name: string }) {
  const data = useSignal<Mutation | null>(null);
  const chosen = useSignal<string | null>(null);
  const load = () =>
    void attempt(() => ask<Mutation>("mutation", { name })).then((answer) => {
      if (answer) data.value = answer;
    });
  useEffect(load, [name]);
  useLive(name, load);
  const all = data.value;
  if (!all) return <p class="empty">Reading the journal …</p>;
  return (
    <section class="pane" aria-label="Mutants">
      <header>
        <h2>{all.model}</h2>
        <span class="hint">
          {all.killed} of {all.mutants} mutants killed{all.equivalent > 0 ? `, ${all.equivalent} equivalent` : ""}
        </span>
      </header>
      {all.note && <p class="notice warn">{all.note}</p>}
      <p class="detail" role="status">
        {chosen.value ?? "Choose a cell to see why its mutant failed."}
      </p>
      <div class="scroll heat-scroll" tabIndex={0} role="region" aria-label="Kill matrix">
        <table class="heat">
          <thead>
            <tr>
              <th scope="col">mutant</th>
              {all.cases.map((one) => (
                <th scope="col" key={one} class="case">
                  <span>{one}</span>
                </th>
              ))}
              <th scope="col">result</th>
            </tr>
          </thead>
          <tbody>
            {all.rows.map((row) => (
              <tr key={row.mutant}>
                <th scope="row">{row.mutant}</th>
                {row.cells.map((cell, index) => {
                  const [runs, passed, errors, kill] = cell;
                  const kind = kill ? "kill" : errors ? "error" : runs === 0 ? "none" : passed > 0 ? "pass" : "open";
                  const told = `${row.mutant}, ${all.cases[index]}: ${kill ? `killed: ${kill}` : `${runs} runs, ${passed} passed${errors ? `, ${errors} errors` : ""}`}`;
                  return (
                    <td key={index}>
                      <button type="button" class={`cell ${kind}`} aria-label={told} title={told} onClick={() => (chosen.value = told)} />
                    </td>
                  );
                })}
                <td class={row.killed ? "good" : ""}>{row.killed ? "killed" : (row.status ?? "survived")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
