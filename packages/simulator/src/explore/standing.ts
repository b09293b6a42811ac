// Where a conversation stands in a search, and where an event takes it: the world of a simulation in the pure core, without an engine.
import {
  type Channel,
  type EffectRequest,
  type ExecutionEvent,
  type ExecutionInput,
  type ExecutionState,
  type HistoryEntry,
  isJsonObject,
  type Json,
  type JsonObject,
  limits,
  type PendingEffect,
  type Settled,
  sessionWindowMs,
  type Trigger,
  userVariables,
} from '@hilo/engine/contract';
import { childSeed, type CompiledCanvas, type CompiledNode, initialState, nextSnapshot, snapshotOf } from '@hilo/engine/debug';
import { finalStatuses } from '@hilo/engine/store-kit';
import { channelFacts, runCode } from '@hilo/nodes/effects';
import type { ScriptInput } from '../script/script-input.ts';
import type { FoundInCompany } from '../simulation/company-directory.ts';
import { simulatedIds, type SimulatedUser } from '../simulation/world.ts';

/** An execution of a family: the last one runs, and those before it wait for the next. */
export interface Frame {
  readonly canvas: CompiledCanvas;
  readonly state: ExecutionState;
  /** Counts the executions of the conversation, from 1: `<execution-1>` in scripts. */
  readonly number: number;
  /** What it halted at. */
  readonly requested?: EffectRequest | undefined;
}

/** A conversation, as far as it has come. */
export interface Standing {
  /** Empty before anything has begun. */
  readonly frames: readonly Frame[];
  readonly nowMs: number;
  /** Until when the user can be written to (WIN-01). */
  readonly windowUntilMs: number;
  readonly memory: JsonObject;
  readonly contact: { readonly names: string | null; readonly phone: string | null } | undefined;
  readonly counts: Counts;
  readonly script: Script | undefined;
  /** How many steps of the way that is followed are behind it. */
  readonly along: number;
  /** Whether it goes round a loop beside the way, from which it comes back to it. */
  readonly isAside: boolean;
}

/** What the simulator numbers. */
interface Counts {
  readonly executions: number;
  readonly roots: number;
  readonly messages: number;
  readonly checkouts: number;
  readonly conversations: number;
}

/** The inputs up to here, the last first. */
export interface Script {
  readonly before: Script | undefined;
  readonly inputs: readonly ScriptInput[];
  readonly length: number;
}

/** All inputs of a script, the first first. */
export function listInputs(script: Script | undefined): readonly ScriptInput[] {
  const parts: (readonly ScriptInput[])[] = [];
  for (let at = script; at !== undefined; at = at.before) parts.push(at.inputs);
  return parts.reverse().flat();
}

export const addInput = (before: Script | undefined, inputs: readonly ScriptInput[]): Script => ({
  before,
  inputs,
  length: (before?.length ?? 0) + 1,
});

/** Adds an input that has to come before the last one, which leads to what it is about. */
const addBeforeLast = (script: Script | undefined, input: ScriptInput): Script => ({
  before: script?.before,
  inputs: [input, ...(script?.inputs ?? [])],
  length: script?.length ?? 1,
});

/** The circumstances of a search, as the simulation that plays what it finds has them. */
export interface Setting {
  readonly canvases: readonly CompiledCanvas[];
  readonly channel: Channel;
  readonly user: SimulatedUser;
  /** `$company` and `$bot`. */
  readonly scopes: JsonObject;
  readonly found: FoundInCompany;
  /** The seed of the nth execution that begins by itself, from 0. */
  readonly seedOf: (index: number) => string;
  /** The result of code, which is computed rather than answered. */
  readonly runCode: (request: Json) => Promise<Json | undefined>;
  /** Sees the history of each event. @returns the standing as it goes on; `undefined` where the search need not follow it */
  readonly observe: (frame: Frame, entries: readonly HistoryEntry[], standing: Standing) => Standing | undefined;
}

/** The executions that a trigger may begin. */
export interface Beginning {
  readonly canvas: CompiledCanvas;
  readonly entry: CompiledNode;
  readonly trigger: (executionId: string) => Trigger;
  readonly isAnonymous?: boolean;
}

/** Adds an execution that begins now. */
export function begin(
  standing: Standing,
  { canvas, entry, trigger, isAnonymous = false }: Beginning,
  setting: Setting,
): Standing | undefined {
  const { counts, nowMs, contact, memory } = standing;
  const { channel, user, scopes, seedOf } = setting;
  const executionId = String(counts.roots + 1).padStart(32, '0');
  const { $company, ...others } = scopes;
  const personal = isAnonymous ? {} : { ...others, $user: userVariables(user.id, contact, channel), $memory: memory };
  const input = createInput(canvas, {
    executionId,
    rootId: executionId,
    origin: {
      companyId: simulatedIds.companyId,
      channel,
      route: 'production',
      ...(!isAnonymous && { botId: simulatedIds.botId, userId: user.id }),
    },
    depth: 0,
    seed: seedOf(counts.roots),
    startedAtMs: nowMs,
    variables: { ...($company !== undefined && { $company }), ...personal },
  });
  const frame: Frame = { canvas, state: initialState(input), number: counts.executions + 1 };
  const begun = { ...standing, frames: [frame], counts: { ...counts, executions: counts.executions + 1, roots: counts.roots + 1 } };
  return applyEvent(begun, { type: 'execution.started', entry: entry.id, trigger: trigger(executionId), atMs: nowMs }, setting);
}

function createInput(canvas: CompiledCanvas, given: Omit<ExecutionInput, 'canvasHash' | 'defaults'>): ExecutionInput {
  const { variables, hash } = { variables: canvas.canvas.variables, hash: canvas.hash };
  const defaults = Object.fromEntries(
    Object.entries(variables).flatMap(([name, { default: value }]) => (value === undefined ? [] : [[name, value] as const])),
  );
  return { ...given, canvasHash: hash, defaults };
}

/** Applies an event to the execution that runs, or to one of its callers. @returns `undefined` where it changes nothing */
export function applyEvent(
  standing: Standing,
  event: ExecutionEvent,
  { observe }: Setting,
  index = standing.frames.length - 1,
): Standing | undefined {
  const frame = standing.frames[index];
  if (frame === undefined) return undefined;
  const next = nextSnapshot(frame.canvas, snapshotOf(frame.state), event);
  if (next.state === frame.state) return undefined;
  const moved: Frame = { ...frame, state: next.state, requested: next.requestedEffect };
  // A caller that goes on has cancelled what it called.
  const frames = [...standing.frames.slice(0, index), moved];
  return observe(moved, next.history, { ...standing, frames, memory: remember(standing.memory, next.persistentWrites) });
}

/** `$memory` after writes; they name a variable of it, or a place below one. */
function remember(
  memory: JsonObject,
  writes: readonly { readonly path: readonly (string | number)[]; readonly value: Json | undefined }[],
): JsonObject {
  const written = writes.flatMap(({ path: [scope, name, ...below], value }) =>
    scope === '$memory' && name !== undefined && below.length === 0 ? [[String(name), value] as const] : [],
  );
  if (written.length === 0) return memory;
  const next = { ...memory, ...Object.fromEntries(written.filter(([, value]) => value !== undefined)) } as JsonObject;
  return Object.fromEntries(
    Object.entries(next).filter(([name]) => !written.some(([gone, value]) => gone === name && value === undefined)),
  );
}

/** A result that comes by itself, and others that an input before it brings about. */
interface Automatic {
  readonly standing: Standing;
  readonly settled: Settled;
  readonly instead: readonly { readonly result: Json; readonly input: ScriptInput }[];
}

const result = (value: Json): Settled => ({ kind: 'result', value });
const refusal = { kind: 'refused', cause: 'REFUSED', message: 'The simulated call was told to be refused' } as const;

/** What the simulator itself answers; `undefined` for an effect whose answer a script gives. */
async function answerByItself(standing: Standing, pending: PendingEffect, setting: Setting): Promise<Automatic | undefined> {
  const { type, request, nodeId } = pending;
  const fields: JsonObject = isJsonObject(request) ? request : {};
  const { counts, nowMs, windowUntilMs } = standing;
  const { channel, found, user } = setting;
  const refused = { result: refusal, input: { kind: 'refuses', nodeId, cause: refusal.cause } } as const;
  const plain = (value: Json, instead: Automatic['instead'] = []): Automatic => ({ standing, settled: result(value), instead });
  switch (type) {
    case 'message.send': {
      const isOpen = !channelFacts[channel].hasSessionWindow || nowMs < windowUntilMs;
      if (!isOpen) return plain({ kind: 'windowClosed' });
      return plain({ kind: 'sent', messageId: 'message-1' }, [
        { result: { kind: 'windowClosed' }, input: { kind: 'closesWindow', nodeId } },
        refused,
      ]);
    }
    case 'template.send': {
      const { templateId, parameters } = fields as {
        readonly templateId: string;
        readonly parameters: { readonly [name: string]: string };
      };
      const template = found.template({ templateId, parameters }, { contact: undefined });
      if (template.kind === 'refused') return plain(template);
      const until = channelFacts[channel].hasSessionWindow ? { windowUntilMs: nowMs + sessionWindowMs } : {};
      const answer = plain({ kind: 'sent', messageId: 'message-1', ...until }, [refused]);
      return { ...answer, standing: { ...standing, windowUntilMs: nowMs + sessionWindowMs } };
    }
    case 'webhook.respond':
    case 'log.event':
      return plain({ kind: 'done' });
    case 'tags.change': {
      const change = fields as unknown as Parameters<FoundInCompany['tags']>[0];
      return plain(found.tags(change, { origin: { companyId: simulatedIds.companyId, route: 'production', userId: user.id } }), [refused]);
    }
    case 'group.change':
    case 'consent.change':
      return plain({ kind: 'changed' }, [refused]);
    case 'handoff.open': {
      const id = `conversation-${counts.conversations + 1}`;
      const chosen = found.operator(fields);
      if (chosen.kind !== 'chosen') return undefined;
      const answer = plain({ kind: 'opened', conversationId: id, key: id }, [
        { result: { kind: 'noAgent' }, input: { kind: 'operator', act: { does: 'none' } } },
        refused,
      ]);
      return { ...answer, standing: { ...standing, counts: { ...counts, conversations: counts.conversations + 1 } } };
    }
    case 'event.send':
      return plain({ waits: 0 });
    case runCode.type: {
      const value = await setting.runCode(request);
      return value === undefined ? undefined : plain(value);
    }
    default:
      return undefined;
  }
}

/** Most steps between two inputs: more is a canvas that goes round. */
const maxSteps = 3_000;

/** The standings in which something else happened on the way; they are not settled yet. */
export interface Forks {
  /** Whether one in which this happened instead is followed. */
  wants(input: ScriptInput): boolean;
  add(standing: Standing): void;
}

/**
 * Lets everything happen that happens by itself.
 *
 * @returns the standing in which something from outside is needed, or nothing more happens; `undefined` where the search ends
 */
export async function settleStanding(start: Standing | undefined, setting: Setting, forks: Forks): Promise<Standing | undefined> {
  let standing = start;
  for (let steps = 0; standing !== undefined && steps < maxSteps; steps += 1) {
    const top = standing.frames.at(-1);
    if (top === undefined) return standing;
    const { state } = top;
    if (finalStatuses.has(state.status)) {
      if (standing.frames.length === 1) return standing;
      standing = handBack(standing, top, setting);
    } else if (state.wait?.kind === 'child') {
      standing = callChild(standing, top, setting);
    } else if (state.pending === undefined) return standing;
    else if (state.pending.type === 'flow.jump') standing = enterCanvas(standing, top, state.pending, setting);
    else {
      const automatic = await answerByItself(standing, state.pending, setting);
      if (automatic === undefined) return standing;
      const { key } = state.pending;
      const settle = (at: Standing, settled: Settled): Standing | undefined =>
        applyEvent(at, { type: 'effect.settled', key, settled, atMs: at.nowMs }, setting);
      for (const { result: value, input } of automatic.instead) {
        if (!forks.wants(input)) continue;
        const other = settle({ ...standing, script: addBeforeLast(standing.script, input) }, result(value));
        if (other !== undefined) forks.add(other);
      }
      standing = settle(automatic.standing, automatic.settled);
    }
  }
  return undefined;
}

/** A workflow that a node names, and where it is begun when it is called. */
function findCalled({ canvases }: Setting, workflowId: Json | undefined) {
  const canvas = canvases.find(({ canvas: { id } }) => id === workflowId);
  const entry = canvas?.starts[0] ?? canvas?.webhook;
  return canvas === undefined || entry === undefined ? undefined : { canvas, entry };
}

/** Begins the workflow that a node calls; one that is not there has failed at once. */
function callChild(standing: Standing, { state, requested }: Frame, setting: Setting): Standing | undefined {
  const { wait, variables } = state;
  const { nowMs, counts } = standing;
  const request: JsonObject = isJsonObject(requested?.request) ? requested.request : {};
  const called = findCalled(setting, request['workflowId']);
  const waitId = wait?.id ?? '';
  if (called === undefined || state.depth >= limits.childDepth) {
    const failed = { kind: 'failed', cause: 'WORKFLOW_NOT_FOUND', message: 'There is no such workflow', webhook: {} };
    return applyEvent(standing, { type: 'child.ended', waitId, atMs: nowMs, result: failed }, setting);
  }
  const webhook = isJsonObject(variables['$webhook']) ? variables['$webhook'] : {};
  const kept = ['$user', '$memory', '$bot', '$company', '$message', '$campaign'].flatMap((scope) =>
    variables[scope] === undefined ? [] : [[scope, variables[scope]] as const],
  );
  const input = createInput(called.canvas, {
    executionId: wait?.childId ?? '',
    rootId: state.rootId,
    origin: state.origin,
    depth: state.depth + 1,
    seed: childSeed(state.seed, waitId),
    startedAtMs: nowMs,
    variables: { ...Object.fromEntries(kept), $webhook: webhook },
  });
  const child: Frame = { canvas: called.canvas, state: initialState(input), number: counts.executions + 1 };
  const inputs = isJsonObject(request['inputs']) ? request['inputs'] : {};
  const within = { ...standing, frames: [...standing.frames, child], counts: { ...counts, executions: counts.executions + 1 } };
  return applyEvent(
    within,
    { type: 'execution.started', entry: called.entry.id, trigger: { kind: 'call', inputs, webhook }, atMs: nowMs },
    setting,
  );
}

/** Tells the caller how its child ended. */
function handBack(standing: Standing, { canvas, state }: Frame, setting: Setting): Standing | undefined {
  const frames = standing.frames.slice(0, -1);
  const waitId = frames.at(-1)?.state.wait?.id ?? '';
  const { status, ending, variables } = state;
  const { config, definition } = canvas.webhook ?? {};
  const name = definition?.entry?.kind === 'webhook' ? definition.entry.handsBack?.(config) : undefined;
  const request = isJsonObject(variables['$webhook']) && name !== undefined ? variables['$webhook'][name] : undefined;
  const webhook = name === undefined || request === undefined ? {} : { [name]: request };
  const told =
    status === 'completed'
      ? { kind: 'completed', outputs: ending?.outputs ?? {}, webhook }
      : {
          kind: 'failed',
          cause: ending?.failure?.cause ?? status.toUpperCase(),
          message: ending?.failure?.message ?? `The child ended as ${status}`,
          webhook,
        };
  return applyEvent({ ...standing, frames }, { type: 'child.ended', waitId, atMs: standing.nowMs, result: told }, setting);
}

/** Goes on in the canvas that a jump leads to. */
function enterCanvas(standing: Standing, top: Frame, { key, request }: PendingEffect, setting: Setting): Standing | undefined {
  const called = findCalled(setting, isJsonObject(request) ? request['workflowId'] : undefined);
  const atMs = standing.nowMs;
  if (called === undefined) {
    const failure = { cause: 'WORKFLOW_NOT_FOUND', message: 'There is no such workflow' };
    return applyEvent(standing, { type: 'effect.settled', key, atMs, settled: { kind: 'failure', outcome: 'failed', failure } }, setting);
  }
  const frames = [...standing.frames.slice(0, -1), { ...top, canvas: called.canvas }];
  return applyEvent(
    { ...standing, frames },
    { type: 'canvas.entered', key, canvasHash: called.canvas.hash, entry: called.entry.id, atMs },
    setting,
  );
}
