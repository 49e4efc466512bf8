import { UriTemplate, type Variables } from "@modelcontextprotocol/server";

export const CONTEXT_URI = "memory://context";
export const FACTS_URI = "memory://facts";
export const CONVERSATIONS_URI = "memory://conversations";
const CONVERSATION = "memory://conversation";

/** The address of one conversation. Ids stand in the query, where no `..` and no `/` means anything. */
export const conversationUri = (id: string): string => `${CONVERSATION}?id=${encodeURIComponent(id)}`;

/** A longer address than any id needs is nobody's. */
const MAX_URI_CHARS = 8_192;

/**
 * A template of an address with a query. The SDK's own asks for all members, in order, and leaves them encoded; this one
 * takes those that are there, decoded, and matches nothing that it doesn't know.
 */
class QueryTemplate extends UriTemplate {
  readonly #base: string;
  readonly #names: readonly string[];
  readonly #required: readonly string[];

  constructor(base: string, required: readonly string[], optional: readonly string[]) {
    super(`${base}{?${[...required, ...optional].join(",")}}`);
    this.#base = base;
    this.#required = required;
    this.#names = [...required, ...optional];
  }

  override match(uri: string): Variables | null {
    const start = `${this.#base}?`;
    if (uri.length > MAX_URI_CHARS || !uri.startsWith(start) || uri.includes("#")) return null;
    const found: Variables = {};
    for (const [name, value] of new URLSearchParams(uri.slice(start.length))) {
      if (!this.#names.includes(name) || Object.hasOwn(found, name)) return null;
      found[name] = value;
    }
    return this.#required.every((name) => Object.hasOwn(found, name)) ? found : null;
  }
}

/** The templates, made where a server is: a template is an object of the SDK's. */
export const uriTemplates = () => ({
  facts: new QueryTemplate(FACTS_URI, ["cursor"], []),
  conversations: new QueryTemplate(CONVERSATIONS_URI, ["cursor"], []),
  conversation: new QueryTemplate(CONVERSATION, ["id"], ["cursor"]),
  search: new QueryTemplate("memory://search", ["query"], ["role", "from", "to"]),
});
