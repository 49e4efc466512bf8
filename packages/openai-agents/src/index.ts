export { fromItems } from "./convert/from-items.ts";
export { type ToItemsOptions, toItems } from "./convert/to-items.ts";
