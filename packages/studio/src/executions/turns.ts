// The turns of nodes that ask models: a visit of an agent is one step of the timeline, with its calls folded under it.
import type { Json } from '@hilo/engine/contract';
import type { HistoryEntry } from '../api/client.ts';
import { isRecord } from '../canvas/canvas-json.ts';
import { attemptsUntil } from './attempts.ts';

/** The nodes whose visits are turns. */
const asking: ReadonlySet<string> = new Set(['agent', 'decide']);

export const isTurn = ({ type }: Pick<HistoryEntry, 'type'>): boolean => asking.has(type);

const isSameVisit = (one: HistoryEntry, other: HistoryEntry): boolean =>
  one.nodeId === other.nodeId && one.visitNumber === other.visitNumber && one.type === other.type;

/** Where a timeline stops, as steps from 1: at each step, and once a turn, at its last one. */
export const stopsOf = (entries: readonly HistoryEntry[]): readonly number[] =>
  entries.flatMap((entry, index) => {
    const next = entries[index + 1];
    return isTurn(entry) && next !== undefined && isSameVisit(entry, next) ? [] : [index + 1];
  });

/** The stop before a step; 0 is the beginning. */
export const stopBefore = (stops: readonly number[], at: number): number => stops.findLast((stop) => stop < at) ?? 0;

/** The stop after a step; the last one has none. */
export const nextStop = (stops: readonly number[], at: number): number => stops.find((stop) => stop > at) ?? at;

/** A tool that a model called, or the exit that it took. */
export interface CalledTool {
  readonly tool: string;
  /** The text of the model, as it is. */
  readonly input: string;
  /** What the model read of it; `undefined` where it has not, and never will of an exit. */
  readonly output: { readonly value: Json; readonly isError: boolean } | undefined;
}

/** One thing that happened in a turn. */
export interface TurnLine {
  /** The step at which it was asked for, or happened, from 1. */
  readonly step: number;
  /** The step that has the answer. */
  readonly answeredAt?: number;
  /** The effect; left out where the turn heard, waited or ended without one. */
  readonly type?: string;
  /** The model that was asked, or the tool that was called. */
  readonly who?: string;
  readonly request?: Json;
  readonly result?: Json;
  /** What the result is called, `refused` and `length` for an answer that is none; empty where the node masks it. */
  readonly outcome?: string;
  readonly tookMs?: number;
  /** What the model said, and called. */
  readonly text?: string;
  readonly calls: readonly CalledTool[];
  /** Why it failed: the driver's name for it. */
  readonly reason?: string;
}

/** What happened in the visit that a step belongs to, as it stands at that step: each of its steps is in one line, and in one alone. */
export function turnUntil(entries: readonly HistoryEntry[], step: number): readonly TurnLine[] {
  const here = entries[step - 1];
  if (here === undefined) return [];
  const lines = attemptsUntil(entries, step).map(({ step: asked, type, answer }): TurnLine => {
    const request = entries[asked - 1]?.effect?.request;
    const result = answer === undefined ? undefined : entries[answer.step - 1]?.effect?.result;
    const who = textAt(request, 'model') ?? textAt(request, 'tool') ?? textAt(request, 'functionId');
    const text = textAt(result, 'text');
    const reason = textAt(result, 'kind') === 'failed' ? textAt(result, 'reason') : undefined;
    return {
      step: asked,
      type,
      ...(answer !== undefined && { answeredAt: answer.step, outcome: faultOf(result) ?? answer.outcome, tookMs: answer.tookMs }),
      ...(request !== undefined && { request }),
      ...(result !== undefined && { result }),
      ...(who !== undefined && { who }),
      ...(text !== undefined && text !== '' && { text }),
      ...(reason !== undefined && { reason }),
      calls: answer === undefined ? [] : callsOf(result, outputsAfter(entries.slice(answer.step - 1, step), here.nodeId)),
    };
  });
  const told = new Set(lines.flatMap(({ step: asked, answeredAt }) => [asked, answeredAt]));
  const moments = entries
    .slice(0, step)
    .flatMap((entry, index) => (isSameVisit(entry, here) && !told.has(index + 1) ? [{ step: index + 1, calls: [] }] : []));
  return [...lines, ...moments].toSorted((one, other) => one.step - other.step);
}

const fieldAt = (value: Json | undefined, name: string): Json | undefined => (isRecord(value) ? value[name] : undefined);

function textAt(value: Json | undefined, name: string): string | undefined {
  const text = fieldAt(value, name);
  return typeof text === 'string' ? text : undefined;
}

/** How an answer of a model ended, where it is none. */
function faultOf(result: Json | undefined): string | undefined {
  const finish = textAt(result, 'finish');
  return finish === 'refused' || finish === 'length' ? finish : undefined;
}

const listAt = (value: Json | undefined, name: string): readonly Json[] => {
  const list = fieldAt(value, name);
  return Array.isArray(list) ? (list as readonly Json[]) : [];
};

function callsOf(result: Json | undefined, outputs: readonly Json[]): readonly CalledTool[] {
  return listAt(result, 'calls').map((call) => {
    const output = outputs.find((one) => textAt(one, 'id') === textAt(call, 'id') && textAt(one, 'tool') === textAt(call, 'tool'));
    return {
      tool: textAt(call, 'tool') ?? '',
      input: textAt(call, 'input') ?? '',
      output: output === undefined ? undefined : { value: fieldAt(output, 'output') ?? null, isError: fieldAt(output, 'isError') === true },
    };
  });
}

/** The outputs of tools that the next question tells the model: it follows in a later visit where the user was asked before. */
function outputsAfter(entries: readonly HistoryEntry[], nodeId: string): readonly Json[] {
  const next = entries.find((entry) => entry.nodeId === nodeId && asks(entry));
  return listAt(next?.effect?.request, 'messages').filter((part) => textAt(part, 'role') === 'tool');
}

/** Whether a step asks a model. A masked request is known by its lack of a result alone, and tells nothing. */
const asks = ({ effect }: HistoryEntry): boolean => effect?.type === 'model.ask' && effect.request !== undefined;

/** What a node has used until a step. */
export interface SpentByModels {
  /** Messages of the user that the agent took. */
  readonly turns: number;
  readonly modelCalls: number;
  /** Calls that its models asked for; exits are none. */
  readonly toolCalls: number;
  /** As far as providers count them. */
  readonly tokens: number;
}

/** What the node of a step has used of its budgets by then, since it was last entered: who leaves and comes back begins anew. */
export function spentUntil(entries: readonly HistoryEntry[], step: number): SpentByModels {
  const here = entries[step - 1];
  const past = entries.slice(0, step).filter(({ nodeId, type }) => nodeId === here?.nodeId && type === here.type);
  const left = past.slice(0, -1).findLastIndex(({ port }) => port !== undefined && port !== 'again');
  const turns = new Set<number>();
  const open = new Set<string>();
  let [modelCalls, toolCalls, tokens] = [0, 0, 0];
  for (const { effect, heard, visitNumber } of past.slice(left + 1)) {
    if (heard !== undefined || effect?.type === 'model.ask') turns.add(visitNumber);
    if (effect?.type !== 'model.ask') continue;
    if (open.delete(effect.key)) {
      toolCalls += listAt(effect.result, 'calls').filter((call) => textAt(call, 'tool')?.startsWith('exit_') !== true).length;
      tokens += countTokens(fieldAt(effect.result, 'usage'));
    } else {
      open.add(effect.key);
      modelCalls += 1;
    }
  }
  return { turns: turns.size, modelCalls, toolCalls, tokens };
}

const countTokens = (usage: Json | undefined): number =>
  ['inputTokens', 'outputTokens'].reduce((sum, name) => {
    const count = fieldAt(usage, name);
    return typeof count === 'number' ? sum + count : sum;
  }, 0);
