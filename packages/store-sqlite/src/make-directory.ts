import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a directory and those it lies in, where they aren't there. Node's own `recursive` never answers where the system
 * says of a directory in one that is there, as in `/proc`, that it can't be found. Throws what the file system throws.
 */
export function makeDirectory(folder: string): void {
  if (isDirectory(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeDirectory(parent);
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have made it just now.
    if ((error as { code?: unknown }).code !== "EEXIST" || !isDirectory(folder)) throw error;
  }
}

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
