import { partsOf } from "../facts/terms-in-parts.ts";
import type { Engine } from "../memory/engine.ts";
import type { Breath } from "../search/breath.ts";
import type { Slices } from "../search/slices.ts";
import { datesOf } from "./dates-of.ts";
import type { Evidence } from "./evidence.ts";
import { guessLanguages } from "./language.ts";

/** What was said in one turn, or in an event. */
export interface Spoken {
  said: string;
  /** ISO 8601. */
  at: string;
  /** The time zone in which it was said. */
  zone: string;
  /** Those of most of its parts. */
  languages: string[];
  /** The dates that its phrases mean, with blanks between them. */
  dates: string;
}

/** Reads evidence once, slice by slice, however many candidates rest on it: a message may be a pasted document of a megabyte. */
export class SpokenReader {
  readonly #engine: Pick<Engine, "dates">;
  readonly #zone: string;
  readonly #breath: Breath;
  readonly #known = new Map<Evidence, Spoken>();

  constructor(engine: Pick<Engine, "dates">, zone: string, breath: Breath) {
    this.#engine = engine;
    this.#zone = zone;
    this.#breath = breath;
  }

  async of(place: Evidence): Promise<Spoken> {
    const spoken = this.#known.get(place) ?? (await this.#breath.through(this.#read(place)));
    this.#known.set(place, spoken);
    return spoken;
  }

  *#read({ said: all, at }: Evidence): Slices<Spoken> {
    const zone = this.#zone;
    const said = all.map(({ text }) => text).join("\n");
    const parts = new Map<string, number>();
    const dates: string[] = [];
    for (const part of partsOf(said)) {
      const languages = guessLanguages(part);
      for (const language of languages) parts.set(language, (parts.get(language) ?? 0) + 1);
      const phrases = datesOf(this.#engine).phrasesIn(part, { at, zone, languages });
      dates.push(...phrases.map(({ date }) => date));
      yield;
    }
    const most = Math.max(...parts.values());
    const languages = [...parts.keys()].filter((language) => parts.get(language) === most);
    return { said, at, zone, languages, dates: dates.join(" ") };
  }
}
