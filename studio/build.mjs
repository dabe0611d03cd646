// Bundles the page into crates/viewer/bundle. With `--check`, says whether what is there is what would be written.
import { build } from "esbuild";
import { readFileSync, writeFileSync } from "node:fs";
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
  write: false,
});
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
