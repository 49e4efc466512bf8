import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { endOfPrefix, labelsOfNamespaceKey, namespaceKey, sortKey, textOfSortKey } from "./sort-key.ts";

const anyText = fc.string({ unit: "binary", maxLength: 12 });
const label = fc.string({ unit: "binary", maxLength: 4 });

function isWithin(key: Uint8Array, prefix: Uint8Array): boolean {
  return Buffer.compare(key, prefix) >= 0 && Buffer.compare(key, endOfPrefix(prefix)) < 0;
}

describe("sortKey", () => {
  it("J3: gives the text back, lone surrogates and NUL included", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(textOfSortKey(sortKey(text))).toBe(text);
      }),
    );
    expect(textOfSortKey(sortKey("a\ud800b\0"))).toBe("a\ud800b\0");
  });

  it("J1: sorts in code-unit order, emoji before U+FFFF", () => {
    expect(Buffer.compare(sortKey("👩"), sortKey("\uffff"))).toBe(-1);
    const text = fc.string({ unit: "grapheme", maxLength: 4 }).filter((value) => !value.includes("\0"));
    fc.assert(
      fc.property(text, text, (left, right) => {
        const order = left < right ? -1 : left > right ? 1 : 0;
        expect(Buffer.compare(sortKey(left), sortKey(right))).toBe(order);
      }),
    );
  });

  it("J15: a prefix is a range that holds exactly what begins with it", () => {
    fc.assert(
      fc.property(anyText, anyText, (prefix, text) => {
        expect(isWithin(sortKey(prefix + text), sortKey(prefix))).toBe(true);
        expect(isWithin(sortKey(text), sortKey(prefix))).toBe(text.startsWith(prefix));
      }),
    );
  });
});

describe("namespaceKey", () => {
  it("J15: a prefix matches whole labels only", () => {
    expect(isWithin(namespaceKey(["u", "12"]), namespaceKey(["u", "1"]))).toBe(false);
    const labels = fc.array(label, { maxLength: 4 });
    fc.assert(
      fc.property(labels, labels, (prefix, namespace) => {
        const begins = prefix.every((value, index) => namespace[index] === value);
        expect(isWithin(namespaceKey(namespace), namespaceKey(prefix))).toBe(begins);
        expect(labelsOfNamespaceKey(namespaceKey(namespace))).toEqual(namespace);
      }),
    );
  });
});
