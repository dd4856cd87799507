// A page for every family of machines: it opens, moves, can be inspected, and shows the counts of the command.
import assert from "node:assert/strict";
import { test } from "node:test";
import { button, clickProcessor, expectCounts, lookAt, picture, positionOf, report, seek, stateOf, tab } from "./browser.mjs";
import { give } from "./command.mjs";

/** Machine, method and other arguments; the family is the part before the colon. */
const runs = [
  ["hypercube:0", "allgather/adea"],
  ["hypercube:4", "allgather/tea2", "--ports", "all"],
  ["hypercube:7", "broadcast/sbt"],
  ["hypercube:12", "broadcast/sbt"],
  ["incomplete-hypercube:3+1", "broadcast/sbt"],
  ["rh:2,2", "broadcast/drbt", "--ports", "all"],
  ["rh:2,1", "scan/hub"],
  ["ring:8", "allgather/daisy-chain"],
  ["path:6", "alltoall/greedy"],
  ["complete:5", "alltoall/cayley"],
  ["torus:4x3", "alltoall/product"],
  ["torus:3x3x3", "alltoall/product"],
  ["mesh:3x3", "alltoall/greedy"],
  ["mesh:3x2x2", "alltoall/product"],
  ["product:ring:3*complete:3", "alltoall/product"],
  ["ccc:3", "alltoall/cayley"],
  ["shuffle-exchange:4", "transpose/shuffles"],
  ["star:4", "alltoall/cayley"],
  ["pancake:4", "alltoall/cayley"],
  ["circulant:8,1,3", "alltoall/cayley"],
  ["graph:tests/machines/petersen.json", "alltoall/greedy"],
  ["graph:tests/machines/petersen.g6", "alltoall/greedy"],
  ["bus:6,kstar=2", "allgather/direct"],
  ["shared:6,kstar=2", "broadcast/direct"],
  ["switch:8", "allgather/doubling"],
  ["omega:8", "allgather/doubling"],
  ["inverse-omega:8", "allgather/doubling"],
  ["indirect-cube:8", "allgather/doubling"],
  ["data-manipulator:8", "allgather/doubling"],
];

test("no family of machines is left out", () => {
  const families = JSON.parse(give("list", "--json").stdout).machines.map((machine) => machine.name ?? machine.family);
  for (const family of families) assert.ok(runs.some(([machine]) => machine.startsWith(`${family}:`)), family);
});

for (const [machine, algorithm, ...others] of runs) {
  const args = ["--machine", machine, "--algorithm", algorithm, ...others];
  test(`${algorithm} on ${machine}`, () => lookAt(args, (page) => explore(page, report(args))));
}

async function explore(page, told) {
  const { processors } = told.machine;
  const { cycles } = told.counted;
  await expectCounts(page, told);
  if (cycles > 0) {
    await stepThrough(page, cycles);
    await scrub(page, cycles);
    await playOn(page);
  }
  await seek(page, cycles / 2);
  await selectProcessor(page, processors);
  for (const view of ["Heat map", "Space-time", "Matrix", "Machine"]) {
    await tab(page, view).click();
    assert.equal(await tab(page, view).getAttribute("aria-selected"), "true");
  }
  for (const panel of await page.getByRole("tablist", { name: "Panel" }).getByRole("tab").all()) {
    await panel.click();
    assert.notEqual((await page.getByRole("tabpanel").innerText()).trim(), "");
  }
}

/** Steps to the end and back, one cycle at a time; in longer runs through the first eight. */
async function stepThrough(page, cycles) {
  await button(page, "To the start").click();
  assert.equal(await positionOf(page), 0);
  const before = await picture(page);
  const stops = Math.min(cycles, 8);
  for (let cycle = 0; cycle < stops; ++cycle) {
    await button(page, "Step forward").click();
    assert.equal(Math.floor(await positionOf(page)), cycle);
    if (cycle === 0) assert.notDeepEqual(await picture(page), before, "nothing moves in the first cycle");
  }
  if (stops === cycles) {
    await button(page, "Step forward").click();
    assert.equal(await positionOf(page), cycles);
    await button(page, "Step back").click();
    assert.equal(Math.floor(await positionOf(page)), cycles - 1);
  }
  for (let cycle = stops - 1; cycle > 0; --cycle) await button(page, "Step back").click();
  await button(page, "Step back").click();
  assert.equal(await positionOf(page), 0);
  await button(page, "To the end").click();
  assert.equal(await positionOf(page), cycles);
}

async function scrub(page, cycles) {
  const { x, y, width, height } = await page.getByLabel("Position", { exact: true }).boundingBox();
  for (const part of [0.25, 0.75]) {
    await page.mouse.click(x + part * width, y + height / 2);
    const reached = (await positionOf(page)) / cycles;
    assert.ok(Math.abs(reached - part) < 0.05, `at ${part} of the scrubber the position is ${reached} of the run`);
  }
}

async function playOn(page) {
  await button(page, "To the start").click();
  await page.getByLabel("Speed").selectOption("0.125");
  await button(page, "Play").click();
  await page.waitForFunction(() => window.lockstep.state().position > 0);
  await button(page, "Pause").click();
  const { playing, position } = await stateOf(page);
  assert.equal(playing, false);
  assert.ok(position < 1, `${position} of a cycle that takes eight seconds is over`);
}

/** Selects the last but one, or the only one. In the matrix of a large machine a pixel is several processors. */
async function selectProcessor(page, processors) {
  const wanted = Math.max(0, processors - 2);
  await tab(page, "Machine").click();
  await clickProcessor(page, 0, wanted);
  const { run, rank } = (await stateOf(page)).selected;
  assert.equal(run, 0);
  assert.ok(Math.abs(rank - wanted) <= processors / 500, `selected ${rank} instead of ${wanted}`);
  assert.match(await page.getByRole("tabpanel").innerText(), new RegExp(`\\b${rank}\\b`));
  await page.keyboard.press("Escape");
  assert.equal((await stateOf(page)).selected, null);
}
