import type { PostingQuery } from "../contract/store-keyword.ts";
import type { Period } from "./period-of.ts";

/** Filters that reach no further than a period. Pure. */
export const within = <Filter extends Pick<PostingQuery, "from" | "to">>(
  filter: Filter,
  { from, to }: Period,
): Filter => ({
  ...filter,
  from: filter.from === undefined || filter.from < from ? from : filter.from,
  to: filter.to === undefined || filter.to > to ? to : filter.to,
});
