// The gallery is complete, and each of its pages opens.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { button, look, temporary } from "./browser.mjs";
import { root } from "./command.mjs";

test("ten pages, an index that leads to them, and a small picture of each", async () => {
  const directory = temporary("gallery");
  const { status, stderr } = spawnSync("node", [join(root, "docs/gallery.mjs"), directory], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  const index = readFileSync(join(directory, "index.html"), "utf8");
  const links = [...index.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, target]) => target);
  for (const target of links) assert.ok(existsSync(join(directory, target)), target);
  const pages = readdirSync(directory).filter((name) => name.endsWith(".html") && name !== "index.html");
  assert.equal(pages.length, 10);
  for (const name of pages) {
    assert.ok(links.includes(name), name);
    const picture = join(root, "docs/pictures", name.replace(/html$/, "png"));
    assert.ok(statSync(picture).size < 150_000, `${picture} is too large`);
    await look(join(directory, name), async (page) => {
      assert.equal(await page.getByRole("alert").count(), 0);
      await button(page, "To the end").click();
    });
  }
});
