// Games: what a tester wants, how far from it each state is, what it should do, and how it fares against a system.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Aim, ask, GameOverview, Played, Ranks, value } from "./api";
import { readable, parse } from "./fraction";
import { Part, Picture } from "./picture";
import { Axes, Layer, Plot } from "./plot";
import { attempt, look, model, play, subject, text } from "./state";

/** The class of a rank: by how often the system has to cooperate, and how many steps can be enforced. */
function rankClass(losses: number, steps: number): string {
  return `rank loss-${Math.min(losses, 4)} step-${Math.min(steps, 5)}`;
}

export function GamesView() {
  const goals = useSignal<[string, string][]>([]);
  const aim = useSignal<Aim | null>(null);
  const game = useSignal<GameOverview | null>(null);
  const place = useSignal(0);
  const solving = useSignal(false);
  const seen = look.value;

  const latest = useRef(0);
  const solve = async (wanted: Aim) => {
    const own = ++latest.current;
    solving.value = true;
    const answer = await attempt(() => ask<GameOverview>("game", { ...subject(), aim: wanted }));
    // Another aim may have been chosen meanwhile.
    if (own !== latest.current) return;
    solving.value = false;
    if (!answer) return;
    aim.value = wanted;
    game.value = answer;
    place.value = Math.max(answer.places.findIndex((one) => one.initial), 0);
  };
  useEffect(() => {
    goals.value = [];
    aim.value = null;
    game.value = null;
    const first = look.peek()?.queries.find((query) => query.game);
    if (first && look.peek()?.valid) void solve({ query: first.text });
  }, [model.value?.name]);

  if (!seen?.valid) return <p class="empty">The model has errors; games need a well-formed one.</p>;
  const toggle = (process: string, location: string) => {
    const there = goals.value.some(([a, b]) => a === process && b === location);
    goals.value = there
      ? goals.value.filter(([a, b]) => a !== process || b !== location)
      : [...goals.value, [process, location]];
  };
  const choose = (part: Part) => {
    const automaton = seen.picture?.automata[part.automaton];
    const location = automaton?.nodes[part.node ?? -1]?.name;
    const process = automaton?.processes[0];
    if (location && process) toggle(process, location);
  };
  const chosen = (part: Part) => {
    const automaton = seen.picture?.automata[part.automaton];
    if (part.node === undefined || !automaton) return undefined;
    const name = automaton.nodes[part.node]?.name;
    if (goals.value.some(([process, at]) => automaton.processes.includes(process) && at === name)) return "goal";
    const here = game.value?.places[place.value]?.locations ?? {};
    return automaton.processes.some((process) => here[process] === name) ? "current" : undefined;
  };
  const queries = seen.queries.filter((query) => query.game);
  return (
    <div class="panes games-panes">
      <section class="pane" aria-label="Goal">
        <header>
          <h2>Goal</h2>
          <span class="hint">Choose locations in the picture, a query or a purpose.</span>
        </header>
        {seen.picture && (
          <Picture
            svg={seen.picture.svg}
            label="Choose goal locations"
            automata={seen.picture.automata}
            classes={chosen}
            onChoose={choose}
            chooses="nodes"
          />
        )}
        <div class="aims">
          <div class="goal">
            <span>{goals.value.length === 0 ? "No location is chosen." : goals.value.map((one) => one.join(".")).join(" or ")}</span>
            <button
              type="button"
              class="primary"
              disabled={goals.value.length === 0 || solving.value}
              onClick={() => void solve({ locations: goals.value })}
            >
              Solve
            </button>
          </div>
          {queries.map((query) => (
            <button type="button" class="plain aim" key={query.text} disabled={solving.value} onClick={() => void solve({ query: query.text })}>
              <code>{query.text}</code>
              {query.comment && <span class="comment">{query.comment}</span>}
            </button>
          ))}
          {seen.purposes.map((purpose) => (
            <button type="button" class="plain aim" key={purpose} disabled={solving.value} onClick={() => void solve({ purpose })}>
              purpose <code>{purpose}</code>
            </button>
          ))}
        </div>
      </section>
      <section class="pane" aria-label="Ranks">
        {solving.value && !game.value && <p class="empty">Solving …</p>}
        {!solving.value && !game.value && <p class="empty">Choose a goal to see who wins from where.</p>}
        {game.value && aim.value && (
          <>
            <Result game={game.value} />
            <RankPlot game={game.value} aim={aim.value} place={place.value} onPlace={(next) => (place.value = next)} />
            <Match aim={aim.value} key={JSON.stringify(aim.value) + text.value.length} />
          </>
        )}
      </section>
    </div>
  );
}

function Result({ game }: { game: GameOverview }) {
  const { answer } = game;
  const word = answer.holds === null ? "unknown" : answer.holds ? "the tester can enforce it" : "the tester cannot enforce it alone";
  const state = answer.holds === null ? "open" : answer.holds ? "good" : answer.rank ? "open" : "bad";
  return (
    <>
      <header>
        <h2>
          <code>{game.query}</code>
        </h2>
      </header>
      <div class="result" role="status">
        <span class={`status ${state}`}>{word}</span>
        {answer.rank && (
          <span class="detail">
            rank ({answer.rank.losses}, {answer.rank.steps}): {answer.rank.losses} control {answer.rank.losses === 1 ? "loss" : "losses"}
          </span>
        )}
        {answer.luck.map((one, index) => (
          <p key={index} class="detail">
            at {one.at}: needs the system {one.hoped ? `to answer ${one.hoped}` : `not to answer ${one.feared.join(" or ")} first`}
          </p>
        ))}
        {answer.checked && <p class="detail">{answer.checked}</p>}
        {game.note && <p class="detail warn">{game.note}</p>}
      </div>
    </>
  );
}

function RankPlot({ game, aim, place, onPlace }: { game: GameOverview; aim: Aim; place: number; onPlace: (next: number) => void }) {
  const ranks = useSignal<Ranks | null>(null);
  const axes = useSignal<[string, string] | null>(null);
  const others = useSignal<Record<string, number>>({});
  const point = useSignal<[number, number]>([0, 0]);
  const advice = useSignal<{ rank: string | null; advice: string | null; won: boolean } | null>(null);
  const asked = useRef(0);
  const parts = 4;
  const clocks = (at: [number, number]) =>
    game.clocks.map((name) => {
      const own = name === ranks.peek()?.x ? at[0] : name === ranks.peek()?.y ? at[1] : (others.peek()[name] ?? 0);
      return `${Math.round(own * parts)}/${parts}`;
    });
  useEffect(() => {
    let gone = false;
    void (async () => {
      const body = { ...subject(), aim, place, plot: axes.value ?? undefined, clocks: game.clocks.map((name) => `${Math.round((others.value[name] ?? 0) * parts)}/${parts}`) };
      const answer = await attempt(() => ask<Ranks>("game/ranks", body));
      if (answer && !gone) {
        ranks.value = answer;
        void tell(point.peek());
      }
    })();
    return () => {
      gone = true;
    };
  }, [place, axes.value, others.value, JSON.stringify(aim), text.value]);
  const tell = async (at: [number, number]) => {
    const snapped: [number, number] = [Math.round(at[0] * parts) / parts, Math.round(at[1] * parts) / parts];
    point.value = snapped;
    const own = ++asked.current;
    const answer = await attempt(() =>
      ask<{ rank: string | null; advice: string | null; won: boolean }>("game/advice", { ...subject(), aim, place, clocks: clocks(snapped) }),
    );
    if (answer && own === asked.current) advice.value = answer;
  };
  const shown = ranks.value;
  const levels = shown?.levels ?? [];
  // The first level that has a valuation is its rank, so it is drawn last.
  const layers: Layer[] = levels
    .map((level) => ({ name: `rank ${level.rank}`, polygons: level.polygons, className: rankClass(level.losses, level.steps) }))
    .reverse();
  const spare = game.clocks.filter((name) => name !== shown?.x && name !== shown?.y);
  const limit = value(shown?.limit ?? 1);
  return (
    <div class="ranks">
      <div class="fields">
        <label>
          State{" "}
          <select value={String(place)} onChange={(event) => onPlace(Number(event.currentTarget.value))}>
            {game.places.map((one, index) => (
              <option value={String(index)} key={index}>
                {one.name}
                {one.initial ? " (initial)" : ""}
              </option>
            ))}
          </select>
        </label>
        <Axes clocks={game.clocks} x={shown?.x ?? ""} y={shown?.y ?? ""} onAxes={(next) => (axes.value = next)} />
        {spare.map((name) => (
          <label key={name}>
            {name} ={" "}
            <input
              type="number"
              min="0"
              step="0.25"
              value={others.value[name] ?? 0}
              onChange={(event) => (others.value = { ...others.value, [name]: Number(event.currentTarget.value) })}
            />
          </label>
        ))}
      </div>
      {shown?.x ? (
        <div class="plot-row">
          <Plot
            x={shown.x}
            y={shown.y ?? null}
            limit={shown.limit ?? 1}
            layers={layers}
            point={point.value}
            onPoint={(at) => void tell(at)}
            label={`Ranks of ${shown.name} over ${shown.x}${shown.y ? ` and ${shown.y}` : ""}`}
          />
          <div class="beside">
            <ul class="legend" aria-label="Ranks">
              {levels.map((level) => (
                <li key={level.rank}>
                  <svg class="swatch" viewBox="0 0 16 16" aria-hidden="true">
                    <g class={rankClass(level.losses, level.steps)}>
                      <rect class="area" width="16" height="16" rx="3" />
                    </g>
                  </svg>
                  {level.rank}{" "}
                  <span class="detail">
                    {level.losses === 0 && level.steps === 0
                      ? "reached"
                      : level.losses === 0
                        ? "the tester wins"
                        : `${level.losses} control ${level.losses === 1 ? "loss" : "losses"}`}
                  </span>
                </li>
              ))}
              {levels.length === 0 && <li class="detail">no valuation has a rank</li>}
            </ul>
            <div class="point">
              <label>
                {shown.x}{" "}
                <input
                  type="range"
                  aria-label={shown.x}
                  min="0"
                  max={limit}
                  step={1 / parts}
                  value={point.value[0]}
                  onInput={(event) => void tell([Number(event.currentTarget.value), point.value[1]])}
                />
                <output>{point.value[0]}</output>
              </label>
              {shown.y && (
                <label>
                  {shown.y}{" "}
                  <input
                    type="range"
                    aria-label={shown.y}
                    min="0"
                    max={limit}
                    step={1 / parts}
                    value={point.value[1]}
                    onInput={(event) => void tell([point.value[0], Number(event.currentTarget.value)])}
                  />
                  <output>{point.value[1]}</output>
                </label>
              )}
              <p class="advice" aria-live="polite">
                <b>{advice.value?.rank ? `rank ${advice.value.rank}` : "no rank"}</b>
                <br />
                {/* No line ends within an arrow. */}
                {advice.value?.advice?.replaceAll("->", "-\u2060>") ?? "nothing is known here"}
              </p>
            </div>
          </div>
        </div>
      ) : (
        shown && <p class="empty">The model has no clocks; its ranks are {levels.map((one) => one.rank).join(", ") || "none"}.</p>
      )}
    </div>
  );
}

const OPPONENTS = ["hostile", "lazy", "eager", "random", "fair", "you"];

function Match({ aim }: { aim: Aim }) {
  const opponent = useSignal("hostile");
  const seed = useSignal(0);
  const choices = useSignal<([number, string] | null)[]>([]);
  const played = useSignal<Played | null>(null);
  const start = async (given: ([number, string] | null)[] = []) => {
    choices.value = given;
    const answer = await attempt(() =>
      ask<Played>("game/play", { ...subject(), aim, opponent: opponent.value, seed: seed.value, choices: given }),
    );
    if (answer) played.value = answer;
  };
  const game = played.value;
  return (
    <div class="match">
      <div class="toolbar">
        <h3>Play</h3>
        <label>
          System{" "}
          <select value={opponent.value} onChange={(event) => ((opponent.value = event.currentTarget.value), (played.value = null))}>
            {OPPONENTS.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        {(opponent.value === "random" || opponent.value === "fair") && (
          <label>
            Seed{" "}
            <input type="number" min="0" value={seed.value} onChange={(event) => (seed.value = Number(event.currentTarget.value))} />
          </label>
        )}
        <button type="button" class="primary" onClick={() => void start()}>
          Play
        </button>
        {opponent.value === "you" && choices.value.length > 0 && (
          <button type="button" onClick={() => void start(choices.value.slice(0, -1))}>
            Undo
          </button>
        )}
        {game && game.records.length > 0 && (
          <button type="button" class="quiet" onClick={() => play(game.records)}>
            Show in the simulator
          </button>
        )}
      </div>
      {game && (
        <>
          <table class="rounds">
            <thead>
              <tr>
                <th scope="col">time</th>
                <th scope="col">rank</th>
                <th scope="col">tester</th>
                <th scope="col">what happens</th>
              </tr>
            </thead>
            <tbody>
              {game.rounds.map((round, index) => (
                <tr key={index}>
                  <td>{readable(parse(round.time))}</td>
                  <td>{round.rank ? `(${round.rank.losses}, ${round.rank.steps})` : ""}</td>
                  <td>{game.intentions[index]}</td>
                  <td>
                    {round.happened &&
                      (round.happened.action
                        ? `${round.happened.action} by the ${round.happened.by}${parse(round.happened.delay).over ? ` after ${readable(parse(round.happened.delay))}` : ""}`
                        : `${readable(parse(round.happened.delay))} passes`)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {game.waiting ? (
            <div class="turn" role="status">
              <p>
                The tester {game.waiting.intention}. What does the system do?
              </p>
              {game.waiting.offers.map((offer, index) => (
                <button type="button" class={`move ${offer.kind}`} key={index} title={offer.edges} onClick={() => void start([...choices.value, [index, String(offer.earliest)]])}>
                  {offer.action} <small>after {offer.window_text}</small>
                </button>
              ))}
              {game.waiting.may_pass && (
                <button type="button" onClick={() => void start([...choices.value, null])}>
                  nothing yet
                </button>
              )}
            </div>
          ) : (
            <p class={`status ${game.good === null ? "open" : game.good ? "good" : "bad"}`} role="status">
              {game.reason}
            </p>
          )}
        </>
      )}
    </div>
  );
}
