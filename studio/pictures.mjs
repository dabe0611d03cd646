// Makes the screenshots of the documentation: `npm run pictures`. They are made anew after a change of the page.
import { mkdtempSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { browser, run, studio } from "./tests/harness.mjs";

const root = new URL("../", import.meta.url).pathname;
const out = join(root, "docs/pictures");
const folder = mkdtempSync(join(tmpdir(), "tioga-pictures-"));
const system = "python3 examples/car-alarm/controller.py no-flash";
const suite = join(folder, "alarm.json");
run(root, ["synth", "@car-alarm", "-o", suite], [0, 1]);
run(root, ["run", suite, "--sut", system, "--repeat", "3", "--keep-going", "--journal", join(folder, "alarm.journal")], [1]);

run(root, ["synth", "@smart-light", "-p", "reach Light.Bright", "-o", join(folder, "light.json")], [0, 1]);
const server = await studio(folder);
const chrome = await browser();
const page = await chrome.newPage({ viewport: { width: 1180, height: 720 }, colorScheme: "light" });
page.setDefaultTimeout(15_000);
const view = async (tab, model) => {
  await page.goto("about:blank");
  await page.goto(`${server.address}#${tab}|${encodeURIComponent(model)}`);
};
const shot = async (name) => {
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.mouse.move(0, 0);
  await page.waitForTimeout(400);
  const path = join(out, `studio-${name}.png`);
  await page.screenshot({ path });
  console.log(`${path}: ${(statSync(path).size / 1024).toFixed(0)} KB`);
};

await view("model", "@smart-light");
await page.getByText("well-formed").waitFor();
await page.locator('.picture [data-edge="3"] path.edge').first().dispatchEvent("click");
await page.locator(".cm-pointed").first().waitFor();
await shot("model");

await view("simulator", "@smart-light");
await page.locator(".choices .move").first().waitFor();
for (const [delay, move] of [["30", "touch?"], ["24", "dim!"], ["12", "touch?"]]) {
  await page.getByLabel("Delay").fill(delay);
  await page.locator(".choices .move", { hasText: move }).first().click();
  await page.waitForTimeout(300);
}
await page.locator(".plot").waitFor();
await shot("simulator");

await view("games", "@conveyor-game");
await page.locator(".plot .rank").first().waitFor();
const plot = await page.locator(".plot").boundingBox();
await page.mouse.move(plot.x + plot.width * 0.55, plot.y + plot.height * 0.7);
await page.locator(".advice", { hasText: "take ship2? now" }).waitFor();
await shot("ranks");

await view("states", "@smart-light");
for (const state of [1, 2, 3, 4]) {
  await page.locator(`.picture [data-node="${state}"]`).click();
  await page.getByRole("heading", { name: `State ${state}` }).waitFor();
  await page.waitForTimeout(300);
}
await page.locator('.picture [data-node="2"]').click();
await page.getByRole("heading", { name: "State 2" }).waitFor();
await shot("states");

await view("cases", "@smart-light");
await page.locator(".cases-panes select").selectOption("light.json");
await page.locator(".automata .node.fail").first().waitFor();
await shot("case");

await page.setViewportSize({ width: 1180, height: 840 });
await view("runs", "@car-alarm");
await page.locator(".timing").waitFor();
await shot("run");

await chrome.close();
await server.stop();
