// Bundles the page into crates/viewer/bundle. With `--check`, says whether what is there is what would be written.
import { build } from "esbuild";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const out = new URL("../crates/viewer/bundle/", import.meta.url);
const limit = 400 * 1024;

const result = await build({
  entryPoints: [new URL("src/main.tsx", import.meta.url).pathname],
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "none",
  charset: "utf8",
  metafile: true,
  write: false,
});

/** The licences of the packages in the bundle. */
function licences(inputs) {
  const found = inputs.map((input) => /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)).filter((match) => match !== null);
  const folders = new Map(found.map((match) => [match[1], new URL(match[0].replace(/^.*?node_modules/, "node_modules"), import.meta.url)]));
  const texts = [...folders].sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, folder]) => {
    const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
    const { version } = JSON.parse(readFileSync(new URL("package.json", folder), "utf8"));
    if (!file || !existsSync(new URL(file, folder))) throw new Error(`${name} has no licence`);
    return `${name} ${version}\n\n${readFileSync(new URL(file, folder), "utf8").trim()}\n`;
  });
  return `The page of the studio contains these packages.\n\n${texts.join(`\n${"-".repeat(80)}\n\n`)}`;
}

const style = await build({
  entryPoints: [new URL("src/style.css", import.meta.url).pathname],
  bundle: true,
  minify: true,
  write: false,
});
const files = {
  "app.js": result.outputFiles[0].text,
  "app.css": style.outputFiles[0].text,
  "index.html": readFileSync(new URL("src/index.html", import.meta.url), "utf8"),
  "licences.txt": licences(Object.keys(result.metafile.inputs)),
};

const all = Object.values(files).join("");
const size = gzipSync(all).length;
console.log(`${(all.length / 1024).toFixed(0)} KB, compressed ${(size / 1024).toFixed(0)} KB`);
if (size > limit) {
  console.error(`the bundle is larger than ${limit / 1024} KB compressed`);
  process.exit(1);
}
let differs = false;
for (const [name, text] of Object.entries(files)) {
  const path = new URL(name, out);
  if (process.argv.includes("--check")) {
    const there = readFileSync(path, "utf8");
    if (there !== text) {
      console.error(`crates/viewer/bundle/${name} differs from its source: run \`npm run build\` in studio`);
      differs = true;
    }
  } else {
    writeFileSync(path, text);
  }
}
if (differs) process.exit(1);
