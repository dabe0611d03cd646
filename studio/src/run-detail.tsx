// One run: what it means, its diagrams, and the shortest run that fails in the same way.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ask, RunDetail, Shrunk } from "./api";
import { Picture } from "./picture";
import { attempt, files } from "./state";

type Form = "timing" | "sequence" | "text";

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

export function OneRun({ name, run, shrinks }: { name: string; run: number; shrinks: boolean }) {
  const recorded = useRun(name, run);
  const form = useSignal<Form>("timing");
  const shrunk = useSignal<Shrunk | "running" | null>(null);
  const which = useSignal<"recorded" | "shrunk">("recorded");
  useEffect(() => {
    shrunk.value = null;
    which.value = "recorded";
  }, [name, run]);
  if (!recorded) return <p class="empty">Explaining the run …</p>;
  const short = shrunk.value !== "running" ? shrunk.value : null;
  const detail = which.value === "shrunk" && short?.shown ? short.shown : recorded;
  const bad = recorded.outcome === "fail" || recorded.outcome === "error";
  const shrink = async () => {
    shrunk.value = "running";
    const answer = await attempt(() => ask<Shrunk>("journal/shrink", { name, run }));
    shrunk.value = answer ?? null;
    if (answer?.shown) which.value = "shrunk";
  };
  return (
    <div class="one-run">
      <div class="toolbar">
        <h2>
          run {recorded.run} of {recorded.case} <span class={`verdict ${recorded.outcome}`}>{recorded.outcome}</span>
        </h2>
        <span class="grow" />
        {bad && (shrinks || files.value?.sut) && (
          <button type="button" disabled={shrunk.value === "running"} onClick={() => void shrink()}>
            {shrunk.value === "running" ? "Shrinking …" : "Shrink"}
          </button>
        )}
        {short?.shown && (
          <div class="switch" role="group" aria-label="Which run">
            {(["recorded", "shrunk"] as const).map((one) => (
              <button type="button" key={one} aria-pressed={which.value === one} onClick={() => (which.value = one)}>
                {one}
              </button>
            ))}
          </div>
        )}
      </div>
      {bad && !shrinks && !files.value?.sut && (
        <p class="detail">
          Shrinking runs the system: start the studio with <code>--sut</code> to shrink this run.
        </p>
      )}
      {short && (
        <p class="notice" role="status">
          {short.shown && short.inputs === short.inputs_before
            ? `No run with fewer inputs fails in the same way (${short.attempts} attempts).`
            : short.shown
            ? `Shrunk from ${short.inputs_before} to ${short.inputs} inputs in ${short.attempts} attempts` +
              (short.again.tries > 0 ? `; made again ${short.again.tries} times, it failed ${short.again.failed} times.` : ".") +
              (short.complete ? "" : " There may be a shorter run.")
            : "The run did not fail in this way again. What the system does may depend on chance, or on what it did before."}
        </p>
      )}
      <dl class="facts">
        {detail.purpose && (
          <>
            <dt>purpose</dt>
            <dd>{detail.purpose}</dd>
          </>
        )}
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
      <div class="toolbar">
        <div class="switch" role="group" aria-label="Diagram">
          {(["timing", "sequence", "text"] as const).map((one) => (
            <button type="button" key={one} aria-pressed={form.value === one} onClick={() => (form.value = one)}>
              {one}
            </button>
          ))}
        </div>
        {form.value === "timing" && <span class="hint">When each output was expected is shaded; the verdict is the line.</span>}
      </div>
      {form.value === "timing" && <Picture svg={detail.timing} label={`Timing of run ${recorded.run}: ${detail.outcome}`} />}
      {form.value === "sequence" && <Picture svg={detail.svg} label={`Sequence of run ${recorded.run}: ${detail.outcome}`} />}
      {form.value === "text" && (
        <pre class="text" tabIndex={0}>
          {detail.text}
        </pre>
      )}
    </div>
  );
}
