import { readFileSync, writeFileSync } from "node:fs";
import { convertMemoryBank, memoryBankSchema } from "./replay/memorybank.ts";

const USAGE = "Usage: node tools/bootstrap.mjs examples/demo/src/convert-memorybank.ts MEMORY_BANK.json [LINES.jsonl]";

/** Turns MemoryBank's JSON into lines for `npm run demo -- --replay`, in a file or on standard output. */
function main([source, target]: readonly string[]): void {
  if (source === undefined) throw new Error(USAGE);
  const people = memoryBankSchema.safeParse(JSON.parse(readFileSync(source, "utf8")));
  if (!people.success) {
    const [issue] = people.error.issues;
    throw new Error(`${source} is not a MemoryBank file: ${issue?.path.join(".")}: ${issue?.message}`);
  }
  const lines = convertMemoryBank(people.data);
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  if (target === undefined) process.stdout.write(text);
  else {
    writeFileSync(target, text);
    process.stdout.write(`${lines.length} messages of ${Object.keys(people.data).length} people in ${target}\n`);
  }
}

try {
  main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
