// A search for conversations: which ports of a canvas can be left by, which nodes a way reaches, and by which inputs from outside.
import {
  type Channel,
  type EffectDefinition,
  type HistoryEntry,
  isJsonObject,
  type JsonObject,
  type NodeDefinition,
  type WayStep,
} from '@hilo/engine/contract';
import { compileCanvas, type CompiledCanvas, type CompiledNode, nodeTypes } from '@hilo/engine/debug';
import { canvasHash, finalStatuses } from '@hilo/engine/store-kit';
import { standardNodes } from '@hilo/nodes';
import type { ScriptInput } from '../script/script-input.ts';
import { createCodeRunner } from '../simulation/code-driver.ts';
import { findIn } from '../simulation/company-directory.ts';
import { createDirectory, keepCompiled, readCanvas, type SimulatedCompany, type SimulationOptions } from '../simulation/simulate.ts';
import { simulatedIds, type SimulatedUser } from '../simulation/world.ts';
import { seededRandom } from '../seeded-random.ts';
import { virtualStartMs } from '../virtual-clock.ts';
import { listBeginnings, listMoves, type Repertoire } from './moves.ts';
import { type Frame, listInputs, type Script, type Setting, settleStanding, type Standing } from './standing.ts';
import { readVocabulary } from './vocabulary.ts';

/** The circumstances of a search: those of the simulation that plays what it finds. */
export interface ExploreOptions extends Pick<SimulationOptions, 'channel' | 'user' | 'bot' | 'company' | 'startAt' | 'seed' | 'drivers'> {
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

/** As many conversations are kept for one port: the first may turn out not to be one. */
const maxKept = 3;
/** So many standings of one place are looked at before those of others. */
const perPlace = 8;
/** So many of them lead on from one standing at once. */
const perParent = 2;
/** A loop is followed so often before its rounds are taken to be the same. */
const maxVisits = 8;
/** After so many standings without anything new, the search gives up. */
const patience = 100;
/** Longer conversations are not followed. */
const maxInputs = 60;
/** So often a conversation begins again, after its execution has ended. */
const maxRoots = 12;

const defaultUser: SimulatedUser = { id: '5215512345678', names: 'Ana', phone: '5215512345678' };

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
  return createSearch(compiled, options).run();
}

/** Standings that are still to be looked at. */
interface Queues {
  /** Reached by something that had not happened before. */
  readonly fresh: Standing[];
  readonly old: Standing[];
  /** In places of which many were looked at. */
  readonly crowded: Standing[];
}

function createSearch(canvases: readonly CompiledCanvas[], options: ExploreOptions) {
  const { maxStates = 300, isOver = () => false, way, fails, startAt = virtualStartMs } = options;
  const [main] = canvases;
  const all = [...(main?.nodes.values() ?? [])].flatMap((node) => [...node.targets.keys()].map((port) => `${node.id}.${port}`));
  const missing = new Set(all.filter((port) => options.wants?.(port) ?? true));
  const ports = new Map<string, (readonly ScriptInput[])[]>();
  const taken = new Set<string>(); // of every canvas
  const walked: (readonly ScriptInput[])[] = [];
  const queues: Queues = { fresh: [], old: [], crowded: [] };
  const places = new Map<string, number>();
  const known = new Set<string>();
  const siblings = new Map<string, number>(); // by place, of the standing that is looked at
  let furthest = 0;
  let states = 0;
  let lastFoundAt = 0; // in standings
  let events = 0;
  let isNew = false;
  const isNeeded = createReachability(canvases, missing);

  const keep = (found: (readonly ScriptInput[])[], script: Script | undefined): void => {
    if (found.length < maxKept) found.push(listInputs(script));
  };

  const observe: Setting['observe'] = (frame, entries, standing) => {
    events += 1;
    for (const step of stepsOf(frame, entries)) {
      const key = `${canvases.indexOf(frame.canvas)} ${step}`;
      if (!taken.has(key)) {
        isNew = true;
        lastFoundAt = states;
      }
      taken.add(key);
      if (frame.canvas !== main) continue;
      const found = ports.get(step) ?? [];
      ports.set(step, found);
      keep(found, standing.script);
      missing.delete(step);
    }
    if (fails !== undefined && frame.canvas === main && entries.some(({ nodeId, cause }) => nodeId === fails && cause !== undefined)) {
      keep(walked, standing.script);
      return undefined;
    }
    if (way === undefined) return standing;
    const followed = frame.canvas === main ? followWay(way, frame, entries, standing) : standing;
    if (followed === undefined) return undefined;
    const { along, isAside } = followed;
    if (along > furthest) {
      isNew = true;
      lastFoundAt = states;
    }
    furthest = Math.max(furthest, along);
    if (along >= way.length) {
      keep(walked, standing.script);
      return undefined;
    }
    return { ...standing, along, isAside };
  };

  const setting = createSetting(canvases, options, observe);
  const repertoire: Repertoire = {
    setting,
    words: readVocabulary(
      canvases,
      way?.map(({ nodeId }) => nodeId),
    ),
    asks: options.asks ?? [],
  };
  const isDone = (): boolean => (way === undefined && fails === undefined ? missing.size === 0 : walked.length > 0);

  /** Lets everything happen that does so by itself, and puts each standing that this leads to in its queue. */
  const settle = async (first: Standing | undefined): Promise<void> => {
    const forks: Standing[] = [];
    let standing = first;
    for (let count = 0; count < 60; count += 1) {
      const settled = await settleStanding(standing, setting, forks);
      if (settled !== undefined) enqueue(settled);
      isNew = false;
      standing = forks.shift();
      if (standing === undefined) return;
    }
  };

  const enqueue = (standing: Standing): void => {
    const top = standing.frames.at(-1);
    if (top === undefined || (standing.script?.length ?? 0) > maxInputs) return;
    const { state } = top;
    const isEnd = finalStatuses.has(state.status);
    if (isEnd && (way !== undefined || standing.counts.roots >= maxRoots)) return;
    const { visit, wait, pending } = state;
    const visits = Math.min(state.visits[visit?.nodeId ?? ''] ?? 0, maxVisits);
    const place = isEnd
      ? 'end'
      : `${visit?.nodeId}|${wait?.kind ?? pending?.type}|${visit?.results.length}|${visit?.attempt}|${standing.along}|${visits}`;
    const whole = formatWithoutIds([
      place,
      standing.memory,
      isEnd ? standing.counts.roots : [state.variables, state.memos, visit?.results],
    ]);
    if (known.has(whole)) return;
    known.add(whole);
    const count = (places.get(place) ?? 0) + 1;
    places.set(place, count);
    const brothers = (siblings.get(place) ?? 0) + 1;
    siblings.set(place, brothers);
    if (isNew || count === 1) queues.fresh.push(standing);
    else if (count <= perPlace && brothers <= perParent) queues.old.push(standing);
    else if (count <= 5 * perPlace || isEnd) queues.crowded.push(standing);
  };

  const lookAt = async (standing: Standing): Promise<void> => {
    states += 1;
    siblings.clear();
    const top = standing.frames.at(-1);
    const isOutside = top === undefined || finalStatuses.has(top.state.status);
    if (!isOutside && way === undefined && fails === undefined && !standing.frames.some(isNeeded)) return;
    for (const move of isOutside ? listBeginnings(standing, repertoire) : listMoves(standing, repertoire)) {
      isNew = false;
      await settle(move.take());
      if (isDone()) return;
    }
  };

  const run = async (): Promise<Exploration> => {
    for (const delayMs of delaysBefore(canvases)) {
      const script =
        delayMs === 0 ? undefined : { before: undefined, inputs: [{ kind: 'passes', durationMs: delayMs } as const], length: 1 };
      lastFoundAt = states;
      queues.fresh.push(createRoot(startAt + delayMs, script, options));
      for (;;) {
        const next =
          isDone() || states >= Math.min(maxStates, lastFoundAt + patience) || isOver()
            ? undefined
            : (queues.fresh.shift() ?? queues.old.shift() ?? queues.crowded.shift());
        if (next === undefined) break;
        await lookAt(next);
      }
    }
    return { all, ports, walked, furthest, states, events };
  };
  return { run };
}

/** A message differs from another by what it says: ids and instants are left out. */
const formatWithoutIds = (value: unknown): string =>
  JSON.stringify(value, (name, item: unknown) => (name === 'id' || name === 'at' || name === 'atMs' ? undefined : item));

/** Before anything has happened. */
const createRoot = (nowMs: number, script: Script | undefined, { user = defaultUser }: ExploreOptions): Standing => ({
  frames: [],
  nowMs,
  windowUntilMs: Number.NEGATIVE_INFINITY,
  memory: {},
  contact: user.isKnown === true ? { names: user.names ?? null, phone: user.phone ?? null } : undefined,
  counts: { executions: 0, roots: 0, messages: 0, checkouts: 0, conversations: 0 },
  script,
  along: 0,
  isAside: false,
});

const hourMs = 3_600_000;

/** How long after the beginning a conversation may begin: at other hours and on other days, where a canvas looks at the time. */
function delaysBefore(canvases: readonly CompiledCanvas[]): readonly number[] {
  const looksAtTime = canvases.some(({ canvas: { nodes } }) =>
    nodes.some(({ type, data }) => type === 'opening-hours' || /\$now|now\(|hours|weekday|schedule/i.test(JSON.stringify(data))),
  );
  return looksAtTime ? [0, 4, 9, 13, 17, 24 * 5, 24 * 6, 24 * 5 + 12].map((hours) => hours * hourMs) : [0];
}

/** The ports that the visits of some entries left by; what leaves by a port without an edge goes on by `error`. */
function stepsOf({ canvas }: Frame, entries: readonly HistoryEntry[]): readonly string[] {
  return entries.flatMap(({ nodeId, port }) => {
    const node = canvas.nodes.get(nodeId);
    if (node === undefined || port === undefined) return [];
    const by = node.targets.has(port) ? port : 'error';
    return node.targets.has(by) ? [`${nodeId}.${by}`] : [];
  });
}

/** How far a standing is along a way, after these entries; `undefined` where it left the way. */
function followWay(
  way: readonly WayStep[],
  { canvas, state }: Frame,
  entries: readonly HistoryEntry[],
  before: Pick<Standing, 'along' | 'isAside'>,
): Pick<Standing, 'along' | 'isAside'> | undefined {
  let { along, isAside } = before;
  const isCatch = canvas.catcher !== undefined && way[0]?.nodeId === canvas.catcher.id;
  for (const { nodeId, port } of entries) {
    const step = way[along];
    if (port === undefined || step === undefined || along >= way.length - 1) continue;
    if (step.nodeId !== nodeId && (isAside || (along === 0 && isCatch))) continue; // anything may have failed before a catch
    const node = canvas.nodes.get(nodeId);
    const by = node?.targets.has(port) === true ? port : 'error';
    if (step.nodeId !== nodeId) return undefined;
    isAside = step.port !== undefined && step.port !== by;
    if (isAside && node?.definition.boundedPorts.includes(by) !== true) return undefined;
    if (!isAside) along += 1;
  }
  const last = way.at(-1);
  const isThere = along >= way.length - 1 && (state.visits[last?.nodeId ?? ''] ?? 0) > 0;
  if (!isThere) return { along, isAside };
  const isLeft = last?.port === undefined || entries.some(({ nodeId, port }) => nodeId === last.nodeId && port === last.port);
  return { along: isLeft ? way.length : along, isAside };
}

/** Whether an execution can still come to a port that is looked for; worked out anew when fewer are. */
function createReachability(canvases: readonly CompiledCanvas[], missing: ReadonlySet<string>): (frame: Frame) => boolean {
  const [main] = canvases;
  let counted = -1;
  let useful = new Set<string>();
  const refresh = (): void => {
    counted = missing.size;
    useful = new Set(
      [...(main?.nodes.values() ?? [])]
        .filter((node) => [...node.targets.keys()].some((port) => missing.has(`${node.id}.${port}`)))
        .map(({ id }) => id),
    );
    for (let size = -1; size !== useful.size; ) {
      size = useful.size;
      for (const node of main?.nodes.values() ?? []) if (leadsTo(node, useful)) useful.add(node.id);
    }
  };
  return ({ canvas, state }) => {
    if (canvas !== main) return true;
    if (counted !== missing.size) refresh();
    const { catcher } = canvas;
    return useful.has(state.visit?.nodeId ?? '') || (catcher !== undefined && !state.isCaught && useful.has(catcher.id));
  };
}

const leadsTo = ({ targets }: CompiledNode, useful: ReadonlySet<string>): boolean => [...targets.values()].some(({ id }) => useful.has(id));

function createSetting(canvases: readonly CompiledCanvas[], options: ExploreOptions, observe: Setting['observe']): Setting {
  const { channel = 'whatsapp', user = defaultUser, bot = { id: simulatedIds.botId, name: 'Bot' }, company, seed = 1 } = options;
  const random = seededRandom(seed);
  const seeds: string[] = [];
  const seedOf = (index: number): string => {
    while (seeds.length <= index) {
      random.bytes(16); // the id of the execution
      seeds.push([...random.bytes(16)].map((byte) => byte.toString(16).padStart(2, '0')).join(''));
    }
    return seeds[index] ?? '';
  };
  const runner = createCodeRunner();
  const results = new Map<string, ReturnType<typeof runner>>();
  return {
    canvases,
    channel,
    user,
    scopes: createScopes(channel, bot, company),
    found: findIn(company, { bot, user }),
    seedOf,
    observe,
    async runCode(request) {
      const key = JSON.stringify(request);
      const running = results.get(key) ?? runner(request as never);
      results.set(key, running);
      return running;
    },
  };
}

function createScopes(
  channel: Channel,
  bot: { readonly id: string; readonly name: string },
  company: SimulatedCompany | undefined,
): JsonObject {
  const directory = createDirectory({ channel, bot }, company, { isOpen: () => false });
  const [$company, $bot] = [directory.company(simulatedIds.companyId), directory.bot(simulatedIds.companyId, bot.id)];
  return {
    ...(isJsonObject($company as never) && { $company: $company as JsonObject }),
    ...(isJsonObject($bot as never) && { $bot: $bot as JsonObject }),
  };
}
