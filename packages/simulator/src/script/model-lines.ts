/** The script lines that say what a model answers: a text, calls of tools, an exit, a refusal or a failure. */
import { isJsonObject, type Json, type JsonObject, parseJsonText } from '@hilo/engine/contract';

/**
 * Reads `{"topic":"order"}`, `"Hello"`, `"Let me see." calls stock {"sku":"A-17"} calls price {}`, `exits ordered` and `refuses "No."`.
 * A call without inputs, or an exit without fields, may leave them out.
 *
 * @returns `undefined` for anything else
 */
export function readModelAnswer(rest: string): JsonObject | undefined {
  const text = rest.trim();
  const whole = parseJson(text);
  if (whole !== undefined) return { kind: 'answered', text: typeof whole === 'string' ? whole : text };
  const refusal = /^refuses (.+)$/su.exec(text)?.[1];
  const said = refusal === undefined ? undefined : parseJson(refusal);
  if (typeof said === 'string') return { kind: 'answered', text: said, finish: 'refused' };
  return readCalls(text);
}

/** The places where a call may begin. */
const callBegins = /(?:^|(?<= ))(calls|exits) ([A-Za-z_]\w{0,63})(?: |$)/gu;

function readCalls(text: string): JsonObject | undefined {
  const begins = [...text.matchAll(callBegins)];
  const first = begins.findIndex(({ index }) => index === 0 || typeof parseJson(text.slice(0, index)) === 'string');
  if (first < 0) return undefined;
  const at = begins[first]?.index ?? 0;
  const calls: Json[] = [];
  for (let current = first; current < begins.length; ) {
    const begin = begins[current];
    const from = (begin?.index ?? 0) + (begin?.[0].length ?? 0);
    // A text in the input may look like another call: the input ends where it is a whole object.
    const next = begins.findIndex(({ index }, other) => other > current && isInput(text.slice(from, index)));
    const input = text.slice(from, next < 0 ? undefined : begins[next]?.index).trim() || '{}';
    if (!isInput(input)) return undefined;
    calls.push({ tool: `${begin?.[1] === 'exits' ? 'exit_' : ''}${begin?.[2] ?? ''}`, input });
    current = next < 0 ? begins.length : next;
  }
  const said = at === 0 ? '' : parseJson(text.slice(0, at));
  return { kind: 'answered', text: typeof said === 'string' ? said : '', calls };
}

const isInput = (text: string): boolean => text.trim() === '' || isJsonObject(parseJson(text.trim()) ?? null);

/** @returns `undefined` for an answer that has no short line */
export function writeModelAnswer({ kind, text, ...others }: JsonObject): string | undefined {
  if (kind !== 'answered' || typeof text !== 'string') return undefined;
  const { calls, finish, ...more } = others;
  if (Object.keys(more).length > 0) return undefined;
  if (calls === undefined && finish === undefined) {
    const value = parseJson(text);
    return value === undefined || typeof value === 'string' || /[\n\r]|^\s|\s$/.test(text) ? JSON.stringify(text) : text;
  }
  if (calls === undefined) return finish === 'refused' ? `refuses ${JSON.stringify(text)}` : undefined;
  if (finish !== undefined || !Array.isArray(calls) || calls.length === 0) return undefined;
  const written = (calls as readonly Json[]).map(writeCall);
  if (written.includes(undefined)) return undefined;
  return [...(text === '' ? [] : [JSON.stringify(text)]), ...written].join(' ');
}

function writeCall(call: Json): string | undefined {
  if (!isJsonObject(call)) return undefined;
  const { tool, input, ...others } = call;
  if (typeof tool !== 'string' || typeof input !== 'string' || Object.keys(others).length > 0) return undefined;
  if (input.trim() === '' || !isInput(input) || /[\n\r]|^\s|\s$/.test(input)) return undefined;
  const [, exit, name = tool] = /^(exit_)?(.*)$/su.exec(tool) ?? [];
  return /^[A-Za-z_]\w{0,63}$/u.test(name) ? `${exit === undefined ? 'calls' : 'exits'} ${name} ${input}` : undefined;
}

function parseJson(text: string): Json | undefined {
  try {
    return parseJsonText(text);
  } catch {
    return undefined;
  }
}
