// `npm run example -- four-frameworks`: plays one of the examples, in its own folder.
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { listPackages } from "./workspace.ts";

const root = dirname(import.meta.dirname);
const examples = listPackages(root).filter(({ folder }) => folder.startsWith("examples/"));
const [wanted = "", ...rest] = process.argv.slice(2);
const example = examples.find(({ shortName }) => shortName === wanted);
if (example === undefined) {
  const names = examples.map(({ shortName }) => `  npm run example -- ${shortName}`).join("\n");
  console.error(`${wanted === "" ? "Which one?" : `There is no example called ${wanted}.`}\n${names}`);
  process.exitCode = 2;
} else {
  const main = join(root, example.folder, "src/main.ts");
  process.chdir(join(root, example.folder));
  process.argv.splice(1, process.argv.length, main, ...rest);
  await import(pathToFileURL(main).href);
}
