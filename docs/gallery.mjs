// Makes the pages of docs/gallery.md and an index.html: node docs/gallery.mjs [--pictures] [DIRECTORY], by ./dev gallery.
// With --pictures it takes a picture of each for the document.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { give, root } from "../tests/page/command.mjs";

/** For each picture: the position on the clock of cycles, and other choices. */
const pictures = {
  "broadcast-4-cube": { position: 2.6 },
  "tea1-tea2": { position: 1.5 },
  "gray-code-ring": { position: 5.6 },
  "total-exchange-torus": { position: 4.5, colour: "destination" },
  "mpt-4-cube": { position: 2.5 },
  "scan-rh": { position: 4.5, colour: "phase" },
  "sort-rh": { position: 9.5, colour: "phase" },
  "six-machines": { position: 2.6 },
  "bus-switch": { position: 2.5 },
  "greedy-search": { position: 12.5, colour: "destination" },
};

/** The sections of the document: title, text, and the command that writes a page. */
function sections() {
  const document = readFileSync(join(root, "docs/gallery.md"), "utf8");
  return document
    .split("\n## ")
    .slice(1)
    .map((section) => {
      const [, title, text, command, name] = /^(.*)\n\n([^]*?)\n\n```console\n\$ \.\/dev (.*--html (\S+)\.html)\n```/.exec(section);
      return { title, text, command, name };
    });
}

function index(made) {
  const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const items = made.map(({ title, text, name, hasPicture }) => {
    const picture = hasPicture ? `<img src="${name}.png" alt="" width="640" height="400" />` : "";
    return `<li><a href="${name}.html">${picture}<h2>${escaped(title)}</h2></a><p>${escaped(text)}</p></li>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<title>Lockstep: gallery</title>
<style>
:root { color-scheme: light dark; }
body { max-width: 84rem; margin: 1.5rem auto; padding: 0 1rem; font: 16px/1.5 system-ui, "DejaVu Sans", sans-serif; }
ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(20rem, 1fr)); gap: 1.5rem; padding: 0; list-style: none; }
img { width: 100%; height: auto; border: 1px solid #8888; }
h2 { margin: 0.3rem 0; font-size: 1.1rem; }
p { margin: 0; }
</style>
</head>
<body>
<h1>Gallery</h1>
<ul>
${items.join("\n")}
</ul>
</body>
</html>
`;
}

function write(directory, { command, name }) {
  const args = command.split(" ");
  const { status, stderr } = give(...args.slice(0, -1), join(directory, `${name}.html`));
  if (status !== 0) throw new Error(`${command}: ${stderr}`);
}

async function takePictures(directory, pages) {
  const { launch } = await import("../tests/page/chromium.mjs");
  const browser = await launch();
  for (const { name } of pages) {
    const { position, colour } = pictures[name];
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: "no-preference" });
    await page.goto(pathToFileURL(join(directory, `${name}.html`)).href);
    await page.waitForSelector('#app[data-ready="true"]');
    if (colour) await page.getByLabel("Colour").selectOption(colour);
    await page.evaluate((to) => window.lockstep.seek(to), position);
    const file = join(root, "docs/pictures", `${name}.png`);
    await page.screenshot({ path: file });
    // To a palette of 256 colours: a third of the size.
    const { status, stderr } = spawnSync("pngquant", ["--force", "--strip", "--speed", "1", "--output", file, file], {
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`pngquant: ${stderr}`);
    await page.close();
  }
  await browser.close();
}

const args = process.argv.slice(2);
const withPictures = args.includes("--pictures");
const [named, ...more] = args.filter((arg) => arg !== "--pictures");
if (named?.startsWith("-") || more.length > 0) {
  console.error("gallery: it takes a directory and --pictures, and nothing else");
  process.exit(2);
}
const directory = named ? resolve(named) : join(root, "build/gallery");
mkdirSync(directory, { recursive: true });
const pages = sections();
for (const page of pages) write(directory, page);
if (withPictures) await takePictures(directory, pages);
for (const page of pages) {
  const picture = fileURLToPath(new URL(`pictures/${page.name}.png`, import.meta.url));
  page.hasPicture = existsSync(picture);
  if (page.hasPicture) copyFileSync(picture, join(directory, `${page.name}.png`));
}
writeFileSync(join(directory, "index.html"), index(pages));
console.log(`${join(directory, "index.html")}: ${pages.length} pages`);
