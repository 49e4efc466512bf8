import type { OpenTurn } from "../contract/conversation.ts";
import type { MessageInput, TurnStatus } from "../contract/message.ts";
import type { Outcome } from "../contract/outcome.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { isLost, type Report } from "./create-report.ts";

/** Writes one turn at the first end that the host tells of. */
export interface TurnRecorder {
  /** The end that came first; `null` while the run goes on. */
  readonly ended: TurnStatus | null;
  /** How the turn was recorded. Pending until an end; rejects only where the memory is strict. Nobody has to wait. */
  readonly recorded: Promise<Outcome>;
  /**
   * Ends the turn with these messages. Never rejects: what the memory couldn't take is reported. A later end changes
   * nothing and answers the first outcome.
   */
  end(status: TurnStatus, messages?: readonly MessageInput[], error?: unknown): Promise<Outcome>;
  /** The same turn is run once more, with another model for example: the next end is written over the last one. */
  again(): void;
}

/** For adapters: hosts tell of an end in several ways, one after the other or none. The first one is the turn's. */
export function createTurnRecorder(turn: OpenTurn, report: Report): TurnRecorder {
  let ended: { status: TurnStatus; outcome: Promise<Outcome> } | null = null;
  let settled = pendingOutcome();

  const write = async (status: TurnStatus, messages: readonly MessageInput[], error: unknown): Promise<Outcome> => {
    if (turn.ended) {
      const { id, fresh, conversation } = turn;
      return conversation.record({ id, status, messages: [...fresh, ...messages] });
    }
    if (status === "completed") return turn.complete(messages);
    if (status === "paused") return turn.pause(messages);
    return status === "aborted" ? turn.abort(messages) : turn.fail(error, messages);
  };

  return {
    get ended() {
      return ended?.status ?? null;
    },
    get recorded() {
      return settled.promise;
    },
    end(status, messages = [], error) {
      ended ??= {
        status,
        outcome: write(status, messages, error).then(
          (outcome) => {
            if (isLost(outcome)) report(outcome);
            settled.resolve(outcome);
            return outcome;
          },
          // Only a strict memory throws.
          (thrown: unknown) => {
            report(thrown);
            settled.reject(thrown);
            return { status: "failed", code: MemoryError.isInstance(thrown) ? thrown.code : "STORE_FAILED" };
          },
        ),
      };
      return ended.outcome;
    },
    again() {
      ended = null;
      settled = pendingOutcome();
    },
  };
}

/** Whoever waits for it sees its failure; nobody has to wait. */
function pendingOutcome(): PromiseWithResolvers<Outcome> {
  const pending = Promise.withResolvers<Outcome>();
  pending.promise.catch(() => {});
  return pending;
}
