import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

const BLOCK = 512;

/** The files of an npm tarball by their path inside the package. */
export function readTarball(path: string): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  const bytes = gunzipSync(readFileSync(path));
  let long: string | undefined;
  for (let at = 0; at + BLOCK <= bytes.length; ) {
    const field = (from: number, length: number) =>
      bytes.toString("utf8", at + from, at + from + length).replace(/\0[\s\S]*$/, "");
    const size = Number.parseInt(field(124, 12).trim() || "0", 8);
    const type = field(156, 1);
    const body = bytes.subarray(at + BLOCK, at + BLOCK + size);
    // A path of more than 100 letters stands in an extended header before its file.
    if (type === "x") long = /\d+ path=([^\n]+)\n/.exec(body.toString("utf8"))?.[1];
    if (type === "0" || type === "") {
      const name = long ?? [field(345, 155), field(0, 100)].filter(Boolean).join("/");
      long = undefined;
      if (name !== "") files.set(name.replace(/^package\//, ""), body);
    }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}
