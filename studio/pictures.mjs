// Makes the screenshots of docs/studio.md: `npm run pictures`. They are made anew after a change of the page.
import { mkdtempSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { browser, run, studio } from "./tests/harness.mjs";

const root = new URL("../", import.meta.url).pathname;
const out = join(root, "docs/pictures");
const folder = mkdtempSync(join(tmpdir(), "tioga-pictures-"));
const system = `python3 ${join(root, "examples/car-alarm/controller.py")} no-flash`;
run(folder, ["synth", "@car-alarm", "-o", "alarm.json"], [0, 1]);
run(folder, ["run", "alarm.json", "--sut", system, "--repeat", "3", "--keep-going", "--journal", "alarm.journal"], [1]);

const server = await studio(folder);
const chrome = await browser();
const page = await chrome.newPage({ viewport: { width: 1180, height: 720 }, colorScheme: "light" });
const view = async (tab, model) => {
  await page.goto("about:blank");
  await page.goto(`${server.address}#${tab}|${encodeURIComponent(model)}`);
};
const shot = async (name) => {
  await page.waitForTimeout(400);
  const path = join(out, `studio-${name}.png`);
  await page.screenshot({ path });
  console.log(`${path}: ${(statSync(path).size / 1024).toFixed(0)} KB`);
};

await view("model", "@smart-light");
await page.getByText("well-formed").waitFor();
await page.locator('.picture [data-edge="3"] path.edge').first().click({ force: true });
await page.locator(".cm-pointed").first().waitFor();
await shot("model");

await view("simulator", "@two-clock-switch");
await page.locator(".choices .move").first().waitFor();
for (const delay of ["30", "24", "10"]) {
  await page.getByLabel("Delay").fill(delay);
  await page.locator(".choices .move").first().click();
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

await view("runs", "@car-alarm");
await page.locator(".sequence").waitFor();
await shot("run");

await chrome.close();
await server.stop();
