// Traces that are cut, long or wide, and runs with incomplete data.
import assert from "node:assert/strict";
import { test } from "node:test";
import { button, lookAt, positionOf, seek, stateOf, tab } from "./browser.mjs";

const ring = ["--machine", "ring:8", "--algorithm", "allgather/daisy-chain"];

test("a cut trace says so", () =>
  lookAt([...ring, "--max-events", "9"], async (page) => {
    assert.equal(await page.locator(".notice").innerText(), "left out: 47 messages past --max-events");
    await button(page, "To the end").click();
    assert.equal(await page.locator(".progress").innerText(), "0 in flight, 9 of 9 kept sent");
    await tab(page, "Space-time").click();
    await page.keyboard.press("n");
    assert.match(await page.getByRole("tabpanel").innerText(), /Its blocks are unknown/);
  }));

test("a trace from a late cycle on begins there", () => {
  const pipeline = ["--machine", "hypercube:3", "--algorithm", "broadcast/sbt-pipelined"];
  return lookAt([...pipeline, "--words", "5000", "--packets", "5000", "--from-cycle", "4990"], async (page) => {
    assert.equal(await positionOf(page), 4990);
    await button(page, "Step forward").click();
    assert.equal(await positionOf(page), 4990.5);
    await button(page, "To the end").click();
    await button(page, "Play").click();
    assert.ok((await positionOf(page)) >= 4990);
    await page.keyboard.press("Home");
    assert.equal(await positionOf(page), 4990);
  });
});

test("the critical path of a long pipeline is found at once", () => {
  const pipeline = ["--machine", "hypercube:1", "--algorithm", "broadcast/sbt-pipelined"];
  return lookAt([...pipeline, "--words", "100000", "--packets", "100000"], async (page) => {
    await tab(page, "Space-time").click();
    assert.equal((await stateOf(page)).view, "space-time");
  });
});

test("a bus that all hear opens", () =>
  lookAt(["--machine", "bus:1000", "--algorithm", "allgather/direct"], async (page) => {
    await seek(page, 3.5);
    assert.equal(await page.locator(".progress").innerText(), "1 in flight, 4 of 1,000 sent");
  }));

test("what divided blocks make processors hold is not claimed", () =>
  lookAt(["--machine", "hypercube:3", "--algorithm", "scatter/rotated-sbt-halving", "--words", "12"], async (page) => {
    await page.keyboard.press("n");
    assert.match(await page.getByRole("tabpanel").innerText(), /Its blocks are unknown/);
  }));

test("the clock of modelled time ends when the run does, with its copies", () => {
  const copies = ["--machine", "hypercube:4", "--algorithm", "transpose/1d-exchange", "--copy-cost", "1.5", "--beta", "2"];
  return lookAt(copies, async (page) => {
    await page.keyboard.press("c");
    await button(page, "To the end").click();
    const asynchronous = await page.locator('[data-count="asynchronous"] [data-value]').first().getAttribute("data-value");
    assert.equal(await positionOf(page), Number(asynchronous));
  });
});

test("a change of speed does not draw frames twice", () =>
  lookAt(ring, async (page) => {
    await page.evaluate(() => {
      const { clearRect } = CanvasRenderingContext2D.prototype;
      window.clears = 0;
      CanvasRenderingContext2D.prototype.clearRect = function (...args) {
        ++window.clears;
        return clearRect.apply(this, args);
      };
    });
    await page.getByLabel("Speed").selectOption("0.125");
    await button(page, "Play").click();
    const clearsOfAFrame = () =>
      page.evaluate(async () => {
        const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
        await frame();
        const before = window.clears;
        for (let i = 0; i < 10; ++i) await frame();
        return (window.clears - before) / 10;
      });
    const before = await clearsOfAFrame();
    for (let i = 0; i < 5; ++i) await page.keyboard.press(i % 2 ? "-" : "+");
    assert.ok((await clearsOfAFrame()) < 1.5 * before);
  }));

test("of two runs that fail both say why", () => {
  const one = ["--machine", "hypercube:4", "--algorithm", "allgather/tea2", "--ports", "one"];
  return lookAt(
    [...one, "--against", "allgather/tea2@one@hypercube:3"],
    async (page) => {
      const texts = await page.getByRole("alert").allInnerTexts();
      assert.equal(texts.length, 2);
      assert.match(texts[0], /^allgather\/tea2 on hypercube:4/);
      assert.match(texts[1], /^allgather\/tea2 on hypercube:3/);
      const [first, second] = await page.getByRole("alert").evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
      assert.ok(second > first, "the alerts overlap");
    },
    { exitCode: 2 },
  );
});

test("who waits does not depend on how processors are numbered", () =>
  lookAt(["--machine", "path:6", "--algorithm", "alltoall/greedy"], async (page) => {
    await tab(page, "Waits").click();
    await seek(page, 3.5);
    const waits = await page.locator(".waits li").allInnerTexts();
    const ranks = waits.map((text) => Number(text.split(" ")[0]));
    assert.deepEqual(ranks.includes(0), ranks.includes(5));
  }));

test("a narrow window has its parts below each other", () =>
  lookAt(
    ["--machine", "complete:200", "--algorithm", "alltoall/cayley", "--max-events", "30000"],
    async (page) => {
      await tab(page, "Space-time").click();
      const { width } = await page.locator(".picture").boundingBox();
      assert.ok(width > 300, `the picture is ${width} wide`);
    },
    { context: { viewport: { width: 320, height: 480 } } },
  ));
