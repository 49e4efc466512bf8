// Runs before a package is packed: a tarball without its build would install and not work.
import { existsSync } from "node:fs";

if (!existsSync("dist/index.js")) {
  console.error("There is no dist here; run `npm run build` at the root first.");
  process.exit(1);
}
