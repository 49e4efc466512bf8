/** Every key begins with it: some drivers take an empty run of bytes for NULL (`node:sqlite` of Node 22). */
const START = 1;

/**
 * Bytes whose order is the code-unit order of the text: each UTF-16 unit on its own, as UTF-8 would write it. (UTF-8
 * proper puts emoji behind `U+FFFF`, JavaScript puts them before `U+E000`.) A NUL becomes two bytes, so that a zero
 * byte can end a label.
 */
export function sortKey(text: string): Uint8Array {
  const bytes: number[] = [START];
  pushUnits(bytes, text);
  return Uint8Array.from(bytes);
}

/** The text of a {@link sortKey}. */
export function textOfSortKey(bytes: Uint8Array): string {
  return decode(bytes, 1);
}

function decode(bytes: Uint8Array, start: number): string {
  let text = "";
  for (let index = start; index < bytes.length; index++) {
    const first = bytes[index] ?? 0;
    if (first < 0x80) {
      text += String.fromCharCode(first);
    } else if (first < 0xe0) {
      index += 1;
      text += String.fromCharCode(((first & 0x1f) << 6) | ((bytes[index] ?? 0) & 0x3f));
    } else {
      const unit = ((first & 0x0f) << 12) | (((bytes[index + 1] ?? 0) & 0x3f) << 6) | ((bytes[index + 2] ?? 0) & 0x3f);
      text += String.fromCharCode(unit);
      index += 2;
    }
  }
  return text;
}

/** Labels one after the other, each ended by a zero byte: what begins with a prefix is one range, label by label. */
export function namespaceKey(labels: readonly string[]): Uint8Array {
  const bytes: number[] = [START];
  for (const label of labels) {
    pushUnits(bytes, label);
    bytes.push(0);
  }
  return Uint8Array.from(bytes);
}

/** The labels of a {@link namespaceKey}. */
export function labelsOfNamespaceKey(bytes: Uint8Array): string[] {
  const labels: string[] = [];
  let start = 1;
  for (let index = 1; index < bytes.length; index++) {
    if (bytes[index] !== 0) continue;
    labels.push(decode(bytes.subarray(0, index), start));
    start = index + 1;
  }
  return labels;
}

/** The end of the range of everything that begins with `prefix`; no key holds the byte 255. */
export function endOfPrefix(prefix: Uint8Array): Uint8Array {
  const end = new Uint8Array(prefix.length + 1);
  end.set(prefix);
  end[prefix.length] = 0xff;
  return end;
}

function pushUnits(bytes: number[], text: string): void {
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit > 0 && unit < 0x80) bytes.push(unit);
    else if (unit < 0x800) bytes.push(0xc0 | (unit >> 6), 0x80 | (unit & 0x3f));
    else bytes.push(0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f));
  }
}
