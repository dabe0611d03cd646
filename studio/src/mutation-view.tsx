// The kill matrix of a mutation campaign as a heat map: a row for each mutant, of which only the visible ones are drawn.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { ask, Mutation } from "./api";
import { useLive } from "./live";
import { reasonOf } from "./state";

const HEIGHT = 28;
const KINDS = [
  ["kill", "killed"],
  ["pass", "passed"],
  ["open", "no run passed"],
  ["error", "error"],
  ["none", "not run"],
];

function kindOf([runs, passed, errors, kill]: Mutation["rows"][number]["cells"][number]): string {
  return kill ? "kill" : errors ? "error" : runs === 0 ? "none" : passed > 0 ? "pass" : "open";
}

/** Stands for a journal that is not there yet, or says why it cannot be shown. */
export function Unread({ name, reason }: { name: string; reason: string | null }) {
  if (reason === null) return <p class="empty">Reading the journal …</p>;
  return (
    <p class="empty status bad" role="alert">
      {name} cannot be shown: {reason}
    </p>
  );
}

export function MutationView({ name }: { name: string }) {
  const data = useSignal<Mutation | null>(null);
  const survivors = useSignal(false);
  const at = useSignal<[number, number]>([0, 0]);
  const top = useSignal(0);
  const view = useSignal(600);
  const host = useRef<HTMLDivElement>(null);
  const unread = useSignal<string | null>(null);
  const load = async () => {
    try {
      data.value = await ask<Mutation>("mutation", { name });
      unread.value = null;
    } catch (error) {
      unread.value = reasonOf(error);
    }
  };
  useEffect(() => void load(), [name]);
  useLive(name, load);
  useEffect(() => {
    const own = host.current;
    if (!own) return;
    const watch = new ResizeObserver(() => (view.value = own.clientHeight));
    watch.observe(own);
    return () => watch.disconnect();
  }, [data.value === null]);
  const all = data.value;
  if (!all) return <Unread name={name} reason={unread.value} />;
  const rows = survivors.value ? all.rows.filter((row) => !row.killed) : all.rows;
  const [line, column] = [Math.min(at.value[0], rows.length - 1), at.value[1]];
  const first = Math.max(0, Math.floor(top.value / HEIGHT) - 8);
  const last = Math.min(rows.length, first + Math.ceil(view.value / HEIGHT) + 16);
  const told = (row: Mutation["rows"][number], index: number) => {
    const [runs, passed, errors, kill] = row.cells[index];
    const outcome = kill ? `killed: ${kill}` : runs === 0 ? "not run" : `${runs} runs, ${passed} passed${errors ? `, ${errors} errors` : ""}`;
    return `${row.mutant}, ${all.cases[index]}: ${outcome}`;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Record<string, [number, number]> = {
      ArrowDown: [1, 0],
      ArrowUp: [-1, 0],
      ArrowRight: [0, 1],
      ArrowLeft: [0, -1],
      PageDown: [15, 0],
      PageUp: [-15, 0],
    };
    const move = moves[event.key];
    if (!move) return;
    const next: [number, number] = [
      Math.min(Math.max(line + move[0], 0), rows.length - 1),
      Math.min(Math.max(column + move[1], 0), all.cases.length - 1),
    ];
    at.value = next;
    const own = host.current;
    if (own) {
      const from = next[0] * HEIGHT;
      const head = own.querySelector("thead")?.clientHeight ?? 0;
      if (from < own.scrollTop) own.scrollTop = from;
      if (from + HEIGHT + head > own.scrollTop + own.clientHeight) own.scrollTop = from + HEIGHT + head - own.clientHeight;
    }
    requestAnimationFrame(() => host.current?.querySelector<HTMLElement>(".cell[tabindex='0']")?.focus());
    event.preventDefault();
  };
  return (
    <section class="pane" aria-label="Mutants">
      <header>
        <h2>{all.model}</h2>
        <span class="hint">
          {all.killed} of {all.mutants} mutants killed{all.equivalent > 0 ? `, ${all.equivalent} equivalent` : ""}
        </span>
        <span class="grow" />
        <label class="check">
          <input type="checkbox" checked={survivors.value} onChange={(event) => (survivors.value = event.currentTarget.checked)} /> only
          survivors
        </label>
      </header>
      {all.note && <p class="notice warn">{all.note}</p>}
      <ul class="heat-legend" aria-label="Colours">
        {KINDS.map(([kind, word]) => (
          <li key={kind}>
            <span class={`cell ${kind}`} aria-hidden="true" /> {word}
          </li>
        ))}
      </ul>
      <p class="detail told" role="status">
        {rows[line] ? told(rows[line], column) : "Every mutant was killed."}
      </p>
      <div
        class="scroll heat-scroll"
        ref={host}
        role="region"
        aria-label="Kill matrix"
        tabIndex={rows.length === 0 ? 0 : undefined}
        onScroll={(event) => (top.value = event.currentTarget.scrollTop)}
      >
        <table class="heat" onKeyDown={onKeyDown}>
          <thead>
            <tr>
              <th scope="col">mutant</th>
              {all.cases.map((one) => (
                <th scope="col" key={one} class="case">
                  <span title={one}>{one}</span>
                </th>
              ))}
              <th scope="col">result</th>
            </tr>
          </thead>
          <tbody>
            {first > 0 && <tr aria-hidden="true" style={{ height: `${first * HEIGHT}px` }} />}
            {rows.slice(first, last).map((row, offset) => (
              <tr key={row.mutant}>
                <th scope="row">{row.mutant}</th>
                {row.cells.map((cell, index) => (
                  <td key={index}>
                    <button
                      type="button"
                      class={`cell ${kindOf(cell)}`}
                      aria-label={told(row, index)}
                      title={told(row, index)}
                      tabIndex={first + offset === line && index === column ? 0 : -1}
                      onFocus={() => (at.value = [first + offset, index])}
                      onClick={() => (at.value = [first + offset, index])}
                    />
                  </td>
                ))}
                <td class={row.killed ? "good" : ""}>{row.killed ? "killed" : (row.status ?? "survived")}</td>
              </tr>
            ))}
            {last < rows.length && <tr aria-hidden="true" style={{ height: `${(rows.length - last) * HEIGHT}px` }} />}
          </tbody>
        </table>
      </div>
    </section>
  );
}
