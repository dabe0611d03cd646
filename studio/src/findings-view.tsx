// What `tioga check` finds: what will hurt testing, assumptions and properties, with the runs that refute them.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ask, Findings } from "./api";
import { attempt, model, play, pointed, subject, text } from "./state";

export function FindingsView() {
  const found = useSignal<Findings | "asked" | null>(null);
  // What was found is about the text as it was.
  useEffect(() => {
    found.value = null;
  }, [text.value]);
  const check = async () => {
    found.value = "asked";
    found.value = (await attempt(() => ask<Findings>("check", subject()))) ?? null;
  };
  const all = found.value;
  return (
    <div class="findings">
      <div class="toolbar">
        <h3>Check</h3>
        <button type="button" disabled={all === "asked"} onClick={() => void check()}>
          {all === "asked" ? "Checking …" : "Check the model"}
        </button>
        <span class="hint">what will hurt testing, and what testing relies on</span>
      </div>
      {all && all !== "asked" && <Found all={all} />}
    </div>
  );
}

function Found({ all }: { all: Findings }) {
  const reach = all.reachability;
  const states = reach?.visited !== undefined ? ` (${reach.visited} states${reach.complete ? "" : `, no further: ${reach.reason}`})` : "";
  const obstacles = all.obstacles;
  return (
    <div role="status">
      {obstacles === null && <p class="status open">What will hurt testing is unknown: {reach?.reason}</p>}
      {obstacles?.length === 0 && <p class="status good">Nothing found that will hurt testing{states}</p>}
      {obstacles && obstacles.length > 0 && (
        <>
          <p class="status bad">
            {obstacles.length} {obstacles.length === 1 ? "thing" : "things"} will hurt testing{states}
          </p>
          <ul class="obstacles">
            {obstacles.map((one, index) => (
              <li key={index}>
                <p>
                  <b>{one.name}</b>: {one.message}
                </p>
                <p class="detail">{one.advice}</p>
                <PlayButton trace={one.trace} what={one.name} />
              </li>
            ))}
          </ul>
        </>
      )}
      <table class="properties">
        <thead>
          <tr>
            <th scope="col">property</th>
            <th scope="col">verdict</th>
            <th scope="col">why</th>
          </tr>
        </thead>
        <tbody>
          {all.assumptions?.map((one) => (
            <tr key={one.assumption}>
              <td>{one.assumption}</td>
              <Verdict word={one.verdict} />
              <td>
                {one.reason ?? ""} <PlayButton trace={one.trace && [...one.trace, ...(one.turn ?? [])]} what={one.assumption} />
              </td>
            </tr>
          ))}
          {all.properties
            .filter((one) => one.verdict !== "not applicable")
            .map((one, index) => (
              <tr key={index}>
                <td title={one.meaning}>{one.property}</td>
                <Verdict word={one.verdict} />
                <td>
                  {one.about}
                  {one.reason ? `: ${one.reason}` : ""} <LineButton place={one.witness?.places[0]} />
                </td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}

function Verdict({ word }: { word: string }) {
  const look = word === "yes" ? "good" : word === "no" ? "bad" : "open";
  return (
    <td>
      <span class={`status ${look}`} title={word}>
        {word === "not applicable" ? "–" : word}
      </span>
    </td>
  );
}

function PlayButton({ trace, what }: { trace: unknown[] | null | undefined; what: string }) {
  if (!trace || trace.length === 0) return null;
  return (
    <button type="button" class="quiet" aria-label={`Play the run that shows ${what}`} onClick={() => play(trace)}>
      Play the run
    </button>
  );
}

function LineButton({ place }: { place: { file: string; line: number; start: number; end: number } | undefined }) {
  if (!place || place.file !== model.value?.name) return null;
  return (
    <button type="button" class="quiet" onClick={() => (pointed.value = { start: place.start, end: place.end, from: "picture" })}>
      Line {place.line}
    </button>
  );
}
