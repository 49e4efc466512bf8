import type { ResultRow } from "../lib/result.ts";
import { median } from "../lib/statistics.ts";
import type { Asked } from "./measure.ts";
import { bootstrapInterval, mean } from "./scores.ts";

const percent = (values: readonly number[]): number => 100 * mean(values);

/** One line: how well these questions were answered, beside plain BM25. Questions of one story rise and fall together. */
export function recallRow(name: string, asked: readonly Asked[], random: () => number): ResultRow {
  const clusters = [...Map.groupBy(asked, ({ story }) => story).values()].map((list) =>
    list.map(({ recall, plain }) => 100 * (recall - plain.recall)),
  );
  const gain = bootstrapInterval(clusters, random);
  return {
    name,
    figures: {
      questions: asked.length,
      "R@10": percent(asked.map(({ recall }) => recall)),
      "NDCG@10": percent(asked.map(({ ndcg }) => ndcg)),
      "BM25 R@10": percent(asked.map(({ plain }) => plain.recall)),
      "BM25 NDCG@10": percent(asked.map(({ plain }) => plain.ndcg)),
      "gain from": gain.low,
      "gain to": gain.high,
      "session R@10": percent(asked.map(({ sessions }) => sessions.recall)),
      "session hit@10": percent(asked.map(({ sessions }) => sessions.hit)),
      "in 1,000 tokens": percent(asked.map(({ within }) => within)),
      "p50 ms": median(asked.map(({ milliseconds }) => milliseconds)),
    },
  };
}

/** A line for all questions and one for each category, of one part of a set. */
export function rowsOf(name: string, asked: readonly Asked[], random: () => number): ResultRow[] {
  const categories = [...Map.groupBy(asked, ({ category }) => category)].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    recallRow(name, asked, random),
    ...(categories.length > 1 ? categories.map(([category, list]) => recallRow(`- ${category}`, list, random)) : []),
  ];
}
