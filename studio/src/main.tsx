// The page: which file is open, and the views of it.
import { batch } from "@preact/signals";
import { render } from "preact";
import { useEffect } from "preact/hooks";
import { Kind } from "./api";
import { CasesView } from "./cases-view";
import { GamesView } from "./games-view";
import { ModelView } from "./model-view";
import { RunsView } from "./runs-view";
import { SimulatorView } from "./simulator-view";
import { StatesView } from "./states-view";
import { changed, files, journal, model, openModel, refreshFiles, suite, Tab, tab, trouble } from "./state";

const TABS: [Tab, string][] = [
  ["model", "Model"],
  ["simulator", "Simulator"],
  ["states", "State space"],
  ["games", "Games"],
  ["cases", "Test cases"],
  ["runs", "Runs"],
];

/** Opens what the address or the given file says. */
async function begin() {
  await refreshFiles();
  const known = files.value;
  if (!known) return;
  const wanted = decodeURIComponent(location.hash.slice(1)).split("|");
  const models = known.files.filter((file) => file.kind === "model").map((file) => file.name);
  const examples = known.examples.map((example) => example.name);
  const given = known.given.startsWith("@") ? known.given : null;
  const name = [wanted[1], given, models[0], "@smart-light"].find((one) => one && [...models, ...examples].includes(one));
  const only = known.files.length > 0 && !given ? known.files[0].kind : "model";
  const tabs: Record<Kind, Tab> = { model: "model", suite: "cases", journal: "runs", mutation: "runs", trace: "simulator" };
  const first = tabs[only];
  const asked = TABS.find(([one]) => one === wanted[0])?.[0];
  batch(() => {
    tab.value = asked ?? (models.length > 0 ? "model" : first);
    suite.value = known.files.find((file) => file.kind === "suite")?.name ?? null;
    journal.value = known.files.find((file) => file.kind === "journal" || file.kind === "mutation")?.name ?? null;
  });
  await openModel(name ?? "@smart-light");
}

function App() {
  useEffect(() => void begin(), []);
  useEffect(() => {
    if (model.value) history.replaceState(null, "", `#${tab.value}|${encodeURIComponent(model.value.name)}`);
  }, [tab.value, model.value?.name]);
  useEffect(() => {
    // On a narrow screen the tabs are scrolled; the page itself stays where it is.
    const [own, row] = [document.getElementById(`tab-${tab.value}`), document.querySelector(".tabs")];
    if (own && row) row.scrollLeft = own.offsetLeft - (row.clientWidth - own.clientWidth) / 2;
  }, [tab.value, files.value === null]);
  useEffect(() => {
    const leave = (event: BeforeUnloadEvent) => {
      if (changed.peek() && model.peek()?.writable) event.preventDefault();
    };
    window.addEventListener("beforeunload", leave);
    return () => window.removeEventListener("beforeunload", leave);
  }, []);
  const known = files.value;
  const onKeys = (event: KeyboardEvent) => {
    const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!move) return;
    const at = TABS.findIndex(([one]) => one === tab.value);
    const next = TABS[(at + move + TABS.length) % TABS.length][0];
    tab.value = next;
    document.getElementById(`tab-${next}`)?.focus();
    event.preventDefault();
  };
  return (
    <>
      <header class="top">
        <h1>
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <circle cx="12" cy="12" r="9" />
            <path d="M12 7v5l3.5 2" />
          </svg>
          Tioga <span>Studio</span>
        </h1>
        <div class="tabs" role="tablist" aria-label="Views" onKeyDown={onKeys}>
          {TABS.map(([one, title]) => (
            <button
              type="button"
              role="tab"
              key={one}
              id={`tab-${one}`}
              aria-selected={tab.value === one}
              aria-controls="view"
              tabIndex={tab.value === one ? 0 : -1}
              onClick={() => (tab.value = one)}
            >
              {title}
            </button>
          ))}
        </div>
        {known && (
          <label class="open">
            <span aria-hidden="true">Model</span>
            <select
              aria-label="Model"
              value={model.value?.name ?? ""}
              onChange={(event) => {
                const next = event.currentTarget.value;
                if (changed.value && model.value?.writable && !confirm("Discard the changes to this model?")) {
                  event.currentTarget.value = model.value?.name ?? "";
                  return;
                }
                void openModel(next);
              }}
            >
              {known.files.some((file) => file.kind === "model") && (
                <optgroup label={known.given}>
                  {known.files
                    .filter((file) => file.kind === "model")
                    .map((file) => (
                      <option key={file.name}>{file.name}</option>
                    ))}
                </optgroup>
              )}
              <optgroup label="examples">
                {known.examples.map((example) => (
                  <option key={example.name} title={example.about}>
                    {example.name}
                  </option>
                ))}
              </optgroup>
            </select>
          </label>
        )}
      </header>
      {trouble.value && (
        <div class="trouble" role="alert">
          <span>{trouble.value}</span>
          <button type="button" class="quiet" aria-label="Close the message" onClick={() => (trouble.value = null)}>
            ✕
          </button>
        </div>
      )}
      <main>
        <div id="view" role="tabpanel" aria-labelledby={`tab-${tab.value}`} class={`view ${tab.value}`}>
          {tab.value === "model" && model.value && <ModelView key={model.value.name} />}
          {tab.value === "simulator" && model.value && <SimulatorView key={model.value.name} />}
          {tab.value === "states" && model.value && <StatesView key={model.value.name} />}
          {tab.value === "games" && model.value && <GamesView key={model.value.name} />}
          {tab.value === "cases" && <CasesView />}
          {tab.value === "runs" && <RunsView />}
        </div>
      </main>
    </>
  );
}

const host = document.getElementById("app");
if (host) render(<App />, host);
