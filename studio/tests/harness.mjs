// Starts the studio and a browser, and makes the files that tests and pictures need.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const root = new URL("../../", import.meta.url).pathname;
const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");

/** The binary: `TIOGA`, or what was built last. */
export const tioga = process.env.TIOGA ?? join(target, "debug", "tioga");

/** The browser, if one is installed. */
export const browserPath = ["chromium", "chromium-browser", "google-chrome"]
  .map((name) => join("/usr/bin", name))
  .find((path) => existsSync(path));

/** After so many milliseconds a page hangs: far more than a busy machine needs, so that no verdict depends on its load. */
export const HANGING = 300_000;

/** Waits until a page has handled what came before, and has drawn it. */
export function drawn(page) {
  return page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/** Runs a command of the binary in a folder; which exit codes are fine is said. */
export function run(folder, args, codes = [0]) {
  const done = spawnSync(tioga, args, { cwd: folder, encoding: "utf8" });
  if (!codes.includes(done.status)) throw new Error(`tioga ${args.join(" ")}: ${done.status}\n${done.stderr}`);
  return done.stdout;
}

/** A model with 10,000 states. */
const GRID = `model grid;

input east, south;

int[0, 99] a;
int[0, 99] b;

automaton Walk {
  init location On;

  On -> On : east? when a < 99 do a = a + 1;
  On -> On : south? when b < 99 do b = b + 1;
}
`;

/** A folder with models, suites, journals and the journal of a mutation campaign. */
export function workspace() {
  const folder = mkdtempSync(join(tmpdir(), "tioga-studio-"));
  mkdirSync(join(folder, "models"));
  run(folder, ["convert", "@car-alarm", "-o", "models/car-alarm.tioga"]);
  writeFileSync(join(folder, "models/grid.tioga"), GRID);
  run(folder, ["synth", "@car-alarm", "-o", "alarm.json"], [0, 1]);
  run(folder, ["run", "alarm.json", "--sut", "model:@car-alarm", "--repeat", "20", "--keep-going", "--journal", "alarm.journal"], [0, 1, 5]);
  run(folder, ["synth", "@smart-light", "-p", "reach Light.Bright", "-o", "light.json"], [0, 1]);
  run(folder, ["run", "light.json", "--sut", "model:@problematic-light", "--repeat", "12", "--keep-going", "--journal", "light.journal"], [1]);
  run(folder, ["simulate", "@car-alarm", "--steps", "6", "--seed", "2", "-o", "walk.trace"]);
  run(folder, ["mutation", "@smart-light", "--repeat", "5", "--journal", "mutants.journal"], [0, 1, 3]);
  return folder;
}

/** A studio that runs until `stop`. */
export function studio(what, more = []) {
  return started(["studio", what, "--no-open", ...more], process.env);
}

/** A studio that opens a browser, and the address which that is opened with. */
export async function opening(what) {
  const folder = mkdtempSync(join(tmpdir(), "tioga-browser-"));
  const opened = join(folder, "opened");
  // The file appears as a whole.
  const script = `#!/bin/sh\necho "$1" > ${opened}.part\nmv ${opened}.part ${opened}\n`;
  writeFileSync(join(folder, "xdg-open"), script, { mode: 0o755 });
  const made = await started(["studio", what], { ...process.env, PATH: `${folder}:${process.env.PATH}` });
  while (!existsSync(opened)) await new Promise((resolve) => setTimeout(resolve, 20));
  return { ...made, opened: readFileSync(opened, "utf8").trim() };
}

async function started(args, env) {
  const child = spawn(tioga, args, { stdio: ["ignore", "pipe", "inherit"], env });
  const address = await new Promise((resolve, reject) => {
    child.stdout.on("data", (data) => resolve(String(data).split("\n")[0]));
    child.on("exit", (code) => reject(new Error(`the studio ended with ${code}`)));
  });
  // A test that fails leaves nothing behind.
  process.once("exit", () => child.kill("SIGKILL"));
  const ended = new Promise((resolve) => child.on("exit", resolve));
  const stop = () => {
    child.kill("SIGINT");
    return ended;
  };
  return { address, stop };
}

/** A browser; `--no-sandbox` because tests may run as root. */
export function browser() {
  return chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", "--disable-gpu"] });
}
