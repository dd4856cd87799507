import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));
const command = join(root, "build/release/bin/lockstep");

/** Runs the command with these arguments in the repository. */
export function give(...args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 28 });
  if (error) throw error;
  return { status, stdout, stderr };
}
