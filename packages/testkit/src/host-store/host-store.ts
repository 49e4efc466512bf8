/** Keys and values under namespaces, as a framework's nodes reach them: the shape of LangGraph's `BaseStore`. */
export interface HostStore {
  get(namespace: string[], key: string): Promise<HostItem | null>;
  put(namespace: string[], key: string, value: HostValue): Promise<void>;
  delete(namespace: string[], key: string): Promise<void>;
  search(prefix: string[], options?: HostSearch): Promise<(HostItem & { score?: number | undefined })[]>;
  listNamespaces(options?: {
    prefix?: string[];
    suffix?: string[];
    maxDepth?: number;
    limit?: number;
    offset?: number;
  }): Promise<string[][]>;
  /** Answers each operation in its place. */
  batch(operations: HostOperation[]): Promise<unknown[]>;
}

/** What is stored under a key. */
export type HostValue = { [member: string]: unknown };

/** An item as it is read. */
export interface HostItem {
  namespace: string[];
  key: string;
  value: HostValue;
  createdAt: Date;
  updatedAt: Date;
}

/** Which items below a namespace. */
export interface HostSearch {
  filter?: { [member: string]: unknown };
  /** @default 10 */
  limit?: number;
  offset?: number;
  query?: string;
}

/** One operation of a batch, told apart by its members. */
export type HostOperation =
  | { namespace: string[]; key: string }
  | ({ namespacePrefix: string[] } & HostSearch)
  | { namespace: string[]; key: string; value: HostValue | null }
  | {
      matchConditions?: { matchType: "prefix" | "suffix"; path: string[] }[];
      maxDepth?: number;
      limit: number;
      offset: number;
    };
