import type { Json, JsonObject } from '@hilo/engine/contract';
import type { Execution, HistoryEntry } from '../api/client.ts';
import type { Overlay } from '../board/overlay.ts';
import { isRecord, portKey } from '../canvas/canvas-json.ts';
import { shortTime } from '../words/words.tsx';

export const isOver = (status: string): boolean => status !== 'running' && status !== 'waiting';

/** The overlay of a canvas after the first `step` entries of a history; after all of them, the execution's current state. */
export function overlayAt(entries: readonly HistoryEntry[], step: number, execution: Execution, nowMs: number): Overlay {
  const past = entries.slice(0, step);
  const taken: { [port: string]: number } = Object.create(null) as { [port: string]: number };
  const passed = new Set<string>();
  for (const { nodeId, port } of past) {
    if (port === undefined) continue;
    const key = portKey(nodeId, port);
    taken[key] = (taken[key] ?? 0) + 1;
    passed.add(nodeId);
  }
  const last = past.at(-1);
  const isNow = step >= entries.length;
  const { wait, status } = execution;
  const due = typeof wait?.dueAt === 'string' ? Date.parse(wait.dueAt) - nowMs : undefined;
  return {
    taken: { ...taken },
    passed,
    ...(isNow && wait !== null && { waiting: { nodeId: wait.nodeId, text: due === undefined ? '' : shortTime(due) } }),
    ...(isNow && status === 'failed' && last !== undefined && { failed: { nodeId: last.nodeId, cause: last.cause ?? status } }),
    ...(!isNow && last !== undefined && { running: last.nodeId }),
  };
}

/** The steps at which an execution may have called a child: it began to wait at the instant at which the child began. */
export const stepsThatMayCall = (entries: readonly HistoryEntry[], child: Pick<Execution, 'createdAt'>): readonly number[] =>
  entries.flatMap(({ at, port, effect }, index) =>
    at === child.createdAt && port === undefined && effect === undefined ? [index + 1] : [],
  );

/** One line of a conversation: the speaker and the text. */
export interface ChatLine {
  readonly isFromUser: boolean;
  readonly message: Json;
}

/** What the user wrote and was shown until a step. */
export function chatAt(entries: readonly HistoryEntry[], step: number): readonly ChatLine[] {
  return entries.slice(0, step).flatMap(({ heard, effect }): ChatLine[] => {
    const { request } = effect ?? {};
    const message = effect?.type === 'message.send' && isRecord(request) ? request['message'] : undefined;
    return [
      ...(heard === undefined ? [] : [{ isFromUser: true, message: heard }]),
      ...(message === undefined ? [] : [{ isFromUser: false, message }]),
    ];
  });
}

/**
 * The variables at a step: at the last, those of the execution; before it, everything that its steps had written by then. Initial
 * values, such as the webhook, are not among a step's writes.
 */
export function variablesAt(entries: readonly HistoryEntry[], step: number, { variables }: Execution): JsonObject {
  if (step >= entries.length) return variables;
  let written: JsonObject = {};
  for (const { writes = [] } of entries.slice(0, step))
    for (const { path, value } of writes) written = withPath(written, path.split('.'), value);
  return written;
}

function withPath(record: JsonObject, [name = '', ...rest]: readonly string[], value: Json | undefined): JsonObject {
  const { [name]: before, ...others } = record;
  const inner: JsonObject = isRecord(before) ? before : {};
  const after = rest.length === 0 ? value : withPath(inner, rest, value);
  return after === undefined ? others : { ...record, [name]: after };
}

const isObject = (value: Json | undefined): value is JsonObject => isRecord(value);

/** A variable that two steps differ in; what one of them has not is `undefined`. */
export interface VariableChange {
  readonly path: string;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/** The differences between the variables of two steps, by the deepest paths. */
export function changesBetween(before: JsonObject, after: JsonObject, within = ''): readonly VariableChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name): readonly VariableChange[] => {
    const [old, now] = [Object.hasOwn(before, name) ? before[name] : undefined, Object.hasOwn(after, name) ? after[name] : undefined];
    const path = within === '' ? name : `${within}.${name}`;
    if (isObject(old) && isObject(now)) return changesBetween(old, now, path);
    return JSON.stringify(old) === JSON.stringify(now) ? [] : [{ path, before: old, after: now }];
  });
}

/** The position of each entry on a time line: gaps longer than an hour are compressed, and labelled with their length. */
export function timeline(entries: readonly HistoryEntry[]): readonly { readonly at: number; readonly gap: string | undefined }[] {
  let position = 0;
  return entries.map(({ at }, index) => {
    const before = entries[index - 1];
    const gapMs = before === undefined ? 0 : Math.max(0, Date.parse(at) - Date.parse(before.at));
    position += index === 0 ? 0 : 1 + Math.min(3, Math.log10(1 + gapMs / 60_000));
    return { at: position, gap: gapMs >= 3_600_000 ? shortTime(gapMs) : undefined };
  });
}

/** A conversation of the tester that begins like an execution. */
export interface Fork {
  readonly script: string;
  readonly channel: string | null;
  readonly userId: string | null;
  /** When the execution began, in milliseconds since the epoch. */
  readonly startAt?: number;
  /** Results of calls after the step, by node: suggested when the tester needs a result. */
  readonly answers: { readonly [nodeId: string]: string };
}

/** Messages, webhooks and results until a step, with the time in between. */
export function forkAt(entries: readonly HistoryEntry[], step: number, { channel, userId }: Pick<Execution, 'channel' | 'userId'>): Fork {
  const answers = new Map<string, string>();
  for (const { nodeId, effect } of entries.slice(step)) {
    const line = answerLine(effect);
    if (line !== undefined && !answers.has(nodeId)) answers.set(nodeId, line);
  }
  const startAt = Date.parse(entries[0]?.at ?? '');
  return {
    script: scriptUntil(entries, step),
    channel,
    userId,
    ...(!Number.isNaN(startAt) && { startAt }),
    answers: Object.fromEntries(answers),
  };
}

/** Shorter gaps are the service's own processing time, not a pause of the user. */
const shortestGapMs = 1_000;

export function scriptUntil(entries: readonly HistoryEntry[], step: number): string {
  const past = entries.slice(0, step);
  const lines: string[] = [];
  let nowMs = Date.parse(past[0]?.at ?? '');
  for (const [index, { at, effect, type, writes, heard }] of past.entries()) {
    const acts = [
      heard === undefined ? undefined : `user: ${messageLine(heard)}`,
      answerLine(effect) ?? (type === 'webhook' ? webhookLine(writes) : undefined),
    ].filter((line) => line !== undefined);
    const gapMs = Date.parse(at) - nowMs;
    if (gapMs >= shortestGapMs && (acts.length > 0 || index === past.length - 1)) {
      lines.push(`time: +${gapMs}ms`);
      nowMs += gapMs;
    }
    lines.push(...acts);
  }
  return lines.join('\n');
}

/** What a call answered, as a line of a script. */
function answerLine(effect: HistoryEntry['effect']): string | undefined {
  const result = effect?.result;
  if (effect?.type !== 'http.request' || typeof result !== 'object' || result === null) return undefined;
  if (!('response' in result || 'status' in result)) return undefined;
  const response = ('response' in result ? result.response : result) as { readonly status?: Json; readonly body?: Json };
  return `api: ${JSON.stringify(response.status ?? 200)}${response.body === undefined ? '' : ` ${JSON.stringify(response.body)}`}`;
}

/** The request that a webhook node took. */
function webhookLine(writes: HistoryEntry['writes'] = []): string | undefined {
  for (const { value } of writes) {
    if (!isRecord(value) || typeof value['method'] !== 'string' || !('mode' in value)) continue;
    const { method, body, query } = value;
    const asked = isRecord(query) && Object.keys(query).length > 0 ? ` query ${JSON.stringify(query)}` : '';
    return `webhook: ${method}${body === undefined || body === null ? '' : ` body ${JSON.stringify(body)}`}${asked}`;
  }
  return undefined;
}

function messageLine(message: Json): string {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return JSON.stringify(message);
  const { type, text, payload } = message as { readonly type?: Json; readonly text?: Json; readonly payload?: Json };
  const isOneLine = typeof text === 'string' && text !== '' && !/[\n\r]|^[\s{[]/.test(text);
  if (type === 'text' && isOneLine && payload === undefined) return text;
  if (type === 'button' && typeof payload === 'string' && !/[\]\n]/.test(payload))
    return `[payload ${payload}]${isOneLine ? ` ${text}` : ''}`;
  return JSON.stringify(message);
}
