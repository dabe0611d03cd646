// Every flow of the studio in a real browser: by mouse and by keyboard alone, wide and narrow, light and dark.
import assert from "node:assert/strict";
import { readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import axe from "axe-core";
import { browser, browserPath, drawn, HANGING, opening, run, studio, workspace } from "./harness.mjs";

const skip = browserPath ? false : "chromium is not installed";
let chrome, folder, server;
const open = [];

before(async () => {
  if (skip) return;
  folder = workspace();
  [chrome, server] = [await browser(), await studio(folder)];
});
after(async () => {
  if (skip) return;
  await chrome.close();
  assert.equal(await server.stop(), 0, "Ctrl-C ends the studio in order");
});

/** A page at a view of a model; what it writes to the console is an error of the test. */
async function page(view, model, options = {}) {
  // Without transitions: a colour measured halfway between two states would depend on the load of the machine.
  const quiet = { viewport: { width: 1280, height: 800 }, acceptDownloads: true, reducedMotion: "reduce" };
  const context = await chrome.newContext({ ...quiet, ...options });
  const made = await context.newPage();
  const complaints = [];
  made.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  made.on("pageerror", (error) => complaints.push(error.message));
  made.setDefaultTimeout(HANGING);
  await made.goto(`${options.address ?? server.address}#${view}|${encodeURIComponent(model)}`);
  await made.getByRole("tab", { selected: true }).waitFor();
  const done = async () => {
    assert.deepEqual(complaints, [], "the console stays empty");
    await context.close();
  };
  open.push(context);
  return { made, done, complaints };
}

test("model: diagnostics while typing, edge to line and back, queries with runs to play", { skip }, async () => {
  const { made, done } = await page("model", "models/car-alarm.tioga");
  await made.getByText("well-formed").waitFor();
  // From an edge to its line.
  await made.locator('.picture [data-automaton="0"] [data-edge="0"] path.edge').first().click({ force: true });
  const marked = made.locator(".cm-pointed");
  await marked.first().waitFor();
  assert.match((await marked.allTextContents()).join(" "), /->/);
  // And back: the cursor in a line points at its edge.
  await made.locator(".cm-line", { hasText: "->" }).first().click();
  await made.locator(".picture .pointed").first().waitFor();
  // A mistake is marked where it is, and the fix is offered by the same parser.
  const line = made.locator(".cm-line").first();
  await made.locator(".cm-content").click();
  await made.keyboard.press("Control+Home");
  const before = await line.textContent();
  await made.keyboard.type("clok z;\n");
  await made.getByText(/\d+ errors?/).first().waitFor();
  await made.locator(".cm-lintRange-error").first().waitFor();
  await made.getByRole("list", { name: "Problems" }).getByRole("button").first().waitFor();
  // How much is undone at once depends on how fast it was typed; the editor shows it at once.
  for (let undo = 0; undo < 10 && (await line.textContent()) !== before; undo++) await made.keyboard.press("Control+z");
  await made.getByText("well-formed").waitFor();
  // A query, and its run in the simulator.
  await made.getByLabel("Ask").fill("E<> Siren.Active");
  await made.getByLabel("Ask").press("Enter");
  await made.getByText("holds", { exact: true }).waitFor();
  await made.getByRole("button", { name: "Play the witness" }).click();
  await made.getByRole("button", { name: "End", exact: true }).click();
  await made.locator(".state td", { hasText: "Active" }).first().waitFor();
  await done();
});

test("model: what is found in it is played, and leads to its line", { skip }, async () => {
  const { made, done } = await page("model", "@conveyor-game");
  await made.getByRole("button", { name: "Check the model" }).click();
  await made.getByText(/things will hurt testing/).waitFor();
  await made.getByRole("button", { name: /^Line \d+$/ }).first().click();
  await made.locator(".cm-pointed").first().waitFor();
  await made.getByRole("button", { name: "Play the run that shows deadlock" }).click();
  await made.getByRole("button", { name: "End", exact: true }).click();
  await made.getByText(/^Deadlock: no step is possible/).waitFor();
  await done();
});

test("model: a query that does not hold has a counterexample to play", { skip }, async () => {
  const { made, done } = await page("model", "@car-alarm");
  await made.getByLabel("Ask").fill("A[] not Siren.Active");
  await made.getByLabel("Ask").press("Enter");
  await made.getByText("does not hold", { exact: true }).waitFor();
  await made.getByRole("button", { name: "Play the counterexample" }).click();
  await made.getByRole("button", { name: "End", exact: true }).click();
  await made.locator(".state td", { hasText: "Active" }).first().waitFor();
  await done();
});

test("model: saving, and a file that another program changed", { skip }, async () => {
  const path = join(folder, "models/car-alarm.tioga");
  const text = readFileSync(path, "utf8");
  const { made, done, complaints } = await page("model", "models/car-alarm.tioga");
  const write = async (what) => {
    await made.locator(".cm-content").click();
    await made.keyboard.press("Control+Home");
    await made.keyboard.type(what);
  };
  await write("// one\n");
  await made.keyboard.press("Control+s");
  await made.getByText("edited").waitFor({ state: "detached" });
  assert.ok(readFileSync(path, "utf8").startsWith("// one\n"));
  writeFileSync(path, text);
  await write("// two\n");
  await made.getByRole("button", { name: "Save", exact: true }).click();
  await made.getByRole("alert").getByText(/changed by another program/).waitFor();
  assert.equal(readFileSync(path, "utf8"), text, "nothing is lost");
  // And the text in the page can still be kept.
  const [copy] = await Promise.all([made.waitForEvent("download"), made.getByRole("button", { name: "Save a copy" }).click()]);
  assert.equal(copy.suggestedFilename(), "models-car-alarm.tioga");
  assert.ok(readFileSync(await copy.path(), "utf8").startsWith("// two"));
  // The browser itself tells of the refusal.
  complaints.splice(0);
  await done();
});

test("simulator: moves, delays, undo, random walk, zone, traces saved and opened", { skip }, async () => {
  const { made, done } = await page("simulator", "@conveyor-game");
  await made.getByText("x <= 6 && y == x").waitFor();
  // Drag the delay, then take a move after it.
  await made.getByLabel("Delay").fill("50");
  await made.getByRole("button", { name: /^ship1\?/ }).click();
  await made.locator(".state td", { hasText: "D1St" }).waitFor();
  await made.locator(".state td", { hasText: "2.5" }).first().waitFor();
  await made.getByRole("button", { name: "Undo" }).click();
  await made.locator(".state td", { hasText: "St" }).first().waitFor();
  await made.getByRole("button", { name: "Redo" }).click();
  await made.locator(".state td", { hasText: "D1St" }).waitFor();
  // A click into a window takes the move at that moment.
  await made.getByRole("button", { name: "Start", exact: true }).click();
  await made.locator(".choices li", { hasText: "past!" }).locator(".window").click({ position: { x: 60, y: 8 } });
  await made.locator(".trace .what", { hasText: "past!" }).waitFor();
  await made.getByRole("button", { name: "10 random steps" }).click();
  await made.locator(".trace li").nth(2).waitFor();
  const rows = await made.locator(".trace li").count();
  const [file] = await Promise.all([made.waitForEvent("download"), made.getByRole("button", { name: "Save trace" }).click()]);
  const saved = join(folder, "saved.trace");
  await file.saveAs(saved);
  run(folder, ["replay", "@conveyor-game", "saved.trace"]);
  await made.reload();
  await made.getByText("x <= 6 && y == x").waitFor();
  await made.getByLabel("Trace file").setInputFiles(saved);
  await made.locator(".trace li").nth(rows - 1).waitFor();
  await made.locator(".plot .zone-area").first().waitFor({ state: "attached" });
  await done();
});

test("simulator: a given trace is opened", { skip }, async () => {
  const { made, done } = await page("simulator", "@car-alarm");
  await made.getByLabel("Given trace").selectOption("walk.trace");
  await made.locator(".trace li").nth(5).waitFor();
  await done();
});

test("state space: states are opened by a click and by keys, and a run to one is played", { skip }, async () => {
  const { made, done } = await page("states", "@smart-light");
  await made.getByText("3 states, 1 opened").waitFor();
  await made.locator('.picture [data-node="1"]').click();
  await made.getByText("4 states, 2 opened").waitFor();
  await made.getByRole("heading", { name: "State 1" }).waitFor();
  await made.locator(".plot .zone-area").first().waitFor({ state: "attached" });
  // The box that was opened keeps the focus, and the next one is opened from there.
  await made.keyboard.press("ArrowRight");
  await made.keyboard.press("Enter");
  await made.getByText("5 states, 3 opened").waitFor();
  await made.getByRole("heading", { name: "State 2" }).waitFor();
  await made.getByRole("button", { name: "Undo" }).click();
  await made.getByText("4 states, 2 opened").waitFor();
  await made.locator('.picture [data-node="3"]').click();
  await made.getByRole("button", { name: "Play a run to this state" }).click();
  await made.getByRole("button", { name: "End", exact: true }).click();
  await made.locator(".state td", { hasText: "Dim" }).first().waitFor();
  await done();
});

test("state space: keys mean the picture that is shown, also while another one is computed", { skip }, async () => {
  const { made, done } = await page("states", "@smart-light");
  await made.getByText("3 states, 1 opened").waitFor();
  // Whenever the status changes, the picture has changed with it.
  await made.evaluate(() => {
    const status = document.querySelector(".states-panes [role=status]");
    window.seen = [];
    const note = () => window.seen.push([parseInt(status.textContent), document.querySelectorAll(".picture [data-node]").length]);
    new MutationObserver(note).observe(status, { characterData: true, childList: true, subtree: true });
  });
  // The answer comes after the next key.
  let [ask, answer] = [];
  const asked = new Promise((resolve) => (ask = resolve));
  const answered = new Promise((resolve) => (answer = resolve));
  await made.route("**/api/states", async (route) => {
    ask();
    await answered;
    await route.continue();
  });
  await made.locator('.picture [data-node="1"]').click();
  await asked;
  await made.keyboard.press("ArrowRight");
  answer();
  await made.getByText("4 states, 2 opened").waitFor();
  await made.keyboard.press("Enter");
  await made.getByRole("heading", { name: "State 2" }).waitFor();
  await made.getByText("5 states, 3 opened").waitFor();
  const seen = await made.evaluate(() => window.seen);
  assert.equal(seen.at(-1)[0], 5);
  assert.deepEqual(seen.filter(([told, shown]) => told !== shown), []);
  await done();
});

test("state space: more states than are shown at once are opened and found again", { skip }, async () => {
  const { made, done } = await page("states", "models/grid.tioga");
  const status = made.locator(".states-panes [role=status]");
  const counts = async () => (await status.textContent()).match(/\d+/g).map(Number);
  await made.getByText("3 states, 1 opened").waitFor();
  let [known, opened, before] = [3, 1, 1];
  while (known <= 400) {
    const more = made.getByRole("button", { name: /^Open \d+ more$/ });
    const next = opened + Number((await more.textContent()).match(/\d+/)[0]);
    await more.click();
    await made.getByText(`, ${next} opened`).waitFor();
    before = opened;
    [known, opened] = await counts();
    assert.equal(opened, next);
  }
  await made.getByText(`The 400 states nearest to state 0 are shown, ${known - 400} are not.`).waitFor();
  // The chosen state is in view, wherever the new picture has it.
  const inView = () =>
    made.waitForFunction(() => {
      const one = document.querySelector(".picture .current");
      const [own, room] = [one.getBoundingClientRect(), one.closest(".picture").getBoundingClientRect()];
      return own.left >= room.left && own.right <= room.right && own.top >= room.top && own.bottom <= room.bottom;
    });
  await inView();
  assert.equal(await made.locator(".picture [data-node]").count(), 400);
  // A state that is not shown is shown with those around it.
  const boxes = await made.locator(".picture [data-node]").allTextContents();
  const shown = new Set(boxes.map((text) => parseInt(text)));
  const hidden = [...Array(known).keys()].find((state) => !shown.has(state));
  await made.getByLabel("State", { exact: true }).fill(String(hidden));
  await made.getByRole("button", { name: "Show", exact: true }).click();
  await made.getByText(`The 400 states nearest to state ${hidden} are shown`).waitFor();
  await made.getByRole("heading", { name: `State ${hidden}`, exact: true }).waitFor();
  assert.equal(parseInt(await made.locator(".picture .current").textContent()), hidden);
  await inView();
  // A number without a state is not asked for, and what one click opened one click takes back.
  await made.getByLabel("State", { exact: true }).fill(String(known));
  assert.equal(await made.getByRole("button", { name: "Show", exact: true }).isDisabled(), true);
  await made.getByRole("button", { name: "Undo" }).click();
  await made.getByText(`, ${before} opened`).waitFor();
  await done();
});

test("games: a goal by clicking, ranks, advice at the pointer, and every opponent", { skip }, async () => {
  const { made, done } = await page("games", "@conveyor-game");
  await made.getByText("the tester cannot enforce it alone").waitFor();
  await made.locator('.picture [data-node="4"]').click();
  await made.locator(".goal").getByText("Belt.D2A").waitFor();
  await made.getByRole("button", { name: "Solve" }).click();
  await made.locator(".plot .rank .area").first().waitFor();
  const plot = await made.locator(".plot").boundingBox();
  await made.mouse.move(plot.x + plot.width * 0.5, plot.y + plot.height * 0.7);
  await made.locator(".advice", { hasText: "take ship2? now" }).waitFor();
  await made.getByLabel("x", { exact: true }).fill("7");
  await made.locator(".advice", { hasText: "no rank" }).waitFor();
  for (const opponent of ["hostile", "lazy", "eager", "random"]) {
    await made.getByLabel("System").selectOption(opponent);
    await made.getByRole("button", { name: "Play", exact: true }).click();
    await made.locator(".match > .status").waitFor();
    await made.locator(".rounds tbody tr").first().waitFor();
  }
  await made.getByLabel("System").selectOption("you");
  await made.getByRole("button", { name: "Play", exact: true }).click();
  await made.locator(".turn").getByRole("button", { name: /past!/ }).click();
  await made.locator(".rounds td", { hasText: "past! by the system" }).waitFor();
  await made.getByRole("button", { name: "Undo" }).click();
  await made.locator(".rounds tbody tr").waitFor({ state: "detached" });
  await done();
});

test("test cases: list, picture, text and certificate", { skip }, async () => {
  const { made, done } = await page("cases", "@car-alarm");
  await made.getByRole("button", { name: "FullAlarm" }).click();
  await made.locator(".pane .automata").waitFor();
  assert.ok((await made.locator(".automata .node.fail").count()) > 0, "what the system fails by");
  assert.ok((await made.locator(".automata .node.accept").count()) > 0, "where the test passes");
  await made.getByRole("button", { name: "text", exact: true }).click();
  await made.getByText(/test case FullAlarm/).waitFor();
  await made.getByRole("button", { name: "Certify" }).click();
  await made.locator(".cases .status.good").first().waitFor();
  await done();
});

test("test cases: an answer that comes late does not replace what was chosen since", { skip }, async () => {
  const { made, done } = await page("model", "@car-alarm");
  await made.getByText("well-formed").waitFor();
  let answer, asked;
  const answered = new Promise((resolve) => (answer = resolve));
  const isAsked = new Promise((resolve) => (asked = resolve));
  const isLate = (request) => request.url().endsWith("/api/suite") && request.postData()?.includes("alarm.json");
  await made.route("**/api/suite", async (route) => {
    if (isLate(route.request())) {
      asked();
      await answered;
    }
    await route.continue();
  });
  await made.locator("#tab-cases").click();
  // Otherwise the page may never ask for the first suite.
  await isAsked;
  await made.locator(".cases-panes select").selectOption("light.json");
  await made.getByRole("button", { name: "smart_light-1" }).waitFor();
  const late = made.waitForResponse((response) => isLate(response.request()));
  answer();
  await (await late).finished();
  await drawn(made);
  assert.equal(await made.getByRole("button", { name: "FullAlarm" }).count(), 0);
  await made.getByRole("heading", { name: "smart_light-1" }).waitFor();
  await done();
});

test("runs: results, explanation, timing, events, coverage, two runs", { skip }, async () => {
  const { made, done } = await page("runs", "@car-alarm");
  await made.getByLabel("Journal", { exact: false }).first().selectOption("alarm.journal");
  await made.getByText("80 pass").waitFor();
  await made.locator(".timing .stay").first().waitFor();
  assert.ok((await made.locator(".timing rect.window").count()) > 0, "expected windows are shaded");
  await made.getByRole("button", { name: "sequence" }).click();
  await made.locator(".sequence").waitFor();
  const list = made.getByRole("listbox", { name: "Runs" });
  await list.focus();
  await made.keyboard.press("ArrowDown");
  await made.getByRole("heading", { name: /run 1 of/ }).waitFor();
  await made.getByRole("button", { name: "Results" }).click();
  assert.match(await made.locator(".results .sum").textContent(), /^all8080/);
  assert.equal(await made.locator(".results tbody tr").count(), 5);
  await made.getByRole("button", { name: "Events" }).click();
  await made.locator(".event-row.sent").first().waitFor();
  await made.getByRole("button", { name: "Coverage" }).click();
  await made.locator(".coverage .seen").first().waitFor();
  await made.getByLabel("Covered").getByText(/^\d+\/\d+ locations$/).waitFor();
  await made.getByRole("button", { name: "Compare" }).click();
  await made.getByText(/first difference is at event/).waitFor();
  await made.locator(".timings .timing").nth(1).waitFor();
  assert.equal(await made.locator(".timings .timing").count(), 2);
  await made.getByRole("button", { name: "events", exact: true }).click();
  await made.locator(".two .differ").waitFor();
  await done();
});

test("runs: a failing run is marked, explained and shrunk", { skip }, async () => {
  const { made, done } = await page("runs", "@smart-light");
  await made.getByLabel("Journal", { exact: false }).first().selectOption("light.journal");
  // A line has no area, so that it counts as hidden.
  const moment = made.locator(".timing .moment.fail");
  await moment.waitFor({ state: "attached" });
  await made.locator(".facts").getByText(/not expected here/).waitFor();
  await made.getByRole("button", { name: "Shrink" }).click();
  await made.getByText(/attempts/).waitFor();
  await made.getByRole("button", { name: "recorded" }).click();
  await moment.waitFor({ state: "attached" });
  await done();
});

test("runs: the kill matrix as a heat map, by mouse and by keys", { skip }, async () => {
  const { made, done } = await page("runs", "@smart-light");
  await made.getByLabel("Journal", { exact: false }).first().selectOption("mutants.journal");
  await made.locator(".heat .cell.kill").first().click();
  const told = made.locator(".told", { hasText: "killed: " });
  const before = await told.textContent();
  await made.keyboard.press("ArrowDown");
  await made.waitForFunction((text) => document.querySelector(".told")?.textContent !== text, before);
  for (let press = 0; press < 5; press++) await made.keyboard.press("PageDown");
  await made.waitForFunction(() => document.activeElement?.classList.contains("cell"));
  assert.ok((await made.locator(".heat tbody tr").count()) < 80, "only visible rows are drawn");
  await made.getByLabel("only survivors").check();
  await made.locator(".heat td", { hasText: "equivalent" }).first().waitFor();
  await done();
});

test("runs: a campaign live, which goes on when the page is closed", { skip }, async () => {
  const live = await studio(join(folder, "alarm.json"), ["--sut", "model:@car-alarm", "--repeat", "200", "--keep-going"]);
  const { made, done } = await page("runs", "@car-alarm", { address: live.address });
  await made.getByRole("button", { name: "Run the suite" }).click();
  await made.locator(".run-row").first().waitFor();
  await done();
  const again = await page("runs", "@car-alarm", { address: live.address });
  await again.made.getByText("800 pass").waitFor();
  await again.done();
  assert.equal(await live.stop(), 0);
});

test("runs: two browsers at once see the same campaign, and only one starts it", { skip }, async () => {
  const live = await studio(join(folder, "alarm.json"), ["--sut", "model:@car-alarm", "--repeat", "400", "--keep-going", "--journal", join(folder, "both.journal")]);
  const [one, other] = [await page("runs", "@car-alarm", { address: live.address }), await page("runs", "@car-alarm", { address: live.address })];
  // Both requests are sent when both are ready, so that none comes after the campaign.
  let waiting = 2;
  let send;
  const ready = new Promise((resolve) => (send = resolve));
  const start = async ({ made }) => {
    await made.getByRole("button", { name: "Run the suite" }).waitFor();
    await made.route("**/api/campaign/start", async (route) => {
      if (--waiting === 0) send();
      await ready;
      await route.continue();
    });
    return made.evaluate(async () => (await fetch("api/campaign/start", { method: "POST", body: "{}" })).status);
  };
  const statuses = await Promise.all([start(one), start(other)]);
  assert.deepEqual(statuses.sort(), [200, 409]);
  // Both pages learn of it by themselves.
  for (const page of [one, other]) await page.made.getByText("1600 pass").waitFor();
  // The browser itself tells of the refusal.
  for (const page of [one, other]) page.complaints.splice(0);
  for (const page of [one, other]) await page.done();
  assert.equal(await live.stop(), 0);
});

test("runs: a journal that was cut off shows what is whole, and says so", { skip }, async () => {
  const path = join(folder, "cut.journal");
  const text = readFileSync(join(folder, "alarm.journal"), "utf8");
  writeFileSync(path, text.slice(0, Math.floor(text.length * 0.6)));
  const { made, done } = await page("runs", "@car-alarm");
  await made.getByLabel("Journal", { exact: false }).first().selectOption("cut.journal");
  await made.getByText(/has no closing line/).waitFor();
  await made.locator(".run-row").first().waitFor();
  await made.locator(".timing").waitFor();
  assert.equal(readFileSync(path, "utf8").length, Math.floor(text.length * 0.6), "the journal stays as it is");
  unlinkSync(path);
  await done();
});

test("a file that cannot be read is told, and the page goes on", { skip }, async () => {
  const path = join(folder, "models/odd.tioga");
  writeFileSync(path, Buffer.from([0x63, 0x80, 0xff]));
  const { made, done, complaints } = await page("model", "@smart-light");
  await made.getByText("well-formed").waitFor();
  await made.locator(".open select").selectOption("models/odd.tioga");
  await made.getByRole("alert").waitFor();
  await made.getByText("well-formed").waitFor();
  await made.getByLabel("Close the message").click();
  await made.getByRole("alert").waitFor({ state: "detached" });
  unlinkSync(path);
  complaints.splice(0);
  await done();
});

test("runs: a journal that is none says so where it would be, and the next one is shown", { skip }, async () => {
  const path = join(folder, "broken.journal");
  writeFileSync(path, "this is no journal\n");
  const alone = await studio(path);
  const own = await page("runs", "@smart-light", { address: alone.address });
  // The model is opened at the same time, and does not take the message away.
  const told = own.made.getByRole("alert").getByText("broken.journal cannot be shown: ");
  await told.waitFor();
  await own.made.getByRole("tab", { name: "Model" }).click();
  await own.made.getByText("well-formed").waitFor();
  await own.made.getByRole("tab", { name: "Runs" }).click();
  await told.waitFor();
  own.complaints.splice(0);
  await own.done();
  assert.equal(await alone.stop(), 0);
  const { made, done, complaints } = await page("runs", "@smart-light");
  await made.getByLabel("Journal", { exact: false }).first().selectOption("broken.journal");
  await made.getByRole("alert").getByText("broken.journal cannot be shown: ").waitFor();
  await made.getByLabel("Journal", { exact: false }).first().selectOption("alarm.journal");
  await made.locator(".run-row").first().waitFor();
  await made.getByRole("alert").waitFor({ state: "detached" });
  unlinkSync(path);
  complaints.splice(0);
  await done();
});

test("test cases: a suite that cannot be read says so, and the next one is shown", { skip }, async () => {
  const path = join(folder, "broken.json");
  const text = readFileSync(join(folder, "alarm.json"), "utf8");
  writeFileSync(path, text.slice(0, Math.floor(text.length / 2)));
  const { made, done, complaints } = await page("cases", "@smart-light");
  await made.getByRole("combobox", { name: "Suite" }).selectOption("broken.json");
  await made.getByRole("alert").getByText("broken.json cannot be shown: ").waitFor();
  await made.getByRole("combobox", { name: "Suite" }).selectOption("alarm.json");
  await made.getByRole("button", { name: "FullAlarm" }).waitFor();
  await made.getByRole("alert").waitFor({ state: "detached" });
  unlinkSync(path);
  complaints.splice(0);
  await done();
});

test("the browser is opened by a ticket, which leads to the page once", { skip }, async () => {
  const own = await opening("@smart-light");
  const token = new URL(own.address).pathname.replaceAll("/", "");
  assert.ok(token.length === 32 && !own.opened.includes(token), own.opened);
  const context = await chrome.newContext();
  const made = await context.newPage();
  await made.goto(own.opened);
  await made.getByText("well-formed").waitFor();
  assert.ok(made.url().startsWith(own.address), made.url());
  const other = await context.newPage();
  assert.equal((await other.goto(own.opened)).status(), 403);
  await other.getByText("it was used before").waitFor();
  await context.close();
  assert.equal(await own.stop(), 0);
});

test("a studio that ended is told", { skip }, async () => {
  const short = await studio("@smart-light");
  const { made, done, complaints } = await page("model", "@smart-light", { address: short.address });
  await made.getByText("well-formed").waitFor();
  assert.equal(await short.stop(), 0);
  await made.getByLabel("Ask").fill("E<> Light.Bright");
  await made.getByLabel("Ask").press("Enter");
  await made.getByRole("alert").getByText(/not running any more/).waitFor();
  complaints.splice(0);
  await done();
});

test("keyboard alone: from the tabs to a move, a goal and a run", { skip }, async () => {
  const { made, done } = await page("model", "@conveyor-game");
  await made.getByText("well-formed").waitFor();
  const focus = () => made.evaluate(() => (document.activeElement?.textContent ?? "").trim());
  const tabTo = async (wanted, most = 60) => {
    await made.locator("button, [role=tab], [role=option], [data-node]", { hasText: wanted }).first().waitFor({ state: "attached" });
    for (let press = 0; press < most; press++) {
      await made.keyboard.press("Tab");
      if (wanted.test(await focus())) return;
      // The editor keeps Tab for itself only if it is asked to; here it passes on.
    }
    assert.fail(`no way to ${wanted} by Tab`);
  };
  await tabTo(/^Model$/);
  await made.keyboard.press("ArrowRight");
  await made.locator(".choices .move").first().waitFor();
  await tabTo(/^ship1\?/);
  await made.keyboard.press("Enter");
  await made.locator(".trace .what", { hasText: "ship1?" }).waitFor();
  await tabTo(/^Undo$/);
  await made.keyboard.press("Enter");
  await made.locator("#tab-simulator").focus();
  await made.keyboard.press("ArrowRight");
  await made.locator('.states-panes [data-node][tabindex="0"]').waitFor();
  await made.locator("#tab-states").focus();
  await made.keyboard.press("ArrowRight");
  await made.locator('.games-panes [data-node][tabindex="0"]').waitFor();
  await tabTo(/^St/);
  for (let press = 0; press < 4; press++) await made.keyboard.press("ArrowRight");
  await made.keyboard.press("Enter");
  await made.locator(".goal").getByText("Belt.D2A").waitFor();
  await tabTo(/^Solve$/);
  await made.keyboard.press("Enter");
  await made.locator(".plot .rank").first().waitFor();
  // A query, a check, a test case and a run.
  await made.locator("#tab-games").focus();
  for (let press = 0; press < 3; press++) await made.keyboard.press("ArrowLeft");
  await tabTo(/^Check the model$/, 120);
  await made.keyboard.press("Enter");
  await made.getByText(/things will hurt testing/).waitFor();
  await made.locator("#tab-model").focus();
  for (let press = 0; press < 2; press++) await made.keyboard.press("ArrowLeft");
  await tabTo(/^CancelledAlarm$/);
  await made.keyboard.press("Enter");
  await made.getByRole("heading", { name: "CancelledAlarm" }).waitFor();
  await tabTo(/^text$/);
  await made.keyboard.press("Enter");
  await made.getByText(/test case CancelledAlarm/).waitFor();
  await made.locator("#tab-cases").focus();
  await made.keyboard.press("ArrowRight");
  await made.locator(".run-row").first().waitFor();
  await tabTo(/^Coverage$/);
  await made.keyboard.press("Enter");
  await made.locator(".coverage .seen").first().waitFor();
  await done();
});

for (const width of [1280, 390]) {
  for (const colorScheme of ["light", "dark"]) {
    test(`axe: no serious findings, ${width} wide, ${colorScheme}`, { skip }, async () => {
      const viewport = { width, height: 800 };
      const { made, done } = await page("model", "@conveyor-game", { viewport, colorScheme, bypassCSP: true });
      await made.getByText("well-formed").waitFor();
      for (const [tab, ready, press] of [
        ["model", ".queries"],
        ["model", ".properties", "Check the model"],
        ["simulator", ".choices"],
        ["states", ".plot"],
        ["games", ".plot"],
        ["cases", ".automata"],
        ["runs", ".timing"],
        ["runs", ".results", "Results"],
        ["runs", ".event-row.sent", "Events"],
        ["runs", ".coverage .seen", "Coverage"],
        ["runs", ".timings .timing", "Compare"],
        ["runs", ".heat .cell", "mutants.journal"],
      ]) {
        await made.locator(`#tab-${tab}`).click();
        if (press?.endsWith(".journal")) await made.getByLabel("Journal", { exact: false }).first().selectOption(press);
        else if (press) await made.getByRole("button", { name: press }).click();
        await made.locator(ready).first().waitFor();
        await made.evaluate(axe.source);
        const found = await made.evaluate(async () => {
          const { violations } = await window.axe.run(document, { resultTypes: ["violations"] });
          return violations
            .filter((one) => ["serious", "critical"].includes(one.impact))
            .map((one) => `${one.id}: ${one.nodes.map((node) => node.html).slice(0, 3).join(" ")}`);
        });
        assert.deepEqual(found, [], `${tab} ${press ?? ""}`);
        const beyond = await made.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        assert.ok(beyond <= 0, `${tab} ${press ?? ""} is ${beyond} pixels too wide`);
      }
      await done();
    });
  }
}
