// Answers with JSON that may be large, some members of a list in a turn: written at once, a million people would hold up everybody for seconds.
import { setImmediate as turn } from 'node:timers/promises';
import { isJsonObject, type Json } from '@hilo/engine/contract';
import type { Context } from 'hono';
import type { HttpEnv } from './context.ts';
import { streamTexts } from './stream-texts.ts';

/** Members of a list that are written in one turn. */
const membersATurn = 500;
/** Where lists may be long: of a workspace, what each company lists, and the recipients of each campaign. */
const deepest = 5;

/** The text of a value in pieces; one that is not deep inside of it is written member by member. */
function* pieces(value: Json, depth = 0): Generator<string, void, undefined> {
  if (depth === deepest || typeof value !== 'object' || value === null) return yield JSON.stringify(value);
  if (!isJsonObject(value)) {
    const isLong = value.length > membersATurn;
    for (const [index, member] of value.entries()) {
      yield index === 0 ? '[' : ',';
      if (isLong) yield JSON.stringify(member);
      else yield* pieces(member, depth + 1);
    }
    return yield value.length === 0 ? '[]' : ']';
  }
  let before = '{';
  for (const [name, member] of Object.entries(value)) {
    yield `${before}${JSON.stringify(name)}:`;
    yield* pieces(member, depth + 1);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

/** Pieces that are sent together. */
const charsAtOnce = 65_536;

/** The text of a value in parts that are not empty, with turns of the event loop between them. */
export async function* writeInTurns(value: Json): AsyncGenerator<string, void, undefined> {
  let text = '';
  for (const piece of pieces(value)) {
    text += piece;
    if (text.length < charsAtOnce) continue;
    yield text;
    text = '';
    await turn();
  }
  if (text !== '') yield text;
}

/** Answers with a value as JSON. */
export const answerJsonInTurns = (c: Context<HttpEnv>, value: Json): Response =>
  c.body(streamTexts(writeInTurns(value)), 200, { 'content-type': 'application/json' });
