// Colours that carry meaning have a contrast of 3 to 1 to their background (WCAG 2.1, 1.4.11).
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { root } from "./command.mjs";

const folder = join(root, "cli/trace/page");

/** The page's own colours.ts with its dependencies. */
async function colours() {
  const { build } = await import(pathToFileURL(join(folder, "node_modules/vite/dist/node/index.js")));
  const [{ output }] = await build({
    root: folder,
    configFile: false,
    logLevel: "silent",
    build: { write: false, lib: { entry: join(folder, "src/colours.ts"), formats: ["es"] } },
  });
  return import(`data:text/javascript;base64,${Buffer.from(output[0].code).toString("base64")}`);
}

function luminance(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one, other) {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

test("messages of every origin and phase stand out from the page's ground", async () => {
  const { Palette } = await colours();
  const grounds = [...readFileSync(join(folder, "src/style.css"), "utf8").matchAll(/--background: (#\w{6});/g)];
  assert.ok(grounds.length >= 2, "light and dark");
  for (const [, ground] of grounds) {
    for (const colouring of ["origin", "phase"]) {
      for (const count of [2, 10, 64]) {
        const run = { processors: count, phases: Array.from({ length: count }, (_, i) => `phase ${i}`) };
        for (const colour of new Palette(run, colouring, { dark: luminance(ground) < 0.5 }).colours) {
          assert.ok(contrast(colour, ground) >= 3, `${colouring}: ${colour} on ${ground}`);
        }
      }
    }
  }
});
