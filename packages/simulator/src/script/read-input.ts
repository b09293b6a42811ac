import { isJsonObject, Json, type JsonObject, parseJsonText } from '@hilo/engine/contract';
import type { OperatorAct } from '../simulation/desk.ts';
import { type ApiAnswer, apiFailures } from '../simulation/scripted-api.ts';
import { type AnswerForm, answerForms } from './answer-lines.ts';
import { lineToText, readDuration } from './line-text.ts';
import { formMessage, readPlace, type ScriptInput, sentMessageId, type WebhookInput } from './script-input.ts';

/**
 * Reads one line of a script: `user: Hello`, `time: +2h`, `webhook: POST {"id":1}` …
 *
 * @throws {SyntaxError} that names the expected form
 */
export function readInput(line: string): ScriptInput {
  const [, verb = '', target = '', rest = ''] = /^([a-z]+)(?: (\S+))?(?::(.*))?$/su.exec(line) ?? [];
  const read = readers.get(verb);
  if (read === undefined) throw new SyntaxError(`an input begins with one of ${[...readers.keys()].join(', ')}, and this is "${line}"`);
  return read(rest.startsWith(' ') ? rest.slice(1) : rest, target);
}

const readers: ReadonlyMap<string, (rest: string, target: string) => ScriptInput> = new Map<
  string,
  (rest: string, target: string) => ScriptInput
>([
  ['user', (rest: string): ScriptInput => ({ kind: 'says', message: readMessage(rest) })],
  ['form', (rest: string): ScriptInput => ({ kind: 'says', message: formMessage(readObject(rest, 'a form')) })],
  ['reply', (rest: string, target: string): ScriptInput => ({ kind: 'says', message: readReply(rest, target) })],
  ['place', (rest: string): ScriptInput => ({ kind: 'places', place: readPlace(readObject(rest, 'a place')) })],
  ['campaign', readCampaign],
  ['again', (): ScriptInput => ({ kind: 'repeats' })],
  ['webhook', (rest: string, target: string): ScriptInput => ({ kind: 'webhook', call: readWebhook(rest, target) })],
  ['callback', readCallback],
  ['time', (rest: string): ScriptInput => ({ kind: 'passes', durationMs: readPause(rest) })],
  ['api', (rest: string): ScriptInput => ({ kind: 'apiAnswers', answer: readAnswer(rest) })],
  ...[...answerForms].map(([verb, form]) => [verb, (rest: string): ScriptInput => createAnswer(verb, form, rest)] as const),
  [
    'answer',
    (rest: string, target: string): ScriptInput => ({ kind: 'answers', effect: readEffect(target), answer: readJson(rest, 'an answer') }),
  ],
  ['operator', (rest: string): ScriptInput => ({ kind: 'operator', act: readAct(rest) })],
  ['refused', readRefusal],
  ['window', readWindow],
  ['start', readStart],
  ['signal', readSignal],
  ['cancel', (_rest: string, target: string): ScriptInput => ({ kind: 'cancels', ...(target !== '' && { executionId: target }) })],
  ['restart', (): ScriptInput => ({ kind: 'restarts' })],
]);

function readMessage(rest: string): JsonObject {
  if (rest.startsWith('{')) return readObject(rest, 'a message');
  const [, payload, text = ''] = /^\[payload ([^\]]*)\] ?(.*)$/su.exec(rest) ?? [];
  if (payload === undefined) return { type: 'text', text: lineToText(rest) };
  return { type: 'button', payload: lineToText(payload), ...(text !== '' && { text: lineToText(text) }) };
}

function readCampaign(rest: string): ScriptInput {
  const id = lineToText(rest.trim());
  if (id === '') throw new SyntaxError('a campaign that reaches the user has an id: campaign: spring');
  return { kind: 'campaign', id };
}

/** A message that names the one it answers, by the number of what the user got: 1 is the first. */
function readReply(rest: string, target: string): JsonObject {
  if (!/^[1-9]\d{0,5}$/.test(target)) throw new SyntaxError('a reply names the message of the bot that it answers, from 1: reply 2: Yes');
  return { ...readMessage(rest), replyTo: sentMessageId(Number(target)) };
}

/** The first JSON is the query of a method without a body, and otherwise the body; further parts are named. */
function readWebhook(rest: string, target: string): WebhookInput {
  const { main, parts } = splitParts(rest);
  const [, method, first] = /^(\S+)(?: (.*))?$/su.exec(main) ?? [];
  if (method === undefined) throw new SyntaxError('a webhook names its method: webhook: POST {"id":1}');
  const [workflowId = '', nodeId] = target.split('/');
  const body = parts.get('body') ?? (first === undefined || hasQuery(method) ? undefined : readJson(first, 'a body'));
  const query = parts.get('query') ?? (first !== undefined && hasQuery(method) ? readObject(first, 'a query') : undefined);
  const headers = parts.get('headers');
  const key = parts.get('key');
  return {
    method,
    ...(body !== undefined && { body }),
    ...(isJsonObject(query) && { query }),
    ...(isJsonObject(headers) && { headers: formatTexts(headers) }),
    ...(workflowId !== '' && { workflowId }),
    ...(nodeId !== undefined && { nodeId }),
    ...(typeof key === 'string' && { idempotencyKey: key }),
  };
}

function readCallback(rest: string, nodeId: string): ScriptInput {
  if (rest.trim() === '') throw new SyntaxError('a callback names its method: callback: POST {"paid":true}, callback NODE: GET');
  return { kind: 'calls', ...(nodeId !== '' && { nodeId }), request: readWebhook(rest, '') };
}

/** Whether the first JSON of a webhook line is the query: the method has no body. */
export const hasQuery = (method: string): boolean => method === 'GET' || method === 'DELETE';

/**
 * Splits ` query {…}`, ` headers {…}` … off the end. Such a name inside a string of the preceding JSON does not count: what follows it
 * there never parses as JSON, since its quotes are unbalanced.
 */
function splitParts(rest: string): { readonly main: string; readonly parts: ReadonlyMap<string, Json> } {
  const parts = new Map<string, Json>();
  let main = rest;
  for (const match of [...rest.matchAll(/ (body|query|headers|key) /g)].reverse()) {
    const value = parseJson(main.slice(match.index + match[0].length));
    if (value === undefined) continue;
    parts.set(match[1] ?? '', value);
    main = main.slice(0, match.index);
  }
  return { main, parts };
}

function readPause(rest: string): number {
  const durationMs = readDuration(rest);
  if (durationMs === undefined) throw new SyntaxError(`"${rest}" is not a time that passes: write +10s, +5m, +2h, +3d or PT2H`);
  return durationMs;
}

function readAnswer(rest: string): ApiAnswer {
  // As a call that is answered in any other way is written when it fails.
  const written = rest.trim().replace(/^fails /, '');
  const failure = apiFailures.find((name) => name === written);
  if (failure !== undefined) return failure;
  const { main, parts } = splitParts(rest);
  const [, status, body] = /^(\d{3})(?: (.*))?$/su.exec(main) ?? [];
  if (status === undefined)
    throw new SyntaxError(
      `an answer is a status with its body, such as 200 {"ok":true}, or one of ${apiFailures.join(', ')}: api: 200 {"ok":true}, api: timeout`,
    );
  const headers = parts.get('headers');
  return {
    status: Number(status),
    ...(body !== undefined && { body: readJson(body, 'a body') }),
    ...(isJsonObject(headers) && { headers: formatTexts(headers) }),
  };
}

function createAnswer(verb: string, { effect, read, expected }: AnswerForm, rest: string): ScriptInput {
  const answer = read(rest);
  if (answer === undefined) throw new SyntaxError(`"${verb}:" is followed by ${expected}`);
  return { kind: 'answers', effect, answer };
}

function readEffect(target: string): string {
  if (target === '') throw new SyntaxError('an answer names its effect: answer lead.score: {"score":7}');
  return target;
}

function readAct(rest: string): OperatorAct {
  const [, does, text] = /^(says|closes|expires|none)(?: (.*))?$/su.exec(rest) ?? [];
  if (does === 'says' && text !== undefined && text !== '') return { does, text: lineToText(text) };
  if (text === undefined && (does === 'closes' || does === 'expires' || does === 'none')) return { does };
  throw new SyntaxError('an operator says something, closes, expires, or there is none: operator: says Hello, operator: closes');
}

function readRefusal(rest: string, nodeId: string): ScriptInput {
  const [, cause, message] = /^([\w.-]+)(?: (.+))?$/su.exec(rest.trim()) ?? [];
  if (cause === undefined)
    throw new SyntaxError('a refusal has a cause, and perhaps a message: refused: REFUSED, refused greet: REFUSED No such number');
  return { kind: 'refuses', ...(nodeId !== '' && { nodeId }), cause, ...(message !== undefined && { message: lineToText(message) }) };
}

function readWindow(rest: string, nodeId: string): ScriptInput {
  if (rest.trim() !== 'closed') throw new SyntaxError('the window of the user can be closed: window: closed, window remind: closed');
  return { kind: 'closesWindow', ...(nodeId !== '' && { nodeId }) };
}

function readStart(rest: string, workflowId: string): ScriptInput {
  const inputs = rest.trim() === '' ? {} : readObject(rest, 'the inputs of a start');
  return { kind: 'starts', ...(workflowId !== '' && { workflowId }), inputs };
}

function readSignal(rest: string): ScriptInput {
  const [, name, correlation = '', payload] = /^("(?:[^"\\]|\\.)*"|\S+)(?: ("(?:[^"\\]|\\.)*"|[^\s{[]\S*))?(?: (.*))?$/su.exec(rest) ?? [];
  if (name === undefined)
    throw new SyntaxError('a signal has a name, and perhaps a correlation and a payload: signal: paid order-7 {"amount":5}');
  return {
    kind: 'signals',
    name: readWord(name),
    correlation: readWord(correlation),
    payload: payload === undefined ? null : readJson(payload, 'a payload'),
  };
}

const readWord = (word: string): string => (word.startsWith('"') ? formatText(readJson(word, 'a text')) : word);

const formatText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Header values are texts; a number without quotes is accepted as one. */
const formatTexts = (values: JsonObject): { readonly [name: string]: string } =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, formatText(value)]));

function readJson(text: string, what: string): Json {
  const value = parseJson(text);
  if (value === undefined) throw new SyntaxError(`${what} in JSON is expected, and this is none: ${text}`);
  return value;
}

function readObject(text: string, what: string): JsonObject {
  const value = readJson(text, what);
  if (!isJsonObject(value)) throw new SyntaxError(`${what} must be an object, and this is none: ${text}`);
  return value;
}

function parseJson(text: string): Json | undefined {
  try {
    return Json.parse(parseJsonText(text));
  } catch {
    return undefined;
  }
}
