import type { Turn } from "../../contract/message.ts";
import type { FactCandidate } from "../../contract/models.ts";
import { messageText } from "../../conversation/message-text.ts";
import type { Slices } from "../../search/slices.ts";
import { isNegated } from "../../text/words.ts";
import { isPersons } from "../evidence.ts";
import { meantSentences, statedClauses } from "./clauses.ts";
import type { StatementPattern } from "./statement-pattern.ts";

export { LANGUAGE_PATTERNS } from "./language-patterns.ts";

const DEFAULT_CONFIDENCE = 0.85;
const MAX_NAME_WORDS = 4;
const MAX_SHORT_WORDS = 10;
const MAX_SHORT_CHARS = 80;
const MAX_ANY_CHARS = 300;

/** Words with which a value points at something that is gone in the next conversation. */
const POINTING =
  /^(?:it|this|that|these|those|them|you|your|him|her|the (?:first|second|third|last|other|former|latter|one|idea|way)|option|how|what|when|where|being|to (?:see|know|hear)|dies(?:e[rsnm]?)?|das|den|die (?:erste|zweite)|ça|cela|celui|celle|ce|cette|esto|eso|esta|este|isso|isto|quest[oa]|dit|dat|deze|это|эту|эти|to|ten|ta|这个|那个|這個|那個|これ|それ|あれ|この|その|هذا|ذلك|זה|यह|นี่)(?![\p{L}])/iu;

/** Questions, and what else follows "我叫" or "ชื่อ" and is no name. */
const NO_NAME =
  /^(?:了|过|過|着|著|你|他|她|它|别|別|不|谁|誰)|什么|什麼|怎么|怎麼|哪|อะไร|ไหน|何|どこ|誰|뭐|어디|누구/u;

/** What may be liked without it. */
const WITHOUT = /(?<!\p{L})(?:without|ohne|sans|sin|sem|senza|zonder|bez|без)(?!\p{L})|(?<=^I prefer )no (?=\p{L})/giu;

/** What is not kept unless it is asked for. */
const SENSITIVE =
  /\b(?:salary|income|debt|loan|password|passcode|pin|diagnos\w*|depress\w*|disease|illness|medication|pregnan\w*|hiv|cancer|therap\w*|weight|religion|sexual\w*|gehalt|passwort|krank\w*|diagnose|mot de passe|salaire|contraseña|sueldo|enfermedad)\b|密码|密碼|工资|工資|病|パスワード|給料|비밀번호|월급|пароль|зарплат|كلمة السر|סיסמה|पासवर्ड/iu;

/** What the person states in turns, by the first pattern that fits each clause. In slices. Pure. */
export function* statedIn(turns: readonly Turn[], patterns: readonly StatementPattern[]): Slices<FactCandidate[]> {
  const candidates: FactCandidate[] = [];
  for (const turn of turns) {
    for (const message of turn.messages.filter(isPersons)) {
      for (const sentence of meantSentences(messageText(message))) {
        const found = statedClauses(sentence).flatMap((clause) => stated(clause, patterns));
        candidates.push(...found.map((candidate) => ({ ...candidate, turn: turn.id })));
        yield;
      }
    }
  }
  return candidates;
}

/** What a clause states; the first pattern that fits says how it is kept. */
function stated(clause: string, patterns: readonly StatementPattern[]): FactCandidate[] {
  for (const pattern of patterns) {
    const groups = pattern.expression.exec(clause.replaceAll("’", "'"))?.groups;
    const value = groups?.value?.trim();
    if (value === undefined || !isFit(value, pattern)) continue;
    const { topic, type = "fact", confidence = DEFAULT_CONFIDENCE } = pattern;
    if (pattern.value === "any") {
      // What is asked to be remembered may be a statement itself, and is kept as that.
      const inner = stated(
        value,
        patterns.filter((other) => other !== pattern),
      );
      if (inner.length > 0) return inner.map((candidate) => ({ ...candidate, quote: clause, confidence }));
    } else if (SENSITIVE.test(clause)) return [];
    // "I prefer not to say", "Ich wohne in Berlin nicht mehr".
    else if (topic !== "dislikes" && isNegated(clause.replace(WITHOUT, ""))) return [];
    const key = pattern.key ?? groups?.key?.trim();
    return [
      {
        ...(key === undefined || topic !== undefined ? {} : { key }),
        topic: topic ?? key ?? "statements",
        value,
        type,
        confidence,
        quote: clause,
      },
    ];
  }
  return [];
}

function isFit(value: string, { value: kind = "short" }: StatementPattern): boolean {
  if (value === "" || POINTING.test(value)) return false;
  if (kind !== "any" && NO_NAME.test(value)) return false;
  const words = value.split(/\s+/u).length;
  switch (kind) {
    case "name":
      // Scripts without capitals can't tell a name by one; there it is only short.
      return words <= MAX_NAME_WORDS && value.length <= MAX_SHORT_CHARS / 2 && !/^\p{Ll}/u.test(value);
    case "place":
      return words <= MAX_SHORT_WORDS && value.length <= MAX_SHORT_CHARS && !/^\p{Ll}/u.test(value);
    case "short":
      return words <= MAX_SHORT_WORDS && value.length <= MAX_SHORT_CHARS;
    case "any":
      return value.length <= MAX_ANY_CHARS;
  }
}
