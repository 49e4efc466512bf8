/**
 * What a vector's row gets whenever it is written: microseconds, and ten bits by chance. What was written later mostly has a
 * greater one, which is all that is asked of their order; and no two sets of vectors are taken for one.
 */
export const STAMP = "((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 1024 + (random() * 1023)::integer)";
