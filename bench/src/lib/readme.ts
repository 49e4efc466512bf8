import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Text with what stands between `<!-- name -->` and `<!-- /name -->` replaced. Throws where the markers aren't there. */
export function replaceBetween(text: string, name: string, inner: string): string {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [text.indexOf(open), text.indexOf(close)];
  if (from < 0 || to < from) throw new RangeError(`There are no markers for "${name}".`);
  return `${text.slice(0, from + open.length)}\n${inner}\n${text.slice(to)}`;
}

/** Puts a result into this package's README. */
export function updateReadme(name: string, inner: string): void {
  const path = join(import.meta.dirname, "../../README.md");
  writeFileSync(path, replaceBetween(readFileSync(path, "utf8"), name, inner));
}
