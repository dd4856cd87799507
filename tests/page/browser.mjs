// Pages as the command writes them, opened in Chromium from the file system; any other request of a page is denied.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { pathToFileURL } from "node:url";
import { launch } from "./chromium.mjs";
import { give } from "./command.mjs";

let browser;
let directory;
let pages = 0;

before(async () => {
  directory = mkdtempSync(join(tmpdir(), "lockstep-page-"));
  browser = await launch();
});

after(async () => {
  await browser?.close();
  if (directory) rmSync(directory, { recursive: true, force: true });
});

/** A file or folder that is removed after the tests. */
export function temporary(name) {
  return join(directory, name);
}

/** The report of `run --json` for the run that `trace` with these arguments shows. */
export function report(args) {
  return JSON.parse(give("run", ...args, "--json", "-").stdout);
}

/** The file of a page, written by the command, which must exit with `exitCode`. */
export function write(args, { command = "trace", exitCode = 0 } = {}) {
  const file = temporary(`${++pages}.html`);
  const { status, stderr } = give(command, ...args, "--html", file);
  assert.equal(status, exitCode, `${command} ${args.join(" ")}: ${stderr}`);
  return file;
}

/**
 * Opens the page of a file, waits until it is ready, and checks it. No page may request anything but itself, write
 * an error to the console, or throw one, except those that are `expected`.
 */
export async function look(file, visit, { context: options = {}, ready = '#app[data-ready="true"]', expected } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  try {
    const page = await context.newPage();
    const address = pathToFileURL(file).href;
    const faults = [];
    await context.route("**/*", (route) => {
      if (route.request().url() === address) return route.continue();
      faults.push(`asked for ${route.request().url()}`);
      return route.abort();
    });
    page.on("console", (message) => {
      if (message.type() === "error") faults.push(message.text());
    });
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("dialog", (dialog) => {
      faults.push(`dialog: ${dialog.message()}`);
      return dialog.dismiss();
    });
    await page.goto(address);
    await page.waitForSelector(ready);
    await visit(page);
    assert.deepEqual(faults.filter((fault) => !expected?.test(fault)), []);
  } finally {
    await context.close();
  }
}

/** The page of one command. */
export function lookAt(args, visit, options = {}) {
  return look(write(args, options), visit, options);
}

export function stateOf(page) {
  return page.evaluate(() => window.lockstep.state());
}

export async function positionOf(page) {
  return (await stateOf(page)).position;
}

export function seek(page, position) {
  return page.evaluate((to) => window.lockstep.seek(to), position);
}

/** The button of that name, exactly. */
export function button(page, name) {
  return page.getByRole("button", { name, exact: true });
}

export function tab(page, name) {
  return page.getByRole("tab", { name, exact: true });
}

/** Clicks a processor in the machine's picture. */
export async function clickProcessor(page, run, rank) {
  const { x, y } = await page.evaluate(([r, p]) => window.lockstep.place(r, p), [run, rank]);
  await page.mouse.click(x, y);
}

/** The pictures as they are now. */
export function picture(page) {
  return page.locator(".stage").screenshot();
}

/** The numbers that a row of the table shows, as in the JSON. */
export function numbersOf(page, count) {
  return page
    .locator(`table.numbers [data-count="${count}"] [data-value]`)
    .evaluateAll((cells) => cells.map((cell) => Number(cell.dataset.value)));
}

/** Checks that the table has the counts of the report and, for a single run, the predictions and bounds. */
export async function expectCounts(page, { counted, predicted, lower_bound, modelled_time }, column = null) {
  await tab(page, "Numbers").click();
  const expected = { synchronous: modelled_time.synchronous, asynchronous: modelled_time.asynchronous, ...counted };
  for (const count of ["steps", "messages", "words", "longest_sum", "startups"]) {
    const all = [counted[count], predicted[count]?.value, lower_bound[count]].filter((number) => number != null);
    if (column === null) assert.deepEqual(await numbersOf(page, count), all, count);
  }
  for (const count of ["steps", "messages", "words", "longest_sum", "synchronous", "asynchronous"]) {
    assert.equal((await numbersOf(page, count))[column ?? 0], expected[count], count);
  }
}
