// Two runs side by side: their timing diagrams, and their events with the first difference.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ask, Journal } from "./api";
import { Picture } from "./picture";
import { attempt, files } from "./state";

interface Compared {
  left: string[];
  right: string[];
  differ: number | null;
  timings: [string, string];
}

export function Compare({ name, run, journal: own }: { name: string; run: number; journal: Journal }) {
  const journals = files.value?.files.filter((file) => file.kind === "journal") ?? [];
  const other = useSignal(name);
  const second = useSignal(own.runs.find((one) => one[0] !== run)?.[0] ?? run);
  const data = useSignal<Compared | null>(null);
  useEffect(() => {
    let gone = false;
    data.value = null;
    const body = { name, run, other: other.value, other_run: second.value };
    void attempt(() => ask<Compared>("journal/compare", body)).then((answer) => {
      if (answer && !gone) data.value = answer;
    });
    return () => {
      gone = true;
    };
  }, [name, run, other.value, second.value]);
  const form = useSignal<"timing" | "events">("timing");
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
      <div class="switch" role="group" aria-label="Form">
        {(["timing", "events"] as const).map((one) => (
          <button type="button" key={one} aria-pressed={form.value === one} onClick={() => (form.value = one)}>
            {one}
          </button>
        ))}
      </div>
      {both && form.value === "timing" && (
        <div class="timings">
          {both.timings.map((svg, index) => (
            <Picture key={index} svg={svg} label={`Timing of run ${index === 0 ? run : second.value}`} />
          ))}
        </div>
      )}
      {both && form.value === "events" && (
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
