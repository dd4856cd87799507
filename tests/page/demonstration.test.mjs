// The pages of `lockstep demo --html`.
import assert from "node:assert/strict";
import { test } from "node:test";
import { button, look, positionOf, tab, write } from "./browser.mjs";
import { give } from "./command.mjs";

const names = give("demo")
  .stdout.split("\n")
  .map((line) => /^ {2}([a-z0-9-]+) /.exec(line)?.[1])
  .filter(Boolean);

test("there are demonstrations", () => assert.ok(names.length >= 16, names.join(" ")));

for (const name of names) {
  test(`the page of ${name} plays, and says why`, () =>
    look(write([name], { command: "demo" }), async (page) => {
      await button(page, "To the end").click();
      assert.ok((await positionOf(page)) >= 0);
      await tab(page, "About").click();
      const about = await page.getByRole("tabpanel").innerText();
      for (const section of ["this demonstration", "what the counts show", "to think about"]) {
        assert.match(about, new RegExp(section, "i"));
      }
    }));
}

test("runs that differ in packets are told apart by what they are called", () =>
  look(write(["pipelining"], { command: "demo" }), async (page) => {
    const titles = await page.locator(".pane h2").allInnerTexts();
    assert.equal(titles.length, 3);
    for (const [pane, called] of ["1 packet of 64 words", "4 packets of 16 words", "8 packets of 8 words"].entries()) {
      assert.ok(titles[pane].startsWith(`${called}: `), titles[pane]);
    }
  }));

test("a deadlock on purpose shows who waits for whom", () =>
  look(write(["deadlock"], { command: "demo" }), async (page) => {
    assert.match(await page.getByRole("alert").first().innerText(), /deadlock in cycle 0/);
  }));
