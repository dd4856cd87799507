// Legible in light and dark, with reduced motion, in a small window and on a projector.
import assert from "node:assert/strict";
import { test } from "node:test";
import { look, lookAt, picture, seek, tab, write } from "./browser.mjs";

const cube = ["--machine", "hypercube:4", "--algorithm", "allgather/tea2"];
const failed = [...cube, "--ports", "one"];
const two = [...cube, "--against", "allgather/tea1"];
const six = [
  ..."--machine hypercube:4 --algorithm allgather/adea --ports one".split(" "),
  ...["ring:16", "torus:4x4", "switch:16"].flatMap((machine) => ["--against", `allgather/daisy-chain@one@${machine}`]),
  ...["bus:16", "shared:16,kstar=8"].flatMap((machine) => ["--against", `allgather/direct@one@${machine}`]),
];

/** Visits every view and every panel. */
async function everywhere(page, visit) {
  await page.keyboard.press("n");
  for (const view of ["Heat map", "Space-time", "Matrix", "Machine"]) {
    await tab(page, view).click();
    await visit(view);
  }
  for (const panel of await page.getByRole("tablist", { name: "Panel" }).getByRole("tab").all()) {
    await panel.click();
    await visit(await panel.innerText());
  }
}

/** The texts of a page with too little contrast to their background: under 4.5 to 1, in large letters 3 to 1. */
function faintTexts() {
  const channels = (text) => {
    const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number);
    return [r, g, b, a];
  };
  const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1];
  const luminance = (colour) => {
    const [r, g, b] = colour.slice(0, 3).map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    if (!element) return [255, 255, 255, 1];
    const own = channels(getComputedStyle(element).backgroundColor);
    return own[3] === 1 ? own : over(own, behind(element.parentElement));
  };
  const faint = [];
  for (const element of document.body.querySelectorAll("*")) {
    const says = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    const isSelect = element.matches("select");
    if ((!says && !isSelect) || element.matches("script, style, option") || !element.checkVisibility()) continue;
    const style = getComputedStyle(element);
    const ground = behind(element);
    const isDrawn = element instanceof SVGElement;
    const ink = over(channels(isDrawn ? style.fill : style.color), ground);
    const [light, dark] = [luminance(ink), luminance(ground)].sort((a, b) => b - a);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const ratio = (light + 0.05) / (dark + 0.05);
    if (ratio < (isLarge ? 3 : 4.5)) faint.push(`${element.textContent.slice(0, 40)}: ${ratio.toFixed(2)}`);
  }
  return faint;
}

for (const colorScheme of ["light", "dark"]) {
  test(`${colorScheme}: all text stands out`, async () => {
    for (const [args, options] of [[cube], [two], [failed, { exitCode: 2 }]]) {
      await lookAt(
        args,
        async (page) => {
          await seek(page, 0.5);
          await everywhere(page, async (where) => assert.deepEqual(await page.evaluate(faintTexts), [], where));
        },
        { ...options, context: { colorScheme } },
      );
    }
  });

  test(`${colorScheme}: the ground is ${colorScheme}, pictures too`, () =>
    lookAt(
      cube,
      async (page) => {
        const isDark = colorScheme === "dark";
        const shades = () =>
          page.evaluate(() => {
            const canvas = document.querySelector(".picture canvas");
            const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
            const drawn = [];
            for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 200) drawn.push(data[i + 1]);
            const [, ground] = getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number);
            const inside = drawn.sort((a, b) => a - b)[Math.floor(drawn.length / 2)];
            return { ground, inside };
          });
        for (const dark of [isDark, !isDark, isDark]) {
          const { ground, inside } = await shades();
          assert.equal(ground < 64, dark);
          assert.ok(dark ? inside < 128 : inside > 128, `on a ground of ${ground} the pictures are ${inside}`);
          await page.keyboard.press("t");
        }
      },
      { context: { colorScheme } },
    ));
}

test("messages glide, but jump where less motion is wanted", async () => {
  for (const [reducedMotion, moves] of [["no-preference", true], ["reduce", false]]) {
    await lookAt(
      cube,
      async (page) => {
        await seek(page, 1.25);
        const early = await picture(page);
        await seek(page, 1.75);
        const late = await picture(page);
        await seek(page, 2.25);
        assert.equal(!early.equals(late), moves, reducedMotion);
        assert.ok(!late.equals(await picture(page)), "the next cycle shows another picture");
        const animated = await page.evaluate(() => document.getAnimations().length);
        assert.equal(animated, 0);
      },
      { context: { reducedMotion } },
    );
  }
});

/** The parts of a page that are cut off or outside the window. */
function misfits() {
  const found = [];
  const name = (element) => element.getAttribute("aria-label") ?? (element.className || element.tagName);
  const { scrollWidth, scrollHeight } = document.scrollingElement;
  if (scrollWidth > innerWidth) found.push(`the page is ${scrollWidth} wide`);
  if (scrollHeight > innerHeight) found.push(`the page is ${scrollHeight} high`);
  for (const element of document.querySelectorAll("button, select, input, h1, .pane h2, .progress, .clock, .picture, [role=alert]")) {
    if (!element.checkVisibility() || element.closest(".panel-body")) continue;
    const { left, right, top, bottom } = element.getBoundingClientRect();
    if (left < -1 || right > innerWidth + 1 || top < -1 || bottom > innerHeight + 1) found.push(`${name(element)} sticks out`);
    if (element.matches(".picture") && (right - left < 100 || bottom - top < 80)) {
      found.push(`${name(element)} is only ${bottom - top} high`);
    };
  }
  for (const element of document.querySelectorAll("#app *")) {
    const cut = element.scrollWidth - element.clientWidth;
    const { overflowX, textOverflow } = getComputedStyle(element);
    const shortens = textOverflow === "ellipsis" && element.title; // the whole text is shown under the mouse
    const clips = overflowX !== "visible" && !shortens && !element.matches("select, input");
    if (clips && cut > 1) found.push(`${name(element)} cuts off ${cut} pixels`);
  }
  for (const canvas of document.querySelectorAll(".picture canvas")) {
    const [inner, outer] = [canvas, canvas.parentElement].map((element) => element.getBoundingClientRect());
    if (inner.right > outer.right + 1 || inner.bottom > outer.bottom + 1) found.push(`${name(outer)}: a picture is cut off`);
  }
  return found;
}

/** Processors that are drawn outside their picture. */
function strayProcessors(runs) {
  const panes = [...document.querySelectorAll(".picture")].map((pane) => pane.getBoundingClientRect());
  return runs.flatMap((processors, run) =>
    Array.from({ length: processors }, (_, rank) => rank).filter((rank) => {
      const { x, y } = window.lockstep.place(run, rank);
      const { left, right, top, bottom } = panes[run];
      return x < left || x > right || y < top || y > bottom;
    }).map((rank) => `${rank} of run ${run}`),
  );
}

const windows = { "a small window": [800, 600], "a projector": [1280, 720], "a wide screen": [1920, 1080] };

for (const [where, [width, height]] of Object.entries(windows)) {
  const pages = { "one run": [cube], "two runs": [two], "six runs": [six], "an error": [failed, { exitCode: 2 }] };
  for (const [what, [args, options]] of Object.entries(pages)) {
    test(`${what} in ${where}`, () =>
      lookAt(
        args,
        async (page) => {
          await seek(page, 0.5);
          await everywhere(page, async (view) => assert.deepEqual(await page.evaluate(misfits), [], view));
          const runs = Array(await page.locator(".pane").count()).fill(16);
          assert.deepEqual(await page.evaluate(strayProcessors, runs), []);
        },
        { ...options, context: { viewport: { width, height } } },
      ));
  }
}

test("a window that changes its size", () =>
  look(write(six), async (page) => {
    await page.setViewportSize({ width: 900, height: 650 });
    await page.waitForTimeout(100);
    assert.deepEqual(await page.evaluate(misfits), []);
    assert.deepEqual(await page.evaluate(strayProcessors, Array(6).fill(16)), []);
  }));
