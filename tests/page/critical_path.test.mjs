// The critical path of the page, from its own source and a trace of the command.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { give } from "./command.mjs";

const page = new URL("../../cli/trace/page/", import.meta.url);
const { transpile, ModuleKind, ScriptTarget } = createRequire(page)("typescript");
const options = { module: ModuleKind.ESNext, target: ScriptTarget.ES2022 };
const source = transpile(readFileSync(new URL("src/run.ts", page), "utf8"), options);
const { Run } = await import(`data:text/javascript,${encodeURIComponent(source)}`);

/** [from, to, start, end] of its messages. */
function criticalPath(...args) {
  const json = (command, flag) => JSON.parse(give(command, ...args, flag, "-").stdout);
  const run = new Run({ report: json("run", "--json"), trace: json("trace", "--trace-json"), medium: null });
  return run.critical().map((i) => [run.from[i], run.to(i)[0], run.start[i], run.end[i]]);
}

test("with all ports a message waits for what its link has carried", () => {
  const scatter = ["--machine", "hypercube:2", "--algorithm", "scatter/rotated-sbt-halving", "--straggler", "0:2"];
  const [first, second] = criticalPath(...scatter);
  assert.deepEqual(first.slice(2), [0, 6]);
  assert.deepEqual(second.slice(2), [6, 10]);
  assert.deepEqual(first.slice(0, 2), second.slice(0, 2));
});
