import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";

const { chromium } = createRequire(new URL("../../cli/trace/page/package.json", import.meta.url))("playwright-core");

/** Chromium without a window: the one that the variable CHROMIUM names, or the one on the PATH. */
export function launch() {
  const name = process.env.CHROMIUM || "chromium";
  const executablePath = spawnSync("sh", ["-c", 'command -v "$0"', name], { encoding: "utf8" }).stdout.trim();
  if (!executablePath) throw new Error(`${name} is missing; set the variable CHROMIUM to the path of a Chromium`);
  const quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic"];
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--no-first-run", ...quiet] });
}
