const assert = require("node:assert/strict");
const core = require("@throughline/core");
const { sqliteStore } = require("@throughline/store-sqlite");
const { useMemory } = require("./use-memory.cjs");

async function main() {
  const [path] = process.argv.slice(2);
  await useMemory(core, () => ({ store: sqliteStore({ path }), env: {} }));
  // One copy of the package serves both ways of loading it.
  assert.equal((await import("@throughline/core")).MemoryError, core.MemoryError);
  assert.equal(typeof require("@throughline/core/store-kit").sortKey, "function");
  assert.equal(require("@throughline/core/package.json").name, "@throughline/core");
  console.log("ok");
}

main();
