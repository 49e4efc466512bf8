import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

/**
 * Keeps what Node has compiled of the frameworks beside them, for the processes that the demo starts and the next time it
 * is run. Where that can't be written, nothing is kept.
 */
export function keepCompiled(): void {
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url));
  enableCompileCache(process.env.NODE_COMPILE_CACHE);
}
