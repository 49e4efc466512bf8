/** A plain JSON value. `undefined`, functions, dates, big integers and cycles are not JSON and are refused. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A plain JSON object. */
export type JsonObject = { [key: string]: Json };
