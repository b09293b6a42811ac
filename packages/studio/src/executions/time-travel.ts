import type { Json, JsonObject } from '@hilo/engine/contract';
import type { Execution, HistoryEntry, LoggedMessage } from '../api/client.ts';
import type { Overlay } from '../board/overlay.ts';
import { isRecord, portKey } from '../canvas/canvas-json.ts';
import { shortTime } from '../words/words.tsx';

/** What is drawn over the canvas when the first `step` entries of a history have happened; all of them: the execution as it is. */
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

/** Where the user has been shown something, and what was heard of them, until a step. */
export function chatAt(entries: readonly HistoryEntry[], step: number): readonly { readonly nodeId: string; readonly message: Json }[] {
  return entries.slice(0, step).flatMap(({ nodeId, effect }) => {
    if (effect?.type !== 'message.send' || effect.request === undefined || effect.request === null) return [];
    const { request } = effect;
    const message = typeof request === 'object' && 'message' in request ? request.message : undefined;
    return message === undefined ? [] : [{ nodeId, message }];
  });
}

/**
 * The variables at a step: at the last, those of the execution; before it, all that its steps had written by then. What an execution
 * began with, such as its webhook, is not among a step's writes.
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

/** Where each entry stands on a line: gaps longer than an hour are compressed, and say how long they were. */
export function timeline(entries: readonly HistoryEntry[]): readonly { readonly at: number; readonly gap: string | undefined }[] {
  let position = 0;
  return entries.map(({ at }, index) => {
    const before = entries[index - 1];
    const gapMs = before === undefined ? 0 : Math.max(0, Date.parse(at) - Date.parse(before.at));
    position += index === 0 ? 0 : 1 + Math.min(3, Math.log10(1 + gapMs / 60_000));
    return { at: position, gap: gapMs >= 3_600_000 ? shortTime(gapMs) : undefined };
  });
}

/** What an execution heard of its user: the message that began it, which came a moment before it was there, and all since. */
export function heardIn({ createdAt }: Execution, messages: readonly LoggedMessage[]): readonly LoggedMessage[] {
  const inbound = messages.filter(({ direction }) => direction === 'inbound').toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
  const first = inbound.findLast(
    (message) => message.createdAt <= createdAt && Date.parse(createdAt) - Date.parse(message.createdAt) < 60_000,
  );
  return inbound.filter((message) => message === first || message.createdAt > createdAt);
}

/** A conversation that begins like an execution: what was heard and what calls answered until a step, as a script of the tester. */
export function scriptUntil(
  entries: readonly HistoryEntry[],
  step: number,
  heard: readonly Pick<LoggedMessage, 'createdAt' | 'message'>[],
): string {
  const until = entries[Math.min(step, entries.length) - 1]?.at ?? '';
  const lines: { readonly at: string; readonly line: string }[] = heard
    .filter(({ createdAt }) => step >= entries.length || createdAt <= until)
    .map(({ createdAt, message }) => ({ at: createdAt, line: `user: ${messageLine(message)}` }));
  for (const { at, effect } of entries.slice(0, step)) {
    const result = effect?.result;
    if (effect?.type !== 'http.request' || typeof result !== 'object' || result === null || !('response' in result || 'status' in result))
      continue;
    const response = ('response' in result ? result.response : result) as { readonly status?: Json; readonly body?: Json };
    lines.push({
      at,
      line: `api: ${JSON.stringify(response.status ?? 200)}${response.body === undefined ? '' : ` ${JSON.stringify(response.body)}`}`,
    });
  }
  return lines
    .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    .map(({ line }) => line)
    .join('\n');
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
