// Test cases: the suite as a list, and each test case as picture and text.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ask, CaseLine } from "./api";
import { Picture } from "./picture";
import { attempt, files, reasonOf, suite } from "./state";

interface Certified {
  name: string;
  right: boolean | null;
  reason: string;
}

export function CasesView() {
  const lines = useSignal<CaseLine[]>([]);
  const chosen = useSignal(0);
  const detail = useSignal<{ svg: string; text: string; summary: CaseLine } | null>(null);
  const certificates = useSignal<Certified[] | "checking" | null>(null);
  const form = useSignal<"picture" | "text">("picture");
  const unread = useSignal<string | null>(null);
  const suites = files.value?.files.filter((file) => file.kind === "suite") ?? [];

  useEffect(() => {
    if (suite.value === null && suites.length > 0) suite.value = suites[0].name;
  }, [suites.length]);
  useEffect(() => {
    const name = suite.value;
    lines.value = [];
    detail.value = null;
    certificates.value = null;
    unread.value = null;
    if (!name) return;
    void ask<{ cases: CaseLine[] }>("suite", { name }).then(
      (answer) => {
        // Another suite may have been chosen meanwhile.
        if (suite.peek() !== name) return;
        lines.value = answer.cases;
        chosen.value = 0;
        void show(0);
      },
      (error: unknown) => {
        if (suite.peek() === name) unread.value = reasonOf(error);
      },
    );
  }, [suite.value]);
  const show = async (index: number) => {
    chosen.value = index;
    const name = suite.peek();
    if (!name) return;
    const answer = await attempt(() => ask<typeof detail.value>("suite/case", { name, case: index }));
    if (answer && suite.peek() === name && chosen.peek() === index) detail.value = answer;
  };
  const certify = async () => {
    certificates.value = "checking";
    const name = suite.value;
    const answer = await attempt(() => ask<{ certified: Certified[] }>("suite/certify", { name }));
    if (suite.peek() === name) certificates.value = answer?.certified ?? null;
  };

  if (suites.length === 0) {
    return (
      <p class="empty">
        There is no suite among the given files. <code>tioga synth MODEL -o suite.json</code> writes one; open the studio with it or
        with its folder.
      </p>
    );
  }
  const known = Array.isArray(certificates.value) ? certificates.value : [];
  return (
    <div class="panes cases-panes">
      <section class="pane" aria-label="Suite">
        <header>
          <label class="grow">
            Suite{" "}
            <select value={suite.value ?? ""} onChange={(event) => (suite.value = event.currentTarget.value)}>
              {suites.map((file) => (
                <option key={file.name}>{file.name}</option>
              ))}
            </select>
          </label>
          <button type="button" disabled={certificates.value === "checking"} onClick={() => void certify()}>
            {certificates.value === "checking" ? "Checking …" : "Certify"}
          </button>
        </header>
        {unread.value && (
          <p class="status bad" role="alert">
            {suite.value} cannot be shown: {unread.value}
          </p>
        )}
        <div class="scroll" tabIndex={0} role="region" aria-label="Test cases">
          <table class="cases">
            <thead>
              <tr>
                <th scope="col">test case, purpose</th>
                <th scope="col">rank</th>
                <th scope="col">cooperation</th>
                <th scope="col">verdicts</th>
                <th scope="col">certificate</th>
              </tr>
            </thead>
            <tbody>
              {lines.value.map((line, index) => {
                const own = known.find((one) => one.name === line.name);
                return (
                  <tr key={line.name} class={index === chosen.value ? "chosen" : ""}>
                    <td>
                      <button type="button" class="plain" aria-pressed={index === chosen.value} onClick={() => void show(index)}>
                        {line.name}
                      </button>
                      <span class="detail">{line.purpose}</span>
                    </td>
                    <td>
                      ({line.rank.losses}, {line.rank.steps})
                    </td>
                    <td title={line.luck.join("\n")}>
                      {line.luck.length === 0 ? "none" : line.luck.length === 1 ? "1 place" : `${line.luck.length} places`}
                    </td>
                    <td>{line.exact ? "exact" : "approximate"}</td>
                    <td>
                      {own ? (
                        <span class={`status ${own.right === null ? "open" : own.right ? "good" : "bad"}`} title={own.reason}>
                          {own.right === null ? "unknown" : own.right ? "right" : "wrong"}
                        </span>
                      ) : (
                        <span class="detail" title="not checked yet">–</span>
                      )}
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      </section>
      <section class="pane" aria-label="Test case">
        {detail.value && (
          <>
            <header>
              <h2>{detail.value.summary.name}</h2>
              <span class="hint">
                {detail.value.summary.shape}, {detail.value.summary.places} places
                {detail.value.summary.may_be_inconclusive ? ", may be inconclusive" : ", never inconclusive"}
              </span>
              <span class="grow" />
              <div class="switch" role="group" aria-label="Form">
                {(["picture", "text"] as const).map((one) => (
                  <button type="button" key={one} aria-pressed={form.value === one} onClick={() => (form.value = one)}>
                    {one}
                  </button>
                ))}
              </div>
            </header>
            {detail.value.summary.luck.map((one) => (
              <p class="detail" key={one}>
                at {one}
              </p>
            ))}
            {detail.value.summary.approximated.map((one) => (
              <p class="detail warn" key={one}>
                approximated: {one}
              </p>
            ))}
            {form.value === "picture" ? (
              <Picture svg={detail.value.svg} label={`Test case ${detail.value.summary.name}`} />
            ) : (
              <pre class="text" tabIndex={0}>
                {detail.value.text}
              </pre>
            )}
          </>
        )}
      </section>
    </div>
  );
}
