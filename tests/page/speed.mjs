// The speed of pages: `node tests/page/speed.mjs`, after ./dev page --check, prints a table. Not a test, as times vary.
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { launch } from "./chromium.mjs";
import { give } from "./command.mjs";

const runs = [
  ["broadcast/sbt-pipelined", "hypercube:10", "--packets", "100", "--words", "100"],
  ["allgather/tea2", "hypercube:10"],
  ["allgather/two-pass", "torus:32x32"],
  ["allgather/sequential", "hypercube:10"],
  ["allgather/daisy-chain", "ring:1024"],
];

const directory = mkdtempSync(join(tmpdir(), "lockstep-speed-"));
process.on("exit", () => rmSync(directory, { recursive: true }));
const browser = await launch();

const seconds = 3;

/** Plays for some seconds from the middle of the run. */
async function play(page, view) {
  await page.getByRole("tab", { name: view, exact: true }).click();
  await page.getByLabel("Speed").selectOption("0.25");
  await page.evaluate(() => {
    window.lockstep.seek(Infinity);
    window.lockstep.seek(window.lockstep.state().position / 2);
  });
  await page.getByRole("button", { name: "Play", exact: true }).click();
  const frames = await page.evaluate(
    (milliseconds) =>
      new Promise((done) => {
        const begin = performance.now();
        let count = 0;
        const next = (now) => (++count, now - begin < milliseconds ? requestAnimationFrame(next) : done(count));
        requestAnimationFrame(next);
      }),
    seconds * 1000,
  );
  await page.keyboard.press("Space");
  const times = await page.evaluate(() => window.lockstep.state().frameMilliseconds);
  const own = times.slice(-frames).sort((a, b) => a - b);
  const at = (part) => own[Math.min(own.length - 1, Math.floor(part * own.length))].toFixed(1);
  return { median: at(0.5), most: at(0.95), rate: (frames / seconds).toFixed(0) };
}

console.log("| run | messages | page | opens in | view | script a frame: median | 95th percentile | frames a second |");
console.log("|---|---|---|---|---|---|---|---|");
for (const [number, [algorithm, machine, ...others]] of runs.entries()) {
  const file = join(directory, `${number}.html`);
  const args = ["--machine", machine, "--algorithm", algorithm, ...others, "--max-events", "2000000"];
  const { status, stdout, stderr } = give("trace", ...args, "--html", file);
  if (status !== 0) throw new Error(stderr);
  const messages = /([\d,]+) messages/.exec(stdout)[1];
  const size = (statSync(file).size / 1e6).toFixed(1);
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  const begin = Date.now();
  await page.goto(pathToFileURL(file).href);
  await page.waitForSelector('#app[data-ready="true"]', { timeout: 120_000 });
  const opening = ((Date.now() - begin) / 1000).toFixed(2);
  for (const view of ["Machine", "Heat map", "Space-time", "Matrix"]) {
    const { median, most, rate } = await play(page, view);
    const run = `${algorithm} on ${machine} | ${messages} | ${size} MB | ${opening} s`;
    console.log(`| ${run} | ${view} | ${median} ms | ${most} ms | ${rate} |`);
  }
  await page.close();
}
await browser.close();
