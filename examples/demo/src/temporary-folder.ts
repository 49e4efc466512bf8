import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A fresh folder that is left behind, so that the person can look into it. */
export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), "throughline-demo-"));
