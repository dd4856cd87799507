// Several runs on one page, with one clock.
import assert from "node:assert/strict";
import { test } from "node:test";
import { button, clickProcessor, expectCounts, lookAt, picture, positionOf, report, seek, stateOf, tab } from "./browser.mjs";

const tea1 = ["--machine", "hypercube:4", "--algorithm", "allgather/tea1"];

test("two methods side by side", () => {
  const others = ["--against", "allgather/tea2"];
  const tea2 = ["--machine", "hypercube:4", "--algorithm", "allgather/tea2"];
  return lookAt([...tea1, ...others], async (page) => {
    const [first, second] = [report(tea1), report(tea2)];
    assert.equal(await page.locator(".pane").count(), 2);
    await expectCounts(page, first, 0);
    await expectCounts(page, second, 1);
    await button(page, "To the end").click();
    assert.equal(await positionOf(page), Math.max(first.counted.cycles, second.counted.cycles));
    await seek(page, 0.5);
    for (const view of ["Heat map", "Space-time", "Matrix", "Machine"]) await tab(page, view).click();
    await clickProcessor(page, 1, 5);
    assert.deepEqual((await stateOf(page)).selected, { run: 1, rank: 5 });
    assert.match(await page.getByRole("tabpanel").innerText(), /tea2/);
  });
});

test("port models side by side", () => {
  const one = ["--machine", "hypercube:3", "--algorithm", "broadcast/drbt", "--ports", "one"];
  return lookAt([...one, "--against", "broadcast/drbt@all"], async (page) => {
    const all = report([...one.slice(0, -1), "all"]);
    await expectCounts(page, report(one), 0);
    await expectCounts(page, all, 1);
  });
});

test("six machines side by side, each in its own picture", () => {
  const machines = ["ring:16", "torus:4x4", "switch:16"].map((machine) => `allgather/daisy-chain@one@${machine}`);
  const media = ["bus:16", "shared:16,kstar=8"].map((machine) => `allgather/direct@one@${machine}`);
  const others = [...machines, ...media].flatMap((other) => ["--against", other]);
  const cube = ["--machine", "hypercube:4", "--algorithm", "allgather/adea", "--ports", "one"];
  return lookAt([...cube, ...others], async (page) => {
    assert.equal(await page.locator(".pane").count(), 6);
    await expectCounts(page, report(cube), 0);
    const bus = ["--machine", "bus:16", "--algorithm", "allgather/direct", "--ports", "one"];
    await expectCounts(page, report(bus), 4);
    const before = await picture(page);
    await seek(page, 0.5);
    assert.notDeepEqual(await picture(page), before);
    for (const run of [0, 1, 2, 3, 4, 5]) {
      await clickProcessor(page, run, 7);
      assert.deepEqual((await stateOf(page)).selected, { run, rank: 7 });
    }
  });
});
