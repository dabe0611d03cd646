// The static report in a real browser: one file without network, readable wide and narrow, light and dark.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import axe from "axe-core";
import { browser, browserPath, run } from "./harness.mjs";

const skip = browserPath ? false : "chromium is not installed";
let chrome, path;

before(async () => {
  if (skip) return;
  const folder = mkdtempSync(join(tmpdir(), "tioga-report-"));
  run(folder, ["synth", "@car-alarm", "-o", "alarm.json"], [0, 1]);
  run(folder, ["run", "alarm.json", "--sut", "model:@car-alarm", "--repeat", "2", "--keep-going", "--journal", "good.journal"], [0, 1, 5]);
  run(folder, ["synth", "@smart-light", "-p", "reach Light.Bright", "-o", "light.json"], [0, 1]);
  // A name that a browser would like to break.
  const system = "a-light-that-has-a-problem/and-a-rather-long-name-of-its-own.tioga";
  mkdirSync(join(folder, "a-light-that-has-a-problem"));
  run(folder, ["convert", "@problematic-light", "-o", system]);
  run(folder, ["run", "light.json", "--sut", `model:${system}`, "--repeat", "6", "--keep-going", "--journal", "bad.journal"], [1]);
  for (const name of ["good", "bad"]) run(folder, ["report", `${name}.journal`, "--html", `${name}.html`]);
  path = (name) => `file://${join(folder, name)}.html`;
  chrome = await browser();
});
after(async () => {
  if (!skip) await chrome.close();
});

/** The words in tables that stand on two lines. */
function brokenWords() {
  const broken = [];
  const range = document.createRange();
  for (const cell of document.querySelectorAll("th, td")) {
    const walk = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
      for (const word of walk.currentNode.data.matchAll(/\S+/g)) {
        range.setStart(walk.currentNode, word.index);
        range.setEnd(walk.currentNode, word.index + word[0].length);
        const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
        if (lines.size > 1) broken.push(word[0]);
      }
    }
  }
  return broken;
}

for (const width of [1280, 390]) {
  for (const colorScheme of ["light", "dark"]) {
    test(`the report is readable, ${width} wide, ${colorScheme}`, { skip }, async () => {
      for (const name of ["good", "bad"]) {
        const page = await chrome.newPage({ viewport: { width, height: 800 }, colorScheme, reducedMotion: "reduce" });
        const [complaints, requests] = [[], []];
        page.on("console", (message) => complaints.push(message.text()));
        page.on("request", (request) => requests.push(request.url()));
        await page.goto(path(name));
        await page.evaluate(() => document.querySelectorAll("details").forEach((one) => (one.open = true)));
        assert.ok((await page.locator(".timing").count()) > 0, "timing diagrams");
        assert.ok((await page.locator(".automata").count()) > 0, "pictures");
        assert.deepEqual(await page.evaluate(brokenWords), [], "no word of a table is broken");
        const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        assert.ok(beyond <= 0, `${name} is ${beyond} pixels too wide`);
        await page.evaluate(axe.source);
        const found = await page.evaluate(async () => {
          const { violations } = await window.axe.run(document, { resultTypes: ["violations"] });
          return violations
            .filter((one) => ["serious", "critical"].includes(one.impact))
            .map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 200)).slice(0, 3).join(" ")}`);
        });
        assert.deepEqual(found, [], name);
        assert.deepEqual(complaints, []);
        assert.deepEqual(requests, [path(name)], "nothing else is loaded");
        await page.close();
      }
    });
  }
}
