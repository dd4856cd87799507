// The clock's controls and the keyboard.
import assert from "node:assert/strict";
import { test } from "node:test";
import { button, lookAt, picture, positionOf, seek, stateOf, tab } from "./browser.mjs";

const args = ["--machine", "torus:4x3", "--algorithm", "alltoall/product", "--words", "3", "--beta", "5"];

test("the page plays to the end and stops there", () =>
  lookAt(args, async (page) => {
    await page.getByLabel("Speed").selectOption("32");
    await button(page, "Play").click();
    await page.waitForFunction(() => !window.lockstep.state().playing);
    const end = await positionOf(page);
    await button(page, "To the end").click();
    assert.equal(await positionOf(page), end);
    await button(page, "Play").click();
    assert.ok((await positionOf(page)) < end, "it does not start again");
  }));

test("a higher speed is faster", () =>
  lookAt(["--machine", "ring:64", "--algorithm", "allgather/daisy-chain"], async (page) => {
    const reached = [];
    for (const speed of ["0.5", "16"]) {
      await button(page, "To the start").click();
      await page.getByLabel("Speed").selectOption(speed);
      await button(page, "Play").click();
      await page.waitForTimeout(1000);
      await button(page, "Pause").click();
      reached.push(await positionOf(page));
    }
    assert.ok(reached[0] > 0 && reached[1] > 4 * reached[0], `after a second at ${reached.join(" and ")}`);
  }));

test("on the clock of modelled time it goes on by events", () =>
  lookAt(args, async (page) => {
    const cycles = await endOf(page);
    await page.getByLabel("Clock").selectOption("time");
    const time = await endOf(page);
    assert.equal((await stateOf(page)).clock, "time");
    assert.ok(time > cycles, "a message costs more than 1");
    await button(page, "To the start").click();
    let position = 0;
    for (let i = 0; i < 5; ++i) {
      await button(page, "Step forward").click();
      const next = await positionOf(page);
      assert.ok(next > position);
      position = next;
    }
    await page.getByLabel("Clock").selectOption("cycles");
    for (const cycle of [0, 7, cycles - 1]) {
      await seek(page, cycle + 0.5);
      await page.getByLabel("Clock").selectOption("time");
      await page.getByLabel("Clock").selectOption("cycles");
      assert.equal(Math.floor(await positionOf(page)), cycle, "the other clock shows another cycle");
    }
  }));

async function endOf(page) {
  await button(page, "To the end").click();
  return positionOf(page);
}

test("colours follow origins, destinations or phases", () =>
  lookAt(["--machine", "rh:2,2", "--algorithm", "sort/merge"], async (page) => {
    await seek(page, 0.5);
    const pictures = [];
    for (const colour of ["origin", "destination", "phase"]) {
      await page.getByLabel("Colour").selectOption(colour);
      pictures.push((await picture(page)).toString("base64"));
    }
    assert.equal(new Set(pictures).size, 3);
  }));

test("every control has its key", () =>
  lookAt(args, async (page) => {
    const press = async (key) => {
      await page.keyboard.press(key);
      return stateOf(page);
    };
    const { length } = await press("End").then(({ position }) => ({ length: position }));
    assert.ok(length > 0);
    assert.equal((await press("Home")).position, 0);
    const first = (await press("ArrowRight")).position;
    assert.ok(first > 0);
    assert.ok((await press("ArrowRight")).position > first);
    assert.equal((await press("ArrowLeft")).position, first);
    assert.equal((await press("Space")).playing, true);
    assert.equal((await press("Space")).playing, false);
    assert.equal((await press("c")).clock, "time");
    assert.equal((await press("c")).clock, "cycles");
    for (const [key, view] of Object.entries({ h: "Heat map", s: "Space-time", x: "Matrix", m: "Machine" })) {
      await press(key);
      assert.equal(await tab(page, view).getAttribute("aria-selected"), "true", view);
    }
    const speed = page.getByLabel("Speed");
    const before = Number(await speed.inputValue());
    await press("+");
    assert.ok(Number(await speed.inputValue()) > before);
    await press("-");
    assert.equal(Number(await speed.inputValue()), before);
    assert.equal((await press("n")).selected.rank, 0);
    assert.equal((await press("n")).selected.rank, 1);
    assert.equal((await press("p")).selected.rank, 0);
    assert.equal((await press("Escape")).selected, null);
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await press("t");
    assert.notEqual(await ground(), light);
    await press("t");
    assert.equal(await ground(), light);
  }));

test("the tabulator reaches every control, and the focus is seen", () =>
  lookAt(args, async (page) => {
    const controls = await page.locator("#app button:visible, #app select:visible, #app input:visible").count();
    const reached = new Set();
    for (let i = 0; i < 2 * controls + 10; ++i) {
      await page.keyboard.press("Tab");
      const { name, outline } = await page.evaluate(() => {
        const { activeElement: active } = document;
        const { outlineStyle, outlineWidth } = getComputedStyle(active);
        const isControl = active.matches("#app button, #app select, #app input");
        const name = active.getAttribute("aria-label") ?? active.textContent;
        return { name: isControl ? name : null, outline: outlineStyle === "none" ? 0 : parseFloat(outlineWidth) };
      });
      if (name === null) continue;
      assert.ok(outline >= 2, `${name} does not show that it has the focus`);
      reached.add(name);
    }
    assert.equal(reached.size, controls, `only ${[...reached].join(", ")}`);
  }));

test("a control that has the focus obeys its keys", () =>
  lookAt(args, async (page) => {
    await button(page, "Step forward").focus();
    await page.keyboard.press("Enter");
    assert.ok((await positionOf(page)) > 0);
    await button(page, "Play").focus();
    await page.keyboard.press("Space");
    assert.equal((await stateOf(page)).playing, true);
    await page.keyboard.press("Space");
    assert.equal((await stateOf(page)).playing, false);
    await tab(page, "Matrix").focus();
    await page.keyboard.press("Enter");
    assert.equal(await tab(page, "Matrix").getAttribute("aria-selected"), "true");
    const before = await positionOf(page);
    await page.getByLabel("Position", { exact: true }).focus();
    await page.keyboard.press("ArrowRight");
    assert.ok((await positionOf(page)) > before, "the scrubber moves");
  }));

test("a processor says what it holds and what it has sent", () =>
  lookAt(["--machine", "hypercube:2", "--algorithm", "broadcast/sbt"], async (page) => {
    await page.keyboard.press("n");
    const panel = page.getByRole("tabpanel");
    assert.equal(await tab(page, "Processor").getAttribute("aria-selected"), "true");
    assert.match(await panel.innerText(), /→ 1[^]*→ 2/);
    await page.keyboard.press("p");
    assert.match(await panel.innerText(), /Processor 3[^]*← 1/);
    await panel.getByRole("button").first().click();
    assert.equal(Math.floor(await positionOf(page)), 1, "its message is in cycle 1");
  }));

test("the line of the program that runs is marked, and in sight", () =>
  lookAt(["--machine", "rh:2,2", "--algorithm", "sort/resort"], async (page) => {
    await tab(page, "Program").click();
    const marked = page.locator('.program [aria-current="step"]');
    assert.equal(await marked.count(), 0, "nothing has begun");
    const lines = new Set();
    for (let cycle = 0; cycle < 29; ++cycle) {
      await seek(page, cycle + 0.5);
      assert.equal(await marked.count(), 1, `cycle ${cycle}`);
      lines.add(await marked.innerText());
      const [line, panel] = [await marked.boundingBox(), await page.getByRole("tabpanel").boundingBox()];
      const isSeen = line.y >= panel.y - 1 && line.y + line.height <= panel.y + panel.height + 1;
      assert.ok(isSeen, `the line of cycle ${cycle} is out of sight`);
    }
    assert.ok(lines.size > 4);
  }));
