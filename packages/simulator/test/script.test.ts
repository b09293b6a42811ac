import type { JsonObject } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scriptInput } from '../../testing/src/arbitraries/event-scripts.ts';
import { anyText, jsonValue } from '../../testing/src/arbitraries/json-values.ts';
import { lineToText, readDuration, textToLine, writeDuration } from '../src/script/line-text.ts';
import { readInput } from '../src/script/read-input.ts';
import { parseScript, replayTalk } from '../src/script/script.ts';
import type { ScriptInput } from '../src/script/script-input.ts';
import { writeInput } from '../src/script/write-input.ts';

/** An input with what it means where something is left out: the method is POST, and no body is null. */
const whole = (input: ScriptInput): ScriptInput =>
  input.kind === 'webhook' ? { kind: 'webhook', call: { method: 'POST', body: null, ...input.call } } : input;

const word = fc.stringMatching(/^[a-z-]{1,9}$/);
const reply: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record({
    kind: fc.constant('answered'),
    text: fc.oneof(
      anyText,
      jsonValue.map((value) => JSON.stringify(value)),
    ),
  }),
  fc.record({
    kind: fc.constant('answered'),
    text: anyText,
    calls: fc.array(
      fc.record({
        tool: fc.constantFrom('stock', 'exit_done', 'exit_', '__proto__', 'a b'),
        input: fc.oneof(
          jsonValue.map((value) => JSON.stringify({ value, text: ' calls stock {} ' })),
          fc.constantFrom('{}', '{"sku":', '[]', ''),
        ),
      }),
      { maxLength: 3 },
    ),
  }),
  fc.record({ kind: fc.constant('answered'), text: anyText, finish: fc.constantFrom('refused', 'length') }),
  fc.record({ kind: fc.constant('returned'), value: jsonValue }),
  fc.record({ kind: fc.constant('rows'), rows: fc.array(fc.constant({ id: 1 })) }),
  fc.record(
    { kind: fc.constant('changed'), affectedRows: fc.nat(), key: fc.constant({ id: 'a key {' }) },
    { requiredKeys: ['kind', 'affectedRows'] },
  ),
  fc.record({ kind: fc.constant('failed'), reason: word, message: anyText }, { requiredKeys: ['kind', 'reason'] }),
  fc.record({ kind: fc.constant('fault'), fault: fc.record({ code: word, message: anyText }) }),
  fc.record({
    kind: fc.constant('response'),
    response: fc.record({ status: fc.integer({ min: 100, max: 599 }), headers: fc.constant({}), body: jsonValue }),
  }),
  fc.record({ kind: fc.constant('refused'), cause: word, message: anyText }, { requiredKeys: ['kind', 'cause'] }),
  fc.dictionary(word, jsonValue),
);
/** Any answer for any effect, whether it is one of it or not. */
const answers: fc.Arbitrary<ScriptInput> = fc.record({
  kind: fc.constant('answers' as const),
  effect: fc.constantFrom('model.ask', 'function.call', 'database.call', 'soap.call', 'payment.open', 'code.run', 'lead.score'),
  answer: fc.oneof({ weight: 5, arbitrary: reply }, jsonValue),
});
const places: fc.Arbitrary<ScriptInput> = fc
  .record({ timeZone: fc.constantFrom('America/Lima', 'Asia/Tokyo'), locale: fc.constantFrom('es-PE', 'ja') }, { requiredKeys: [] })
  .map((place) => ({ kind: 'places', place }));
const campaigns: fc.Arbitrary<ScriptInput> = anyText.filter((text) => text !== '').map((id) => ({ kind: 'campaign', id }));
const operator: fc.Arbitrary<ScriptInput> = fc
  .oneof(
    fc.constantFrom({ does: 'closes' as const }, { does: 'expires' as const }, { does: 'none' as const }),
    fc.record({ does: fc.constant('says' as const), text: anyText.filter((text) => text !== '') }),
  )
  .map((act) => ({ kind: 'operator', act }));

const refusals: fc.Arbitrary<ScriptInput> = fc.oneof(
  fc.record(
    {
      kind: fc.constant('refuses' as const),
      nodeId: fc.constantFrom('greet', 'a:b', '-'),
      cause: fc.constantFrom('REFUSED', 'not.now'),
      message: anyText.filter((text) => text !== ''),
    },
    { requiredKeys: ['kind', 'cause'] },
  ),
  fc.record({ kind: fc.constant('closesWindow' as const), nodeId: fc.constantFrom('greet', 'a:b') }, { requiredKeys: ['kind'] }),
  fc.record(
    { kind: fc.constant('starts' as const), workflowId: fc.constantFrom('orders', 'a:b'), inputs: fc.dictionary(word, jsonValue) },
    { requiredKeys: ['kind', 'inputs'] },
  ),
);

describe('readInput', () => {
  it('reads every input that is written', () =>
    fc.assert(
      fc.property(
        fc.oneof({ weight: 3, arbitrary: scriptInput }, { weight: 3, arbitrary: answers }, operator, places, campaigns, refusals),
        (input) => {
          const line = writeInput(input);
          expect(line).not.toMatch(/[\n\r]|^\s|\s$/);
          expect(whole(readInput(line))).toEqual(whole(input));
          expect(writeInput(readInput(line))).toBe(line);
        },
      ),
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
    ['callback: POST {"ok":true}', { kind: 'calls', request: { method: 'POST', body: { ok: true } } }],
    [
      'callback paid: GET {"q":"1"} key "k"',
      { kind: 'calls', nodeId: 'paid', request: { method: 'GET', query: { q: '1' }, idempotencyKey: 'k' } },
    ],
    ['campaign: spring', { kind: 'campaign', id: 'spring' }],
    ['signal: paid', { kind: 'signals', name: 'paid', correlation: '', payload: null }],
    ['signal: paid order-7 {"amount":5}', { kind: 'signals', name: 'paid', correlation: 'order-7', payload: { amount: 5 } }],
    ['signal: "a b" "" "text"', { kind: 'signals', name: 'a b', correlation: '', payload: 'text' }],
    ['refused: REFUSED', { kind: 'refuses', cause: 'REFUSED' }],
    ['refused greet: REFUSED No such number', { kind: 'refuses', nodeId: 'greet', cause: 'REFUSED', message: 'No such number' }],
    ['window: closed', { kind: 'closesWindow' }],
    ['window a:b: closed', { kind: 'closesWindow', nodeId: 'a:b' }],
    ['start:', { kind: 'starts', inputs: {} }],
    ['start orders: {"country":"PE"}', { kind: 'starts', workflowId: 'orders', inputs: { country: 'PE' } }],
    ['again', { kind: 'repeats' }],
    ['model: {"topic":"order"}', { kind: 'answers', effect: 'model.ask', answer: { kind: 'answered', text: '{"topic":"order"}' } }],
    ['model: "Hello"', { kind: 'answers', effect: 'model.ask', answer: { kind: 'answered', text: 'Hello' } }],
    [
      'model: "Let me see." calls stock {"sku":"A calls b {}"} exits done {}',
      {
        kind: 'answers',
        effect: 'model.ask',
        answer: {
          kind: 'answered',
          text: 'Let me see.',
          calls: [
            { tool: 'stock', input: '{"sku":"A calls b {}"}' },
            { tool: 'exit_done', input: '{}' },
          ],
        },
      },
    ],
    ...['model: calls stock calls order {} exits done', 'model: calls stock {}  calls order  exits done {}'].map(
      (line): [string, object] => [
        line,
        {
          kind: 'answers',
          effect: 'model.ask',
          answer: { kind: 'answered', text: '', calls: ['stock', 'order', 'exit_done'].map((tool) => ({ tool, input: '{}' })) },
        },
      ],
    ),
    ['model: refuses "No."', { kind: 'answers', effect: 'model.ask', answer: { kind: 'answered', text: 'No.', finish: 'refused' } }],
    ['model: fails timeout', { kind: 'answers', effect: 'model.ask', answer: { kind: 'failed', reason: 'timeout' } }],
    ['function: null', { kind: 'answers', effect: 'function.call', answer: { kind: 'returned', value: null } }],
    [
      'function: fails threw Not: today',
      { kind: 'answers', effect: 'function.call', answer: { kind: 'failed', reason: 'threw', message: 'Not: today' } },
    ],
    ['database: [{"id":1}]', { kind: 'answers', effect: 'database.call', answer: { kind: 'rows', rows: [{ id: 1 }] } }],
    ['database: 2', { kind: 'answers', effect: 'database.call', answer: { kind: 'changed', affectedRows: 2 } }],
    [
      'database: 1 key {"id":7}',
      { kind: 'answers', effect: 'database.call', answer: { kind: 'changed', affectedRows: 1, key: { id: 7 } } },
    ],
    [
      'soap: 200 {"price":5}',
      { kind: 'answers', effect: 'soap.call', answer: { kind: 'response', response: { status: 200, headers: {}, body: { price: 5 } } } },
    ],
    [
      'soap: fault Client No such number',
      { kind: 'answers', effect: 'soap.call', answer: { kind: 'fault', fault: { code: 'Client', message: 'No such number' } } },
    ],
    ['soap: timeout', { kind: 'answers', effect: 'soap.call', answer: { kind: 'unreachable', reason: 'timeout' } }],
    ['soap: fails timeout', { kind: 'answers', effect: 'soap.call', answer: { kind: 'unreachable', reason: 'timeout' } }],
    ['api: fails timeout', { kind: 'apiAnswers', answer: 'timeout' }],
    ['payment: opened', { kind: 'answers', effect: 'payment.open', answer: { kind: 'opened' } }],
    ['payment: refused AMOUNT', { kind: 'answers', effect: 'payment.open', answer: { kind: 'refused', cause: 'AMOUNT' } }],
    ['answer lead.score: {"score":7}', { kind: 'answers', effect: 'lead.score', answer: { score: 7 } }],
    ['operator: says Good day: what is it?', { kind: 'operator', act: { does: 'says', text: 'Good day: what is it?' } }],
    ['operator: closes', { kind: 'operator', act: { does: 'closes' } }],
    ['operator: expires', { kind: 'operator', act: { does: 'expires' } }],
    ['operator: none', { kind: 'operator', act: { does: 'none' } }],
    ['cancel', { kind: 'cancels' }],
    ['cancel <execution-2>', { kind: 'cancels', executionId: '<execution-2>' }],
  ])('reads %s', (line, input) => expect(readInput(line)).toEqual(input));
});

describe('parseScript', () => {
  it('skips results, and keeps remarks and empty lines', () => {
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
      'Line 2: an input begins with one of user, form, reply, place, campaign, again, webhook, callback, time, api, model, function, code, mcp, database, soap, payment, answer, operator, refused, window, start, signal, cancel, restart, and this is "usr: Ho"',
    ],
    ['time: soon', 'Line 1: "soon" is not a time that passes: write +10s, +5m, +2h, +3d or PT2H'],
    ['# Remark\nwebhook:', 'Line 2: a webhook names its method: webhook: POST {"id":1}'],
    ['webhook: POST {id:1}', 'Line 1: a body in JSON is expected, and this is none: {id:1}'],
    [
      'api: OK',
      'Line 1: an answer is a status with its body, such as 200 {"ok":true}, or one of timeout, refused, invalid-url, blocked, too-large, throws, rubbish: api: 200 {"ok":true}, api: timeout',
    ],
    [
      'model:',
      'Line 1: "model:" is followed by what the model says, as JSON or a text in quotes, or calls of tools, an exit, a refusal, or "fails" with a reason: model: {"topic":"order"}, model: calls stock {"sku":"A"}, model: exits ordered {"number":"O-1"}, model: refuses "No.", model: fails timeout',
    ],
    [
      'database: -1',
      'Line 1: "database:" is followed by rows, or the number of rows that changed, or "fails" with a reason: database: [{"id":1}], database: 1 key {"id":1}',
    ],
    [
      'soap: 20 {}',
      'Line 1: "soap:" is followed by a status with the body of the envelope, "fault" with a code, or one of timeout, refused, invalid-url, blocked, too-large: soap: 200 {"price":5}',
    ],
    ['answer: {}', 'Line 1: an answer names its effect: answer lead.score: {"score":7}'],
    ['place: {"timeZone":"Mars"}', 'Line 1: there is no time zone "Mars": write one such as America/Lima'],
    ['place: {"zone":"UTC"}', 'Line 1: a place has a timeZone and a locale, and no "zone"'],
    ['operator: leaves', 'Line 1: an operator says something, closes, expires, or there is none: operator: says Hello, operator: closes'],
    ['user: {"type":', 'Line 1: a message in JSON is expected, and this is none: {"type":'],
  ])('names the line of %j', (script, message) => {
    expect(() => parseScript(script)).toThrow(expect.objectContaining({ code: 'INVALID_SCRIPT', message }) as Error);
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
  it('reads back every written input', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 12 }), (durationMs) => {
        expect(readDuration(writeDuration(durationMs))).toBe(durationMs);
      }),
    ));

  it.each(['', '2', 'h', '-2h', '0s', 'two hours', 'PT', '99999999999999999d'])('refuses %j', (text) =>
    expect(readDuration(text)).toBeUndefined(),
  );
});

describe('a reply to a message of the bot', () => {
  const question = (id: string, text: string, next: string) => ({
    node: {
      id,
      type: 'ask',
      data: { message: { type: 'quick_reply', text, quick_replies: [{ title: 'Yes' }, { title: 'No' }] } },
    },
    edges: ['Yes', 'No', 'other'].map((sourceHandle) => ({ source: id, sourceHandle, target: next })),
  });
  const [first, second] = [question('q1', 'Receipt?', 'q2'), question('q2', 'Cancel the order?', 'done')];
  const order = {
    schemaVersion: 1,
    id: 'order',
    name: 'Order',
    nodes: [{ id: 'begin', type: 'start', data: { keywords: ['go'] } }, first.node, second.node, { id: 'done', type: 'end' }],
    edges: [{ source: 'begin', target: 'q1' }, ...first.edges, ...second.edges],
  };
  const tap = (number: number) => `reply ${number}: [payload Yes] Yes`;
  const statusAfter = async (...lines: readonly string[]) =>
    (await (await replayTalk([order], ['user: go', ...lines].join('\n'))).execution())?.state.status;

  it('answers the question of that message, or none: a second tap leaves the next question open', async () => {
    expect(await statusAfter(tap(1))).toBe('waiting');
    expect(await statusAfter(tap(1), tap(1), tap(1))).toBe('waiting');
    expect(await statusAfter(tap(1), tap(1), tap(2))).toBe('completed');
    expect(await statusAfter(tap(1), 'reply 2: Yes')).toBe('completed');
  });

  it('is written as it is read', () => {
    for (const line of ['reply 1: Yes', tap(12), 'reply 3: {"type":"sticker"}']) expect(writeInput(readInput(line))).toBe(line);
    expect(readInput(tap(2))).toEqual({ kind: 'says', message: { type: 'button', payload: 'Yes', text: 'Yes', replyTo: 'message-2' } });
  });

  it.each(['reply: Yes', 'reply 0: Yes', 'reply x: Yes', 'reply -1: Yes'])('names a message by its number: "%s"', (line) =>
    expect(() => readInput(line)).toThrow('from 1: reply 2: Yes'),
  );

  it('is refused where the user has not got that message', async () => {
    await expect(statusAfter(tap(2))).rejects.toMatchObject({ code: 'INVALID_SCRIPT', details: { line: 2 } });
    await expect(replayTalk([order], tap(1))).rejects.toMatchObject({
      details: { reason: expect.stringContaining('has got none') as unknown },
    });
  });
});
