// How fast large things are shown: a model of 200 locations, and a journal of 100,000 events.
import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { browser, browserPath, HANGING, run, studio } from "./harness.mjs";

const skip = browserPath ? false : "chromium is not installed";
// A debug build on a busy machine takes longer, so the times are only told, unless `TIOGA_SPEED=1` holds the page to its
// promise; `TIOGA` then names an optimised binary.
const strict = process.env.TIOGA_SPEED === "1";

test("a model of 200 locations is drawn, and a journal of 100,000 events opens and scrolls", { skip }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "tioga-speed-"));
  const lines = ["input go; output done;", "automaton Large {", "  clock x;", "  init location L0;"];
  for (let at = 1; at < 200; at++) lines.push(`  location L${at} invariant x <= ${at % 7 + 3};`);
  for (let at = 0; at < 200; at++) {
    lines.push(`  L${at} -> L${(at + 1) % 200} : go? when x >= 1 do x = 0;`);
    if (at % 5 === 0) lines.push(`  L${at} -> L${(at * 7 + 3) % 200} : done!;`);
  }
  lines.push("}");
  writeFileSync(join(folder, "large.tioga"), lines.join("\n"));
  run(folder, ["synth", "@car-alarm", "-o", "alarm.json"], [0, 1]);
  run(folder, ["run", "alarm.json", "--sut", "model:@car-alarm", "--repeat", "2500", "--jobs", "2", "--journal", "long.journal"], [0, 1, 5]);
  const server = await studio(folder);
  const chrome = await browser();
  const made = await chrome.newPage({ viewport: { width: 1280, height: 800 } });
  made.setDefaultTimeout(HANGING);
  await made.goto(server.address);
  await made.locator(".picture svg").waitFor();
  // From the choice of the model to its picture and its text in the page.
  await made.locator(".open select").selectOption("@smart-light");
  await made.locator(".cm-line", { hasText: "smart_light" }).first().waitFor();
  const drawn = await made.evaluate(async () => {
    const choice = document.querySelector(".open select");
    const begun = performance.now();
    choice.value = "large.tioga";
    choice.dispatchEvent(new Event("change", { bubbles: true }));
    while (!document.querySelector('.picture [data-node="199"]')) await new Promise((resolve) => requestAnimationFrame(resolve));
    document.querySelector(".picture").getBoundingClientRect();
    return performance.now() - begun;
  });
  assert.equal(await made.locator(".picture [data-node]").count(), 200);
  console.log(`200 locations drawn in ${drawn.toFixed(0)} ms`);
  if (strict) assert.ok(drawn < 300, `${drawn} ms`);

  const start = performance.now();
  await made.locator("#tab-runs").click();
  await made.locator(".run-row").first().waitFor();
  const opened = performance.now() - start;
  await made.getByRole("button", { name: "Events" }).click();
  const text = await made.locator(".events .detail").textContent();
  const events = Number(text.replace(/\D/g, ""));
  console.log(`${events} events opened in ${opened.toFixed(0)} ms`);
  assert.ok(events >= 100_000, text);
  if (strict) assert.ok(opened < 1000, `${opened} ms`);
  await made.locator(".event-row.sent, .event-row.heard").first().waitFor();
  const worst = await made.evaluate(async () => {
    const list = document.querySelector(".events .virtual");
    let worst = 0;
    let last = performance.now();
    for (let frame = 0; frame < 60; frame++) {
      list.scrollTop += 1500;
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const now = performance.now();
      worst = Math.max(worst, now - last);
      last = now;
    }
    return { worst, rows: list.querySelectorAll(".row").length };
  });
  console.log(`longest frame while scrolling ${worst.worst.toFixed(0)} ms, ${worst.rows} rows drawn`);
  assert.ok(worst.rows < 200, "only what is visible is drawn");
  if (strict) assert.ok(worst.worst < 100, `${worst.worst} ms`);
  await made.evaluate(() => {
    const list = document.querySelector(".events .virtual");
    list.scrollTop = list.scrollHeight;
  });
  await made.locator(".event-row .number", { hasText: "9999" }).first().waitFor();
  await chrome.close();
  await server.stop();
});
