// A page makes no requests, and names and labels stay text.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { button, look, lookAt, seek, tab, temporary, write } from "./browser.mjs";
import { changed, dataOf } from "./data.mjs";

const args = ["--machine", "hypercube:3", "--algorithm", "allgather/adea"];

test("no address of another file is in the page", () =>
  look(write(args), async (page) => {
    for (const view of ["Heat map", "Space-time", "Matrix", "Machine"]) await tab(page, view).click();
    const addresses = await page.evaluate(() =>
      ["src", "href", "srcset", "xlink:href", "action", "data", "poster"].flatMap((name) =>
        [...document.querySelectorAll(`[${CSS.escape(name)}]`)].map((each) => each.getAttribute(name)),
      ),
    );
    for (const address of addresses) assert.match(address, /^(data:|#)/);
  }));

test("no address of another file is in its text", () => {
  const text = readFileSync(write(args), "utf8");
  for (const [attribute] of text.matchAll(/\b(?:src|href)\s*=\s*["'`][^"'`]*["'`]/g)) {
    assert.doesNotMatch(attribute, /(https?:)?\/\//);
  }
  for (const [used] of text.matchAll(/url\([^)]*\)|@import[^;]*;/g)) assert.doesNotMatch(used, /\/\//);
});

test("the page's policy allows no connection", () =>
  look(write(args), async (page) => {
    const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute("content");
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /connect-src|https?:|\*/);
  }));

test("a page whose data is cut says so", () => {
  const file = temporary("cut.html");
  writeFileSync(file, readFileSync(write(args), "utf8").replace(/(octet-stream">)[^<]{40}/, "$1"));
  const visit = async (page) => assert.match(await page.getByRole("alert").innerText(), /cannot be shown/);
  return look(file, visit, { ready: '[role="alert"]', expected: /Error/ });
});

const planted = [
  "</script><img src=x onerror=alert(1)>",
  "<!--<script>alert(2)</script>",
  '"><svg onload=alert(3)>',
  "' onmouseover='alert(4)",
  "\u2028alert(5)//",
  "${alert(6)}",
  "&lt;b&gt;",
];

/** Opens every view and panel and finds no element that the page's own sources do not make. */
async function expectText(page, text) {
  for (const view of ["Heat map", "Space-time", "Matrix", "Machine"]) await tab(page, view).click();
  for (const position of [0, 0.5, 1.5]) await seek(page, position);
  await page.keyboard.press("n");
  let shown = "";
  for (const panel of await page.getByRole("tablist", { name: "Panel" }).getByRole("tab").all()) {
    await panel.click();
    shown += await page.evaluate(() => document.body.textContent);
    assert.equal(await page.locator("img, svg[onload], iframe, object, embed, [onmouseover], b").count(), 0);
  }
  assert.ok(shown.includes(text), `${text} is not shown`);
  await button(page, "To the end").click();
}

test("labels of a graph stay text", () => {
  const file = temporary("labels.json");
  const nodes = planted.map((label, id) => ({ id, label }));
  const edges = planted.map((_, id) => ({ source: id, target: (id + 1) % planted.length }));
  writeFileSync(file, JSON.stringify({ directed: false, multigraph: false, nodes, edges }));
  return lookAt(["--machine", `graph:${file}`, "--algorithm", "alltoall/greedy"], async (page) => {
    await expectText(page, planted[0]);
    await page.keyboard.press("Escape");
    for (const label of planted) {
      await page.keyboard.press("n");
      assert.ok((await page.getByRole("tabpanel").innerText()).includes(label.trim()), label);
    }
  });
});

test("names of files stay text", () => {
  const name = "<img src=x onerror=alert(1)> & ' \" <b>.edges";
  writeFileSync(temporary(name), "0 1\n1 2\n2 0\n");
  const file = write(["--machine", `graph:${temporary(name)}`, "--algorithm", "alltoall/greedy"]);
  assert.ok(!readFileSync(file, "utf8").includes("<img"));
  return look(file, async (page) => {
    assert.ok((await page.title()).includes(name));
    await expectText(page, name);
  });
});

test("whatever the data says stays text", () => {
  const file = write(args);
  const text = planted[0];
  const other = changed(file, temporary("planted.html"), (page) => {
    page.title = text;
    const [run] = page.runs;
    run.summary = text;
    run.code = { lines: [text], cycles: [[0, 0, text]], why: text };
    run.report.problems = [text];
    Object.assign(run.report.algorithm, { name: text, operation: text, source: text, parameters: { [text]: text } });
    run.report.machine.spec = text;
    run.report.predicted.steps.formula = text;
    run.report.error = { kind: text, text };
    for (const node of run.graph.nodes) node.label = text;
    for (const transfer of run.trace.transfers) transfer.phase = text;
  });
  assert.equal(dataOf(other).title, text);
  return look(other, (page) => expectText(page, text));
});
