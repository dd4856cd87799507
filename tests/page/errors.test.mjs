// Pages of runs that ended in an error show the error and the run up to it.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { button, clickProcessor, look, lookAt, positionOf, seek, tab, temporary, write } from "./browser.mjs";
import { changed } from "./data.mjs";

async function expectAlert(page, ...patterns) {
  const alert = page.getByRole("alert");
  assert.equal(await alert.count(), 1);
  for (const pattern of patterns) assert.match(await alert.innerText(), pattern);
  // All views and controls still work.
  for (const view of ["Heat map", "Space-time", "Matrix", "Machine"]) await tab(page, view).click();
  for (const panel of await page.getByRole("tablist", { name: "Panel" }).getByRole("tab").all()) await panel.click();
  for (const control of ["Step forward", "To the end", "Step back", "To the start"]) await button(page, control).click();
}

/** The number of red points in the pictures; processors and ports named by an error are red. */
function redPoints(page) {
  return page.locator(".picture canvas").first().evaluate((canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let red = 0;
    for (let i = 0; i < data.length; i += 4) {
      if (data[i + 3] > 200 && data[i] > 150 && data[i + 1] < 60 && data[i + 2] < 80) ++red;
    }
    return red;
  });
}

test("a second send under one port", () =>
  lookAt(
    ["--machine", "hypercube:4", "--algorithm", "allgather/tea2", "--ports", "one"],
    async (page) => {
      await expectAlert(page, /cycle 0, rank 0, ports 0 and 1/, /second send/);
      await button(page, "To the end").click();
      assert.ok((await redPoints(page)) > 100, "neither the processor nor its ports are marked");
    },
    { exitCode: 2 },
  ));

test("a run that does not end", () =>
  lookAt(
    ["--machine", "hypercube:3", "--algorithm", "allgather/tea2", "--max-cycles", "2"],
    async (page) => {
      await expectAlert(page, /livelock/);
      assert.ok((await positionOf(page)) >= 0);
    },
    { exitCode: 1 },
  ));

test("an error beside a run that succeeds", () =>
  lookAt(
    ["--machine", "hypercube:3", "--algorithm", "allgather/adea", "--ports", "one", "--against", "allgather/tea2"],
    (page) => expectAlert(page, /tea2/, /second send/),
    { exitCode: 2 },
  ));

/** Every processor waits for the next on a ring. */
const deadlock = {
  kind: "deadlock",
  text: "allgather/daisy-chain: deadlock: rank 0 waits for rank 1, which waits for rank 2, which waits for rank 0",
  cycle: 2,
  rank: 0,
  ports: [0],
  waits: [0, 1, 2].map((rank) => ({
    rank,
    port: rank === 2 ? null : 0,
    since: 1,
    neighbour: (rank + 1) % 3,
    neighbour_ended: false,
    neighbour_failed: null,
  })),
};

test("a deadlock", async () => {
  const file = write(["--machine", "ring:3", "--algorithm", "allgather/daisy-chain"]);
  const broken = changed(file, temporary("deadlock.html"), ({ runs: [run] }) => {
    Object.assign(run.report, { status: "failed", error: deadlock });
    for (const count of Object.keys(run.report.counted)) run.report.counted[count] = null;
  });
  await look(broken, async (page) => {
    await expectAlert(page, /deadlock/);
    await button(page, "To the end").click();
    assert.ok((await redPoints(page)) > 100, "waits are not marked");
    await tab(page, "Waits").click();
    const waits = await page.getByRole("tabpanel").innerText();
    for (const wait of ["0 waits for 1", "1 waits for 2", "2 waits for any processor, such as 0"]) assert.ok(waits.includes(wait), waits);
  });
});

test("messages that are dropped and delayed", async () => {
  const machine = ["--machine", "hypercube:3", "--algorithm", "broadcast/msbt-redundant"];
  const faults = ["--drop", "0-1@0", "--delay", "0-2@1"];
  await lookAt([...machine, ...faults], async (page) => {
    const marked = async (cycle) => {
      await seek(page, cycle + 0.5);
      return redPoints(page);
    };
    assert.ok((await marked(0)) > 40, "the dropped message is not marked");
    assert.ok((await marked(1)) > 40, "the delayed message is not marked");
    assert.equal(await marked(2), 0);
    await tab(page, "Space-time").click();
    assert.ok((await redPoints(page)) > 40, "the diagram does not mark the dropped message");
    const panel = page.getByRole("tabpanel");
    await tab(page, "Numbers").click();
    assert.match(await panel.innerText(), /--drop 0-1@0 --delay 0-2@1:1/);
    await tab(page, "Machine").click();
    await clickProcessor(page, 0, 0);
    await tab(page, "Processor").click();
    const text = await panel.innerText();
    for (const line of [/→ 1: .*, dropped/, /→ 2: .*, delayed/, /unknown: some messages did not arrive/]) assert.match(text, line);
  });
});

test("a message that comes late to one of its receivers", () =>
  lookAt(["--machine", "bus:4", "--algorithm", "broadcast/direct", "--delay", "0-2@0"], async (page) => {
    const of = async (rank) => {
      await clickProcessor(page, 0, rank);
      await tab(page, "Processor").click();
      return page.getByRole("tabpanel").innerText();
    };
    assert.match(await of(2), /← 0: .*, delayed/);
    assert.doesNotMatch(await of(1), /delayed/);
  }));

test("a deadlock on a processor that has failed", () =>
  lookAt(
    ["--machine", "path:2", "--algorithm", "broadcast/bfs-tree", "--root", "1", "--fail-processor", "1@0"],
    async (page) => {
      await tab(page, "Waits").click();
      assert.match(await page.getByRole("tabpanel").innerText(), /0 waits for 1 on port 0, which failed in cycle 0/);
    },
    { exitCode: 1 },
  ));

/** Writes a schedule for validate; a step is a list of messages [from, to, origin, destination]. */
function schedule(name, ...steps) {
  const file = temporary(`${name}.json`);
  writeFileSync(file, JSON.stringify({ schema: 1, machine: "path:3", processors: 3, combined: false, steps }));
  return [file, "--machine", "path:3"];
}

const good = [
  [[0, 1, 0, 2], [1, 2, 1, 2]],
  [[0, 1, 0, 1], [1, 2, 0, 2]],
  [[1, 0, 1, 0], [2, 1, 2, 0]],
  [[1, 0, 2, 0], [2, 1, 2, 1]],
];

test("a schedule that does what it has to", () =>
  lookAt(
    schedule("good", ...good),
    async (page) => {
      assert.equal(await page.getByRole("alert").count(), 0);
      await button(page, "To the end").click();
      assert.equal(await positionOf(page), 4);
    },
    { command: "validate" },
  ));

test("a schedule that sends twice at once", () =>
  lookAt(
    schedule("twice", good[0], [...good[1], [1, 0, 1, 0]]),
    async (page) => {
      await expectAlert(page, /step 1: processor 1 sends two messages, 0->2 and 1->0/);
      await button(page, "To the end").click();
      assert.ok((await redPoints(page)) > 100, "neither the processor nor its ports are marked");
    },
    { command: "validate", exitCode: 1 },
  ));

test("a schedule that sends what is not there", () =>
  lookAt(
    schedule("absent", [[1, 2, 0, 2]]),
    (page) => expectAlert(page, /step 0: processor 1 sends 0->2, which processor 0 holds/),
    { command: "validate", exitCode: 1 },
  ));

test("a schedule that leaves something out", () =>
  lookAt(
    schedule("short", ...good.slice(0, 3)),
    async (page) => {
      await expectAlert(page, /after 3 steps: message 2->0 ends at processor 1/);
      await button(page, "To the end").click();
      assert.ok((await positionOf(page)) >= 3, "the moves are shown");
    },
    { command: "validate", exitCode: 1 },
  ));
