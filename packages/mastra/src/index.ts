export { fromRows } from "./convert/from-rows.ts";
export { type ToRowsOptions, toRows } from "./convert/to-rows.ts";
