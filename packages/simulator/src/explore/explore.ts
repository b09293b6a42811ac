// A search for conversations: which ports of a canvas can be left by, which nodes a way reaches, and by which inputs from outside.
import type { EffectDefinition, NodeDefinition, WayStep } from '@hilo/engine/contract';
import { compileCanvas, type CompiledCanvas, nodeTypes } from '@hilo/engine/debug';
import { canvasHash, finalStatuses } from '@hilo/engine/store-kit';
import { standardNodes } from '@hilo/nodes';
import type { ScriptInput } from '../script/script-input.ts';
import { readCanvas } from '../read-canvas.ts';
import { keepCompiled, type SimulationOptions } from '../simulation/simulate.ts';
import { virtualStartMs } from '../virtual-clock.ts';
import { createFindings } from './findings.ts';
import { createFrontier, type Look, haltOf } from './frontier.ts';
import { createKnownMoves } from './known-moves.ts';
import { listBeginnings, listMoves } from './moves.ts';
import type { Repertoire } from './repertoire.ts';
import { createRoot, createSetting, type SettingOptions } from './search-setting.ts';
import { addInput, type Forks, settleStanding, type Standing } from './standing.ts';
import { readVocabulary } from './vocabulary.ts';

/** The circumstances of a search: those of the simulation that plays what it finds. */
export interface ExploreOptions extends SettingOptions, Pick<SimulationOptions, 'startAt' | 'drivers'> {
  readonly nodes?: readonly NodeDefinition[];
  /** Effects of own nodes that a script answers. */
  readonly asks?: readonly EffectDefinition[];
  /** Follows this way alone, from its beginning, until its last node is visited. */
  readonly way?: readonly WayStep[];
  /** Looks for a conversation in which this node fails, by any way. */
  readonly fails?: string;
  /** Whether a port is looked for, as `node.port`; all connected ones are, when left out. */
  readonly wants?: (port: string) => boolean;
  /** How many standings are looked at, at most: 300 when left out. The search is the same each time, within this bound. */
  readonly maxStates?: number;
  /** Whether the search has to stop: asked between two standings, for a bound in time. */
  readonly isOver?: () => boolean;
}

/** What a search has found. */
export interface Exploration {
  /** The connected ports of the first canvas, as `node.port`. */
  readonly all: readonly string[];
  /** For each port that is left by, conversations that lead there, the first found first. */
  readonly ports: ReadonlyMap<string, readonly (readonly ScriptInput[])[]>;
  /** Conversations that follow the way that was asked for, to its end, or in which the node fails that was asked for. */
  readonly walked: readonly (readonly ScriptInput[])[];
  /** How many steps of the way could be followed. */
  readonly furthest: number;
  readonly states: number;
  readonly events: number;
}

/** After so many standings without anything new, the search gives up. */
const patience = 100;
/** The same at another hour: most of what is tried there was tried before. */
const laterPatience = 20;
/** So many forks of one event are followed: a refused message and a closed window each make one. */
const maxForks = 60;
/** Once so many answers have led on along the way that is followed, the others wait. */
const enoughFurther = 2;
/** So often one message is refused, or finds its window closed, in a whole search. */
const maxForksOfOne = 6;

/**
 * Searches the conversations of a canvas, breadth first, in the pure core: at each halt everything is tried that may happen there. What
 * is found is real as far as the core is concerned; `dialogueOf` and `coverPorts` let the simulator play it before it is shown.
 *
 * @param canvases - the first is searched; the others are those that it calls or jumps to
 * @throws {HiloError} `INVALID_CANVAS` for what has not the shape of a canvas
 */
export async function explore(canvases: readonly (object | string)[], options: ExploreOptions = {}): Promise<Exploration> {
  const { nodes = standardNodes } = options;
  const types = nodeTypes(nodes);
  const compiled = canvases.map((input) => {
    const canvas = keepCompiled(readCanvas(input), types);
    return compileCanvas(canvas, canvasHash(canvas), types).compiled;
  });
  return search(compiled, options);
}

async function search(canvases: readonly CompiledCanvas[], options: ExploreOptions): Promise<Exploration> {
  const { maxStates = 300, isOver = () => false, startAt = virtualStartMs, way, asks = [] } = options;
  const findings = createFindings(canvases, options);
  const setting = createSetting(canvases, options, findings.observe);
  const firstWords = way?.map(({ nodeId }) => nodeId);
  const repertoire: Repertoire = { setting, words: readVocabulary(canvases, firstWords), asks };
  const frontier = createFrontier(way === undefined);
  const known = createKnownMoves();
  const forked = new Map<string, number>();
  let states = 0;
  let lastFoundAt = 0; // in standings

  const wantsFork = (input: ScriptInput): boolean => {
    const key = JSON.stringify(input);
    forked.set(key, (forked.get(key) ?? 0) + 1);
    return (forked.get(key) ?? 0) <= maxForksOfOne;
  };
  /** Lets everything happen that does so by itself, and adds each standing that this leads to. */
  const settle = async (first: Standing | undefined): Promise<{ readonly outcome: string; readonly along: number }> => {
    const forks: Standing[] = [];
    const keep: Forks = { wants: wantsFork, add: (fork) => forks.push(fork) };
    let standing = first;
    let result = { outcome: '', along: 0 };
    for (let count = 0; count < maxForks && (count === 0 || standing !== undefined); count += 1) {
      const settled = await settleStanding(standing, setting, keep);
      const { isNew, steps } = findings.takeNews();
      if (isNew) lastFoundAt = states;
      if (settled !== undefined) frontier.add(settled, isNew);
      if (count === 0) result = { outcome: `${settled === undefined ? '' : haltOf(settled)}${steps}`, along: settled?.along ?? 0 };
      standing = forks.shift();
    }
    return result;
  };
  const lookAt = async ({ standing, moves: left }: Look): Promise<void> => {
    states += 1;
    const top = standing.frames.at(-1);
    const isOutside = top === undefined || finalStatuses.has(top.state.status);
    if (!isOutside && !findings.isPromising(standing)) return;
    const halt = haltOf(standing);
    const moves = left ?? (isOutside ? listBeginnings(standing, repertoire) : listMoves(standing, repertoire));
    const { now, later } = left === undefined ? known.choose(halt, moves) : { now: left, later: [] };
    let [taken, further] = [0, 0];
    for (const move of now) {
      const { outcome, along } = await settle(move.take());
      taken += 1;
      known.note(halt, move, outcome);
      if (findings.isDone()) return;
      if (along > standing.along) further += 1;
      if (further === enoughFurther) break;
    }
    const rest = [...now.slice(taken), ...later];
    if (rest.length > 0) frontier.defer(standing, rest);
  };

  for (const delayMs of delaysBefore(canvases)) {
    lastFoundAt = states;
    frontier.add(
      createRoot(startAt + delayMs, delayMs === 0 ? undefined : addInput(undefined, [{ kind: 'passes', durationMs: delayMs }]), options),
      true,
    );
    for (;;) {
      const isEnough =
        findings.isDone() || states >= Math.min(maxStates, lastFoundAt + (delayMs === 0 ? patience : laterPatience)) || isOver();
      const next = isEnough ? undefined : frontier.next();
      if (next === undefined) break;
      await lookAt(next);
    }
  }
  const { all, ports, walked } = findings;
  return { all, ports, walked, furthest: findings.furthest(), states, events: findings.events() };
}

const hourMs = 3_600_000;

/** How long after the beginning a conversation may begin: at other hours and on other days, where a canvas looks at the time. */
function delaysBefore(canvases: readonly CompiledCanvas[]): readonly number[] {
  const looksAtTime = canvases.some(({ canvas: { nodes } }) =>
    nodes.some(({ type, data }) => type === 'opening-hours' || /\$now|now\(|hours|weekday|schedule/i.test(JSON.stringify(data))),
  );
  return looksAtTime ? [0, 4, 9, 13, 17, 24 * 5, 24 * 6, 24 * 5 + 12].map((hours) => hours * hourMs) : [0];
}
