import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scriptInput } from '../src/arbitraries/event-scripts.ts';
import { anyText } from '../src/arbitraries/json-values.ts';
import { lineToText, textToLine } from '../src/script/line-text.ts';
import { readInput } from '../src/script/read-input.ts';
import { parseScript, ScriptError } from '../src/script/script.ts';
import type { ScriptInput } from '../src/script/script-input.ts';
import { readDuration, writeDuration } from '../src/script/short-duration.ts';
import { writeInput } from '../src/script/write-input.ts';

/** An input with what it means where something is left out: the method is POST, and no body is null. */
const whole = (input: ScriptInput): ScriptInput =>
  input.kind === 'webhook' ? { kind: 'webhook', call: { method: 'POST', body: null, ...input.call } } : input;

describe('readInput', () => {
  it('reads every input that is written', () =>
    fc.assert(
      fc.property(scriptInput, (input) => {
        const line = writeInput(input);
        expect(line).not.toMatch(/[\n\r]|^\s|\s$/);
        expect(whole(readInput(line))).toEqual(whole(input));
        expect(writeInput(readInput(line))).toBe(line);
      }),
      { numRuns: 500 },
    ));

  it.each([
    ['user: Hello: there', { kind: 'says', message: { type: 'text', text: 'Hello: there' } }],
    ['user:', { kind: 'says', message: { type: 'text', text: '' } }],
    ['user: two\\nlines and a \\\\', { kind: 'says', message: { type: 'text', text: 'two\nlines and a \\' } }],
    ['user: [payload yes] Yes!', { kind: 'says', message: { type: 'button', payload: 'yes', text: 'Yes!' } }],
    ['user: [payload yes]', { kind: 'says', message: { type: 'button', payload: 'yes' } }],
    [
      'user: {"type":"image","mediaUrl":"https://a.example/b.png"}',
      { kind: 'says', message: { type: 'image', mediaUrl: 'https://a.example/b.png' } },
    ],
    ['webhook: POST {"id":1}', { kind: 'webhook', call: { method: 'POST', body: { id: 1 } } }],
    ['webhook: GET {"userId":"5"}', { kind: 'webhook', call: { method: 'GET', query: { userId: '5' } } }],
    [
      'webhook other:one: PUT [1] query {"a":"b"} headers {"X-A":"1"} key "k"',
      {
        kind: 'webhook',
        call: { method: 'PUT', body: [1], query: { a: 'b' }, headers: { 'X-A': '1' }, workflowId: 'other:one', idempotencyKey: 'k' },
      },
    ],
    [
      'webhook one/hook: POST " query {"',
      { kind: 'webhook', call: { method: 'POST', body: ' query {', workflowId: 'one', nodeId: 'hook' } },
    ],
    ['time: +2h', { kind: 'passes', durationMs: 7_200_000 }],
    ['time: P1DT1S', { kind: 'passes', durationMs: 86_401_000 }],
    ['api: 200 {"ok":true}', { kind: 'apiAnswers', answer: { status: 200, body: { ok: true } } }],
    ['api: 204', { kind: 'apiAnswers', answer: { status: 204 } }],
    ['api: timeout', { kind: 'apiAnswers', answer: 'timeout' }],
    ['signal: paid', { kind: 'signals', name: 'paid', correlation: '', payload: null }],
    ['signal: paid order-7 {"amount":5}', { kind: 'signals', name: 'paid', correlation: 'order-7', payload: { amount: 5 } }],
    ['signal: "a b" "" "text"', { kind: 'signals', name: 'a b', correlation: '', payload: 'text' }],
    ['again', { kind: 'repeats' }],
    ['cancel', { kind: 'cancels' }],
    ['cancel <execution-2>', { kind: 'cancels', executionId: '<execution-2>' }],
  ])('reads %s', (line, input) => expect(readInput(line)).toEqual(input));
});

describe('parseScript', () => {
  it('leaves out what came of the inputs, and keeps remarks and empty lines', () => {
    const lines = parseScript('# A talk\n\nuser: Hi\n  bot: Hello\n\tindented\ntime: 5m\n');
    expect(lines.map(({ kind, line }) => [kind, line])).toEqual([
      ['remark', '# A talk'],
      ['remark', ''],
      ['input', 'user: Hi'],
      ['input', 'time: 5m'],
      ['remark', ''],
    ]);
  });

  it.each([
    [
      'user: Hi\nusr: Ho',
      'Line 2: an input begins with one of user, again, webhook, time, api, signal, cancel, restart, and this is "usr: Ho"',
    ],
    ['time: soon', 'Line 1: "soon" is not a time that passes: write +10s, +5m, +2h, +3d or PT2H'],
    ['# Remark\nwebhook:', 'Line 2: a webhook names its method: webhook: POST {"id":1}'],
    ['webhook: POST {id:1}', 'Line 1: a body in JSON is expected, and this is none: {id:1}'],
    [
      'api: OK',
      'Line 1: an answer is a status with its body, or one of timeout, refused, invalid-url, blocked, too-large, throws, rubbish: api: 200 {"ok":true}',
    ],
    ['user: {"type":', 'Line 1: a message in JSON is expected, and this is none: {"type":'],
  ])('names the line of %j', (script, message) => {
    expect(() => parseScript(script)).toThrow(new ScriptError(Number(message.match(/\d/)?.[0]), message.replace(/^Line \d: /, '')));
  });
});

describe('textToLine', () => {
  it('writes any text on one line that reads back', () =>
    fc.assert(
      fc.property(anyText, (text) => {
        const line = textToLine(text, '{[');
        expect(line).not.toMatch(/[\n\r\u2028\u0085]|^[\s{[]|\s$/);
        expect(lineToText(line)).toBe(text);
      }),
      { numRuns: 1_000 },
    ));
});

describe('readDuration', () => {
  it('reads what is written', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 12 }), (durationMs) => {
        expect(readDuration(writeDuration(durationMs))).toBe(durationMs);
      }),
    ));

  it.each(['', '2', 'h', '-2h', '0s', 'two hours', 'PT', '99999999999999999d'])('refuses %j', (text) =>
    expect(readDuration(text)).toBeUndefined(),
  );
});
