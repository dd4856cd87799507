// The data in a page: JSON, gzipped, in base64.
import { readFileSync, writeFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";

const data = /(<script id="lockstep-data" type="application\/octet-stream">)([^<]*)(<\/script>)/;

export function dataOf(file) {
  return JSON.parse(gunzipSync(Buffer.from(data.exec(readFileSync(file, "utf8"))[2], "base64")));
}

/** Writes the page with changed data to another file and returns that file. */
export function changed(file, other, change) {
  const page = dataOf(file);
  change(page);
  const text = gzipSync(JSON.stringify(page)).toString("base64");
  writeFileSync(other, readFileSync(file, "utf8").replace(data, (_, begin, __, end) => begin + text + end));
  return other;
}
