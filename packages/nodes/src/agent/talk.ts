/** The conversation of an agent: all that lasts from one of its visits to the next, in a form that later releases read too. */
import { isJsonObject, type Json, utf8Bytes } from '@hilo/engine/contract';
import type { z } from 'zod';
import type { Part as PartSchema } from '../effects/ask-model.ts';
import type { AgentConfig } from './config.ts';
import type { Masked } from './withheld-values.ts';

export type Part = z.output<typeof PartSchema>;
export type Call = NonNullable<Extract<Part, { readonly role: 'assistant' }>['calls']>[number];

/** What the conversation has used of its budgets. */
export type Spent = {
  readonly turns: number;
  readonly modelCalls: number;
  readonly toolCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In millionths of the currency of the prices. */
  readonly costMicros: number;
};

/** The memo of an agent. Executions of earlier releases wait with one: a change of its shape needs another version. */
export type Talk = {
  readonly version: 1;
  /** With marks in place of withheld values. */
  readonly messages: readonly Part[];
  /** What is said to the user next, with marks. */
  readonly say: string;
  /** The call that the user must agree to, and those of the same answer that follow it. */
  readonly asking?: { readonly call: Call; readonly rest: readonly Call[] };
  readonly spent: Spent;
  /** Invalid answers in a row. */
  readonly invalid: number;
  readonly masked: readonly Masked[];
};

export const freshTalk: Talk = {
  version: 1,
  messages: [],
  say: '',
  spent: { turns: 0, modelCalls: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0, costMicros: 0 },
  invalid: 0,
  masked: [],
};

/** Only an agent writes its memo: its version says whether this release knows the shape. */
export const isTalk = (memo: Json): memo is Json & Talk => isJsonObject(memo) && memo['version'] === 1;

/** The most bytes that a memo may have: the engine keeps 64 KB. */
const memoBytes = 60_000;

/** The memo for the next visit: without the oldest turns, and without what a provider wants back of earlier answers. */
export function memoOf(talk: Talk, history: AgentConfig['history']): Json {
  const last = talk.messages.findLastIndex(({ role }) => role === 'assistant');
  const messages = talk.messages.map((part, index) => (index === last ? part : dropKept(part)));
  for (let { chars } = history; chars >= 500; chars /= 2) {
    const memo: Talk = { ...talk, messages: fitHistory(messages, { ...history, chars }) };
    if (fitsBytes(JSON.stringify(memo), memoBytes)) return memo;
  }
  return { ...talk, messages: [] };
}

function dropKept(part: Part): Part {
  if (part.role !== 'assistant' || part.kept === undefined) return part;
  const { kept: _, ...others } = part;
  return others;
}

/** The last turns that fit. A turn begins with what the user wrote and is dropped whole, so that no call is without its output. */
export function fitHistory(messages: readonly Part[], { messages: most, chars }: AgentConfig['history']): readonly Part[] {
  // The whole in one piece: without its brackets and commas it is as long as its parts.
  if (messages.length <= most && JSON.stringify(messages).length - messages.length - 1 <= chars) return messages;
  const sizes = messages.map((part) => JSON.stringify(part).length);
  let [from, count, size] = [0, messages.length, sizes.reduce((sum, one) => sum + one, 0)];
  while (count > most || size > chars) {
    const next = messages.findIndex(({ role }, index) => index > from && role === 'user');
    if (next < 0) break;
    for (; from < next; from += 1) [count, size] = [count - 1, size - (sizes[from] ?? 0)];
  }
  return size > chars ? shorten(messages.slice(from), chars) : messages.slice(from);
}

/** The last turn, where it is too large by itself: the oldest outputs and texts are cut first. */
function shorten(turn: readonly Part[], chars: number): readonly Part[] {
  const shortened = [...turn];
  for (let index = 0; index < shortened.length && JSON.stringify(shortened).length > chars; index += 1) {
    const part = shortened[index];
    if (part !== undefined) shortened[index] = cut(part);
  }
  return shortened;
}

const cutChars = 200;

function cut(part: Part): Part {
  switch (part.role) {
    case 'tool':
      return { ...part, output: `${JSON.stringify(part.output).slice(0, cutChars).toWellFormed()} (cut)` };
    case 'assistant': {
      const { calls, text } = part;
      const shorter = calls?.map((call) => ({ ...call, input: call.input.length > cutChars ? '{}' : call.input }));
      return { role: 'assistant', text: text.slice(0, cutChars).toWellFormed(), ...(shorter !== undefined && { calls: shorter }) };
    }
    default:
      return { ...part, text: part.text.slice(0, cutChars).toWellFormed() };
  }
}

/** Whether a text has so many bytes in UTF-8 at most: a unit has three at most. */
const fitsBytes = (text: string, bytes: number): boolean => text.length * 3 <= bytes || utf8Bytes(text) <= bytes;

/** The most that a transcript has, in bytes. */
const transcriptBytes = 16 * 1024;

/** The conversation as people read it, with marks; of a long one the end. */
export function transcriptOf(messages: readonly Part[]): Json {
  const lines = messages.flatMap((part) => {
    if (part.role === 'user') return [{ from: 'user', text: part.text }];
    return part.role === 'assistant' && part.text !== '' ? [{ from: 'bot', text: part.text }] : [];
  });
  // A unit has six bytes at most in JSON, and a line forty beside its text.
  if (lines.reduce((sum, { text }) => sum + text.length * 6 + 40, 0) <= transcriptBytes) return lines;
  let left = transcriptBytes;
  const from = lines.findLastIndex((line) => (left -= utf8Bytes(JSON.stringify(line)) + 1) < 1);
  return lines.slice(from + 1);
}
