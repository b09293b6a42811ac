// Recorded conversations on another content, in lockstep with their own: event by event, under the recorded id, seed and instants, so that the
// instant, keys and draws are the same and equality is plain JSON. Nothing is performed.
import type { CompiledCanvas, CompiledNode } from '../canvas/compile.ts';
import type { ExecutionEvent } from '../contract/event.ts';
import type { ExecutionState, Trigger } from '../contract/execution.ts';
import { parseJsonText } from '../contract/exact-json.ts';
import { isJsonObject, isSameJson, type Json, type JsonObject } from '../contract/json.ts';
import { limits } from '../contract/limits.ts';
import type { Routing } from '../contract/node.ts';
import type { ReplayDifference, ReplayOutcome, Seen } from '../contract/replay.ts';
import type { HistoryRecord } from '../contract/store.ts';
import { readDefaults } from '../variables/declared.ts';
import { type ExecutionSnapshot, initialState, snapshotOf, TransitionLog } from './canvas-logic.ts';
import { finalStatuses } from './lifecycle.ts';
import { hidesValues } from './mask.ts';
import type { CanvasOf } from './replay.ts';

/** What a replay leaves out, and who looks on. */
export interface LockstepOptions {
  /** Groups of differences that do not count. */
  readonly ignore?: ReadonlySet<string>;
  /** Is told of each halt: of the conversation as it was, and of it on the other content. */
  readonly onSeen?: (side: 'before' | 'after', seen: Seen, atMs: number) => void;
}

type Differs = Extract<ReplayOutcome, { readonly kind: 'differs' }>;
type Unreadable = Extract<ReplayOutcome, { readonly kind: 'unreadable' }>;

const unreadable = (why: Unreadable['why']): ReplayOutcome => ({ kind: 'unreadable', why });

/** One recorded conversation beside itself on another content. */
export class Lockstep {
  readonly #history: readonly HistoryRecord[];
  readonly #canvasOf: CanvasOf;
  readonly #draft: CompiledCanvas;
  readonly #options: LockstepOptions;
  #index = 0;
  #sides: Sides | undefined;
  /** What is done of the event under way. */
  #underWay: { readonly early: TransitionLog; readonly before: TransitionLog; readonly after: TransitionLog } | undefined;
  #work = 0;
  /** The first difference after which both go on. */
  #noted: Differs | undefined;
  #drawn: Differs | undefined;

  /** @param draft - the other content */
  constructor(history: readonly HistoryRecord[], canvasOf: CanvasOf, draft: CompiledCanvas, options: LockstepOptions = {}) {
    this.#history = history;
    this.#canvasOf = canvasOf;
    this.#draft = draft;
    this.#options = options;
  }

  /**
   * Goes on by at most so many events, and until they have come to so much work of expressions, also within an event.
   *
   * @returns the outcome; nothing as long as there is more
   */
  advance(most: number = Number.POSITIVE_INFINITY, work: number = Number.POSITIVE_INFINITY): ReplayOutcome | undefined {
    const end = Math.min(this.#history.length, this.#index + most);
    this.#work = work;
    for (; this.#index < end && this.#work > 0; this.#index += 1) {
      const outcome = this.#take(this.#history[this.#index] as HistoryRecord);
      if (outcome === 'under way') return undefined;
      this.#underWay = undefined;
      if (outcome !== undefined) return this.#conclude(outcome);
    }
    if (this.#index < this.#history.length) return undefined;
    return this.#conclude(this.#sides === undefined ? unreadable('removed') : { kind: 'equal' });
  }

  /** The earliest difference counts; a chance that fell otherwise, only where nothing else differs. */
  #conclude(outcome: ReplayOutcome): ReplayOutcome {
    if (this.#noted !== undefined) return this.#noted;
    if (outcome.kind === 'differs' && this.#options.ignore?.has(outcome.group) === true) return this.#drawn ?? { kind: 'equal' };
    return outcome.kind === 'equal' ? (this.#drawn ?? outcome) : outcome;
  }

  #take({ event }: HistoryRecord): ReplayOutcome | 'under way' | undefined {
    if (event.type === 'execution.accepted') {
      if (this.#canvasOf(event.input.canvasHash) === undefined) return unreadable('removed');
      const { hash, canvas } = this.#draft;
      const before = snapshotOf(initialState(event.input));
      const after = snapshotOf(initialState({ ...event.input, canvasHash: hash, defaults: readDefaults(canvas.variables) }));
      this.#sides = { before, after };
      return undefined;
    }
    if (event.type === 'execution.continued') return undefined;
    if (event.type === 'execution.forked' || event.type === 'execution.migrated') return unreadable('migrated');
    if (event.type === 'canvas.entered') return unreadable('jumped');
    const canvas = this.#sides && this.#canvasOf(this.#sides.before.state.canvasHash);
    if (this.#sides === undefined || canvas === undefined) return unreadable('removed');
    if (hidesValues(event, this.#sides.before.state, canvas) !== undefined) return unreadable('masked');
    return this.#takeEvent(event, this.#sides, canvas);
  }

  #takeEvent(event: ExecutionEvent, sides: Sides, canvas: CompiledCanvas): ReplayOutcome | 'under way' | undefined {
    if (event.type === 'execution.started' && this.#underWay === undefined) {
      const entry = findEntry(this.#draft, event.trigger);
      if (entry !== event.entry)
        return this.#differs('start', event.entry, undefined, startAt(event.entry), entry === undefined ? undefined : startAt(entry));
    }
    const isRenamed = canvas.webhook?.id !== this.#draft.webhook?.id;
    if (event.type === 'webhook.received' && isRenamed && event.via === canvas.webhook?.id) return { kind: 'unknown', why: 'webhook' };
    this.#underWay ??= { early: new TransitionLog(), before: new TransitionLog(), after: new TransitionLog() };
    const timer = findEarlyTimer(sides, event);
    if (timer !== undefined) {
      const early = this.#next(this.#underWay.early, this.#draft, sides.after, timer);
      if (early === undefined) return 'under way';
      const [before, after] = [seenOf(sides.before), seenOf(early)];
      this.#tell('after', after, event.atMs);
      return this.#differs('extra', after.nodeId, undefined, before, after);
    }
    const before = this.#next(this.#underWay.before, canvas, sides.before, event);
    const after = before && this.#next(this.#underWay.after, this.#draft, sides.after, addressed(event, sides));
    if (before === undefined || after === undefined) return 'under way';
    const isStill = after === sides.after; // as a timer that is due later
    this.#sides = { before, after };
    return isStill && before === sides.before ? undefined : this.#compare(canvas, before, after, { atMs: event.atMs, isStill });
  }

  /** A side after an event; nothing as long as its work goes on. */
  #next(log: TransitionLog, canvas: CompiledCanvas, from: ExecutionSnapshot, event: ExecutionEvent): ExecutionSnapshot | undefined {
    log.rewind(); // what was done before the last pause is known
    const taken = log.take(canvas, from.state, event, this.#work);
    this.#work -= log.spent;
    if (taken === undefined) return undefined;
    return taken.state === from.state ? from : snapshotOf(taken.state, taken);
  }

  #compare(
    canvas: CompiledCanvas,
    before: ExecutionSnapshot,
    after: ExecutionSnapshot,
    { atMs, isStill }: { readonly atMs: number; readonly isStill: boolean },
  ): ReplayOutcome | undefined {
    const [was, is] = [seenOf(before), seenOf(after)];
    this.#tell('before', was, atMs);
    if (!isStill) this.#tell('after', is, atMs);
    if (isSameJson(asJson(was), asJson(is))) return undefined;
    const drawnAt = findDrawn(canvas, this.#draft, before, after);
    if (drawnAt !== undefined) return this.#differs('drawn', drawnAt, undefined, was, is);
    const field = findPath(was.value, is.value);
    const hasEnded = finalStatuses.has(before.state.status) && finalStatuses.has(after.state.status);
    if (hasEnded) return this.#differs('end', is.nodeId, was.what === is.what ? field : 'status', was, is);
    if (was.nodeId !== is.nodeId || was.what !== is.what) {
      const how = isStill ? 'missing' : this.#nameMove(canvas, before, after, was, is);
      return this.#differs(how, how === 'missing' ? was.nodeId : is.nodeId, findPort(before, after), was, is);
    }
    const isDrawn = was.what === 'code.run' && field === 'seed';
    const note = this.#differs(isDrawn ? 'drawn' : 'request', is.nodeId, field, was, is);
    if (isDrawn) this.#drawn ??= note;
    else if (this.#options.ignore?.has(note.group) !== true) this.#noted ??= note;
    return undefined;
  }

  /** Whether a turn of the recorded conversation is left out, or one comes that it did not have. */
  #nameMove(canvas: CompiledCanvas, before: ExecutionSnapshot, after: ExecutionSnapshot, was: Seen, is: Seen): ReplayDifference {
    if (finalStatuses.has(before.state.status)) return 'extra';
    if (finalStatuses.has(after.state.status) || !this.#draft.nodes.has(was.nodeId)) return 'missing';
    const comesLater = this.#history.slice(this.#index + 1).some(({ entries }) => entries.some(({ nodeId }) => nodeId === is.nodeId));
    if (comesLater) return 'missing';
    return canvas.nodes.has(is.nodeId) ? 'order' : 'extra';
  }

  #differs(how: ReplayDifference, nodeId: string, where: string | undefined, before?: Seen, after?: Seen): Differs {
    const group = [how, nodeId, ...(where === undefined || where === '' ? [] : [where])].join(':');
    return {
      kind: 'differs',
      index: this.#index,
      how,
      group,
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
    };
  }

  #tell(side: 'before' | 'after', seen: Seen, atMs: number): void {
    this.#options.onSeen?.(side, seen, atMs);
  }
}

interface Sides {
  readonly before: ExecutionSnapshot;
  readonly after: ExecutionSnapshot;
}

const startAt = (nodeId: string): Seen => ({ nodeId, what: 'start', value: null });

/** A value with its parts in no order, for a comparison. */
const asJson = ({ nodeId, what, value }: Seen): JsonObject => ({ nodeId, what, value });

/** What an execution did last. */
function seenOf({ state, requestedEffect, history }: ExecutionSnapshot): Seen {
  const { status, pending, wait, ending } = state;
  if (status === 'running' && pending !== undefined) return { nodeId: pending.nodeId, what: pending.type, value: pending.request };
  if (status === 'waiting' && wait !== undefined) {
    const { dueAtMs, onDue, takesReply, openedAtMs } = wait;
    const asked = isJsonObject(requestedEffect?.request ?? null) ? (requestedEffect?.request as JsonObject) : {};
    const dueInMs = dueAtMs === null ? null : dueAtMs - openedAtMs;
    return { nodeId: wait.nodeId, what: `wait.${wait.kind}`, value: { ...asked, dueInMs, onDue, takesReply } };
  }
  const nodeId = ending?.failure?.nodeId ?? history.at(-1)?.nodeId ?? state.visit?.nodeId ?? '';
  if (!finalStatuses.has(status)) return { nodeId, what: status, value: null };
  const { cause, message } = ending?.failure ?? {};
  const failure = cause === undefined ? null : { cause, message: message ?? null };
  return { nodeId, what: `ended.${status}`, value: { outputs: ending?.outputs ?? {}, failure } };
}

/** The entry at which a content begins with what began the recorded one. */
function findEntry({ starts, webhook }: CompiledCanvas, trigger: Trigger): string | undefined {
  if (trigger.kind === 'webhook') return webhook?.id;
  if (trigger.kind === 'call') return starts[0]?.id ?? webhook?.id;
  const { message } = trigger;
  const routing = createRouting(message);
  const found = starts.map((node) => [node.id, matchStart(node, message, routing)] as const);
  for (const kind of ['payload', 'keyword', 'fallback'] as const)
    for (const [nodeId, matched] of found) if (matched === kind) return nodeId;
  return undefined;
}

function matchStart({ definition: { entry }, config }: CompiledNode, message: JsonObject, routing: Routing): string | undefined {
  try {
    return entry?.kind === 'message' ? entry.match(config, message, routing) : undefined;
  } catch {
    return undefined; // as where it began: a start that throws does not match
  }
}

function createRouting(message: JsonObject): Routing {
  let left: number = limits.routingWork;
  const made = new Map<unknown, unknown>();
  return {
    spend: (work) => (left -= work) >= 0,
    once<Made>(make: (message: JsonObject) => Made): Made {
      if (!made.has(make)) made.set(make, make(message));
      return made.get(make) as Made; // kept under the very function that made it
    },
  };
}

/** A timer of the other content that was due before an event; nothing where there is none. */
function findEarlyTimer({ before, after }: Sides, event: ExecutionEvent): ExecutionEvent | undefined {
  const { wait } = after.state;
  if (event.type === 'timer.fired' || wait === undefined || wait.dueAtMs === null) return undefined;
  if (wait.dueAtMs > event.atMs || wait.dueAtMs === before.state.wait?.dueAtMs) return undefined;
  return { type: 'timer.fired', waitId: wait.id, lateByMs: 0, atMs: wait.dueAtMs };
}

/** An event for the other content, whose waits and effects may have other names: another number of visits. */
function addressed(event: ExecutionEvent, { before, after }: Sides): ExecutionEvent {
  const [was, is] = [before.state, after.state];
  if ('waitId' in event && event.waitId === was.wait?.id) return { ...event, waitId: is.wait?.id ?? '' };
  if ('key' in event && event.key === was.pending?.key) return { ...event, key: is.pending?.key ?? '' };
  return event;
}

/** A node that draws by chance and is the same in both, but has drawn otherwise. */
function findDrawn(
  canvas: CompiledCanvas,
  draft: CompiledCanvas,
  { history: one }: ExecutionSnapshot,
  { history: other }: ExecutionSnapshot,
): string | undefined {
  const left = (entries: ExecutionSnapshot['history'], nodeId: string) =>
    entries.find((entry) => entry.nodeId === nodeId && entry.port !== undefined);
  const found = one.find(({ nodeId, type, port }) => {
    const there = type === 'random' ? left(other, nodeId) : undefined;
    return port !== undefined && there !== undefined && there.port !== port;
  });
  const [was, is] = [canvas.nodes.get(found?.nodeId ?? ''), draft.nodes.get(found?.nodeId ?? '')];
  return was !== undefined && is !== undefined && isSameJson(was.config as Json, is.config as Json) ? found?.nodeId : undefined;
}

/** The port by which both left the last node that they have in common. */
function findPort(
  { history: one }: Pick<ExecutionSnapshot, 'history'>,
  { history: other }: Pick<ExecutionSnapshot, 'history'>,
): string | undefined {
  let port: string | undefined;
  for (const [index, entry] of one.entries()) {
    const there = other[index];
    if (there?.nodeId !== entry.nodeId) break;
    ({ port } = entry);
    if (there.port !== entry.port) break;
  }
  return port;
}

/** The way to the first part in which two values differ. */
function findPath(one: Json, other: Json): string | undefined {
  const list = (value: Json): readonly (readonly [string, Json])[] =>
    typeof value === 'object' && value !== null ? (Object.entries(value) as readonly (readonly [string, Json])[]) : [];
  const [mine, theirs] = [new Map(list(one)), new Map(list(other))];
  for (const name of new Set([...mine.keys(), ...theirs.keys()])) {
    const [was, is] = [mine.get(name), theirs.get(name)];
    if (isSameJson(was, is)) continue;
    const below = was === undefined || is === undefined ? undefined : findPath(was, is);
    return below === undefined ? name : `${name}.${below}`;
  }
  return undefined;
}

/** A recorded conversation on another content, at once. */
export function replayOn(
  history: readonly HistoryRecord[],
  canvasOf: CanvasOf,
  draft: CompiledCanvas,
  options: LockstepOptions = {},
): ReplayOutcome {
  return new Lockstep(history, canvasOf, draft, options).advance() ?? { kind: 'equal' };
}

/** Whether the state that an execution has is what its history leads to with these nodes (P19). */
export const isReplayed = (replayed: ExecutionState | undefined, state: ExecutionState): boolean =>
  isSameJson(parseJsonText(JSON.stringify(replayed ?? null)), parseJsonText(JSON.stringify(state)));
