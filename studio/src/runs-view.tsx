// Runs: a campaign while it runs, or any journal: results, events, diagrams, explanations, coverage and mutants.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { ask, Campaign, EventRow, Journal } from "./api";
import { Compare } from "./compare-view";
import { useLive } from "./live";
import { MutationView, Unread } from "./mutation-view";
import { Picture } from "./picture";
import { OneRun } from "./run-detail";
import { attempt, files, journal, reasonOf, refreshFiles } from "./state";
import { VirtualList } from "./virtual";

type Part = "run" | "results" | "events" | "coverage" | "compare";

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
  const plan = state.value?.plan;
  // Another page may start or stop the campaign, too.
  useEffect(() => {
    if (!plan) return;
    const timer = setInterval(
      () => {
        void ask<Campaign>("campaign").then(
          (answer) => {
            const changed = answer.state.running !== running || answer.state.started !== state.peek()?.state.started;
            state.value = answer;
            if (changed) void refreshFiles();
          },
          () => clearInterval(timer),
        );
      },
      running ? 500 : 2000,
    );
    return () => clearInterval(timer);
  }, [running, plan === null]);
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

function JournalView({ name }: { name: string }) {
  const data = useSignal<Journal | null>(null);
  const chosen = useSignal<number | null>(null);
  const part = useSignal<Part>("run");
  const onlyBad = useSignal(false);
  const unread = useSignal<string | null>(null);
  const load = async () => {
    let answer: Journal;
    try {
      answer = await ask<Journal>("journal", { name });
    } catch (error) {
      unread.value = reasonOf(error);
      return;
    }
    unread.value = null;
    data.value = answer;
    if (chosen.value === null && answer.runs.length > 0) {
      const worst = ["fail", "error", "inconclusive", "interrupted", "pass"];
      const best = worst.map((word) => answer.runs.find((run) => run[2] === word)).find((run) => run !== undefined);
      chosen.value = best ? best[0] : answer.runs[0][0];
    }
  };
  useEffect(() => void load(), [name]);
  useLive(name, load);
  const all = data.value;
  if (!all) return <Unread name={name} reason={unread.value} />;
  const lines = onlyBad.value ? all.runs.filter((run) => run[2] !== "pass") : all.runs;
  const at = lines.findIndex((run) => run[0] === chosen.value);
  const parts: [Part, string][] = [
    ["run", "Run"],
    ["results", "Results"],
    ["events", "Events"],
    ["coverage", "Coverage"],
    ["compare", "Compare"],
  ];
  return (
    <div class="panes runs-panes">
      <section class="pane" aria-label="Results">
        <header>
          <h2>{name}</h2>
          {unread.value && <span class="status bad">{unread.value}</span>}
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
        {part.value === "run" && chosen.value !== null && <OneRun name={name} run={chosen.value} shrinks={all.shrinks} />}
        {part.value === "results" && <Results journal={all} />}
        {part.value === "events" && <Events name={name} total={all.events} start={lines[at]?.[6] ?? 0} />}
        {part.value === "coverage" && <CoverageView name={name} version={all.events} />}
        {part.value === "compare" && chosen.value !== null && <Compare name={name} run={chosen.value} journal={all} />}
      </section>
    </div>
  );
}

function Results({ journal: all }: { journal: Journal }) {
  const outcomes = ["runs", "pass", "inconclusive", "fail", "error", "interrupted"];
  const cell = (word: string, count: number) => (
    <td key={word} class={count > 0 && word !== "runs" ? `number ${word}` : "number"}>
      {count}
    </td>
  );
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Results of each test case">
      <table class="results">
        <thead>
          <tr>
            <th scope="col">test case</th>
            {outcomes.map((word) => (
              <th scope="col" key={word} class="number">
                {word}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {all.table.map((line) => (
            <tr key={line.name}>
              <th scope="row">{line.name}</th>
              {outcomes.map((word) => cell(word, line.counts[word]))}
            </tr>
          ))}
          <tr class="sum">
            <th scope="row">all</th>
            {outcomes.map((word) => cell(word, all.counts[word]))}
          </tr>
        </tbody>
      </table>
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

interface Coverage {
  svg: string | null;
  shares: [string, number, number][] | null;
  missing: [string, string][] | null;
  cases: { name: string; places: [number, number]; edges: [number, number] }[];
}

function CoverageView({ name, version }: { name: string; version: number }) {
  const data = useSignal<Coverage | null>(null);
  const busy = useRef(false);
  const counted = useRef(-1);
  // Counting may take longer than the journal takes to grow.
  const count = async (now: number) => {
    if (busy.current || counted.current === now) return;
    busy.current = true;
    counted.current = now;
    const answer = await attempt(() => ask<Coverage>("journal/coverage", { name }));
    busy.current = false;
    if (answer) data.value = answer;
  };
  useEffect(() => void count(version), [name, version, data.value]);
  if (!data.value) return <p class="empty">Counting what was visited …</p>;
  return (
    <div class="coverage">
      <ul class="counts" aria-label="Covered">
        {data.value.shares?.map(([what, visited, all]) => (
          <li key={what}>
            <b>
              {visited}/{all}
            </b>{" "}
            {what}
          </li>
        ))}
      </ul>
      {data.value.svg ? (
        <Picture svg={data.value.svg} label="The model with how often each location was entered" />
      ) : (
        <p class="empty">No place of the test cases stands for one location of the model for certain.</p>
      )}
      {data.value.missing && data.value.missing.length > 0 && (
        <details>
          <summary>{data.value.missing.length} not covered</summary>
          <ul class="missing">
            {data.value.missing.map(([what, where], index) => (
              <li key={index}>
                <span class="detail">{what}</span> {where}
              </li>
            ))}
          </ul>
        </details>
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
