// The standings that a search has still to look at, the most promising first: few of each place, and none twice.
import { finalStatuses } from '@hilo/engine/store-kit';
import type { Move } from './repertoire.ts';
import type { Standing } from './standing.ts';

/** So many standings of one place are looked at before those of others. */
const perPlace = 8;
/** So many of them lead on from one standing at once. */
const perParent = 2;
/** A loop is followed so often before its rounds are taken to be the same. */
const maxVisits = 8;
/** Longer conversations are not followed. */
const maxInputs = 60;
/** So often a conversation begins again, after its execution has ended. */
const maxRoots = 12;

/** A standing that is looked at, and the moves that are taken there; all, when left out. */
export interface Look {
  readonly standing: Standing;
  readonly moves?: readonly Move[];
}

/** What is still to be looked at. */
export interface Frontier {
  /** @param isNew - whether something has happened on the way there that had not before */
  add(standing: Standing, isNew: boolean): void;
  /** Keeps moves for when there is nothing more promising. */
  defer(standing: Standing, moves: readonly Move[]): void;
  /** The next one; those that are added then come from it. */
  next(): Look | undefined;
}

/** @param goesOn - whether a conversation goes on after its execution has ended */
export function createFrontier(goesOn: boolean): Frontier {
  const fresh: Standing[] = [];
  const old: Standing[] = [];
  const crowded: Standing[] = []; // in places of which many were looked at
  const deferred: Look[] = [];
  const places = new Map<string, number>();
  const siblings = new Map<string, number>(); // by place, of the standing that is looked at
  const known = new Set<string>();
  const count = (counts: Map<string, number>, place: string): number => {
    const next = (counts.get(place) ?? 0) + 1;
    counts.set(place, next);
    return next;
  };

  return {
    add(standing, isNew) {
      const state = standing.frames.at(-1)?.state;
      const isEnd = state !== undefined && finalStatuses.has(state.status);
      if ((standing.script?.length ?? 0) > maxInputs || (isEnd && (!goesOn || standing.counts.roots >= maxRoots))) return;
      const place = isEnd ? 'end' : placeOf(standing);
      const rest = isEnd
        ? standing.counts.roots
        : [state === undefined ? standing.nowMs : state.variables, state?.memos, state?.visit?.results];
      const whole = formatWithoutIds([place, standing.memory, rest]);
      if (known.has(whole)) return;
      known.add(whole);
      const [ofPlace, ofParent] = [count(places, place), count(siblings, place)];
      if (isNew || ofPlace === 1) fresh.push(standing);
      else if (ofPlace <= perPlace && ofParent <= perParent) old.push(standing);
      else if (ofPlace <= 5 * perPlace || isEnd) crowded.push(standing);
    },
    defer: (standing, moves) => deferred.push({ standing, moves }),
    next() {
      siblings.clear();
      const standing = fresh.shift() ?? old.shift() ?? crowded.shift();
      return standing === undefined ? deferred.shift() : { standing };
    },
  };
}

/** Where an execution stands: its node, what it waits for there, and how often it came. */
function placeOf(standing: Standing): string {
  const { visit, visits } = standing.frames.at(-1)?.state ?? {};
  const rounds = Math.min(visits?.[visit?.nodeId ?? ''] ?? 0, maxVisits);
  return [haltOf(standing), visit?.results.length, visit?.attempt, rounds].join('|');
}

/** The node at which an execution stands, and what it waits for there. */
export function haltOf({ frames, along }: Standing): string {
  const { visit, wait, pending, status } = frames.at(-1)?.state ?? {};
  return [visit?.nodeId ?? status, wait?.kind ?? pending?.type, along].join('|');
}

/** A message differs from another by what it says: ids and instants are left out. */
const formatWithoutIds = (value: unknown): string =>
  JSON.stringify(value, (name, item: unknown) => (name === 'id' || name === 'at' || name === 'atMs' ? undefined : item));
