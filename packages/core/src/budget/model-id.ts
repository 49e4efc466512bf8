/** A model id taken apart, as gateways, clouds and SDKs spell them. */
export interface ModelName {
  /** Who serves it and who makes it, as far as the id says; who serves it first. */
  vendors: string[];
  /** The name and what it may be known as, best first: without its date, then with fewer and fewer endings. */
  keys: string[];
  /** The letters that the name begins with: `"claude"`, `"gpt"`. */
  family: string;
}

const CLOUD_PREFIX = /^(?:[a-z]{2,6}(?:-gov)?\.)?(anthropic|meta|amazon|mistral|cohere|ai21|deepseek|openai|qwen)\./;

const UNDATED = /-(?:20\d{6}|20\d\d-\d\d-\d\d|\d{4}|latest|preview)$/;

/** The name as a key of the registry: dots, `@` and underscores count as hyphens. */
export const modelKey = (name: string): string => name.toLowerCase().replace(/[.@_:\s]+/g, "-");

/** The key without dates and `-latest` at its end. */
export function undatedKey(key: string): string {
  let undated = key;
  while (UNDATED.test(undated)) undated = undated.replace(UNDATED, "");
  return undated;
}

/** Takes a model id apart. Pure; any string is taken. */
export function parseModelId(id: string): ModelName {
  const segments = id.trim().toLowerCase().split("/").filter(Boolean);
  const vendors = segments.slice(0, -1);
  // The version that Bedrock puts at the end is no tag.
  let name = (segments.at(-1) ?? "").replace(/-v\d+:\d+$/, "");
  const tagged = modelKey(name);
  const [head = "", second] = name.split(":");
  if (head === "ft" && second) name = second;
  else if (second && /\d/.test(head)) name = head;
  else if (second) {
    vendors.push(head);
    name = name.slice(head.length + 1);
  }
  const cloud = CLOUD_PREFIX.exec(name);
  if (cloud?.[1]) {
    vendors.push(cloud[1]);
    name = name.slice(cloud[0].length);
  }
  const key = modelKey(name);
  const keys = [...new Set([tagged, key])];
  let shorter = undatedKey(key);
  // As long as a version is left in it: "gpt-5-1-codex" is a "gpt-5", "claude-sonnet" could be any.
  while (/\d/.test(shorter)) {
    if (!keys.includes(shorter)) keys.push(shorter);
    const cut = shorter.lastIndexOf("-");
    if (cut < 0) break;
    shorter = shorter.slice(0, cut);
  }
  return { vendors, keys, family: /^[a-z]+/.exec(key)?.[0] ?? "" };
}
