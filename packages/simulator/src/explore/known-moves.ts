// What the moves of a place led to: where a search comes to it again, a few of each kind are enough at first.
import type { Move } from './repertoire.ts';

/** The moves that were taken where conversations halt, by what they led to. */
export interface KnownMoves {
  /**
   * Splits moves into those that are taken now, and those that led to the same as one of these when a conversation first halted there. All
   * have their turn in the course of time.
   */
  choose(halt: string, moves: readonly Move[]): { readonly now: readonly Move[]; readonly later: readonly Move[] };
  /** @param outcome - the ports on the way, and where that ended */
  note(halt: string, move: Move, outcome: string): void;
}

export function createKnownMoves(): KnownMoves {
  const halts = new Map<string, { readonly outcomes: Map<string, string>; times: number }>();
  return {
    choose(halt, moves) {
      const known = halts.get(halt);
      if (known === undefined) return { now: moves, later: [] };
      known.times += 1;
      const alike = Map.groupBy(moves, (move) => known.outcomes.get(keyOf(move)) ?? keyOf(move));
      const chosen = new Set([...alike.values()].flatMap((same) => [same[0], same[known.times % same.length]]));
      return { now: moves.filter((move) => chosen.has(move)), later: moves.filter((move) => !chosen.has(move)) };
    },
    note(halt, move, outcome) {
      const known = halts.get(halt) ?? { outcomes: new Map<string, string>(), times: 0 };
      halts.set(halt, known);
      const key = keyOf(move);
      if (!known.outcomes.has(key)) known.outcomes.set(key, outcome);
    },
  };
}

const keyOf = ({ inputs }: Move): string => JSON.stringify(inputs);
