/** Forms: what is sent on each channel, what counts as an answer, and that nothing invalid is ever saved. */
import { type Channel, isJsonObject, type Json, JsonObject, parseJsonText } from '@hilo/engine/contract';
import { visit } from '@hilo/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkFields } from '../fields/check-fields.ts';
import { Fields } from '../fields/field.ts';
import { ask } from './index.ts';

const fields = {
  age: { type: 'number', integer: true, min: 18, label: 'Your age' },
  plan: { type: 'option', label: 'Plan', options: [{ title: 'Basic' }, { title: 'Full' }] },
};
const flow = { type: 'flow', text: 'Details, please.', parameters: { flow_id: '1', flow_cta: 'Fill in' } };
const config = { message: flow, input: { kind: 'form', fields }, saveAs: '$context.form', attempts: 2 };

const sent = (messageId: string) => ({ kind: 'sent', messageId });
const comes = (message: JsonObject) => ({ kind: 'message', message: { id: 'r', ...message }, atMs: 0 });
const form = (response: Json, more: JsonObject = {}) => comes({ type: 'flow', text: '', name: 'flow', response, ...more });
const says = (text: string) => comes({ type: 'text', text });

const visitOn = (channel: Channel, results: readonly Json[], given: JsonObject = config) => visit(ask, { config: given, channel, results });

const textsOf = (visited: ReturnType<typeof visit>): readonly unknown[] =>
  visited.effects.flatMap(({ type, request }) => {
    const message = type === 'message.send' && isJsonObject(request) ? request['message'] : undefined;
    return isJsonObject(message) ? [message['text']] : [];
  });

describe('a form on a channel that draws it', () => {
  it.each<Channel>(['whatsapp', 'web'])('is offered whole on %s, with its fields for the page that draws them', (channel) => {
    const [first] = visitOn(channel, [sent('m1')]).effects;
    expect(first?.request).toMatchObject({ message: { type: 'flow', parameters: { form: { submit: 'Fill in', fields } } } });
  });

  it('is saved with typed values, without the token and what is no field', () => {
    const { by, writes } = visitOn('whatsapp', [sent('m1'), form({ age: '33', plan: 'Full', more: 'x', flow_token: 'm1' })]);
    expect({ by, writes }).toEqual({ by: 'answered', writes: { '$context.form': { age: 33, plan: 'Full' } } });
  });

  it('is offered again with what is wrong with the first field, then leaves by invalid with every fault', () => {
    const asked = visitOn('web', [sent('m1'), form({ age: '17', plan: 'Other' }), sent('m2')]);
    expect(asked.effects.at(2)?.request).toMatchObject({
      message: {
        type: 'flow',
        text: '"Your age" must be 18 or more.',
        parameters: { form: { problems: [{ field: 'age' }, { field: 'plan' }] } },
      },
    });
    const left = visitOn('web', [sent('m1'), form({ age: '17', plan: 'Other' }), sent('m2'), form({ age: 18, flow_token: 'm2' })]);
    expect(left).toMatchObject({
      by: 'invalid',
      writes: {},
      failure: { cause: 'INVALID_ANSWER', details: { fields: [{ field: 'plan', message: '"Plan" is missing.' }] } },
    });
  });

  it('asks again after a text in its place, in the words of the author', () => {
    const given = { ...config, invalidMessage: 'Use the form, {{$message.text}}.' };
    expect(textsOf(visitOn('whatsapp', [sent('m1'), says('Ana')], given))).toEqual(['Details, please.', 'Use the form, Ana.']);
    expect(textsOf(visitOn('whatsapp', [sent('m1'), says('Ana')]))).toEqual(['Details, please.', '"Your age" is missing.']);
  });

  it('costs no attempt when it is that of another question', () => {
    const other = form({ age: 33, plan: 'Full', flow_token: 'm0' });
    const waiting = visitOn('whatsapp', [sent('m1'), other, other, other]);
    expect(waiting).toMatchObject({ by: undefined });
    expect(textsOf(waiting)).toEqual(['Details, please.']);
    expect(visitOn('whatsapp', [sent('m1'), other, other, other, form({ age: 33, plan: 'Full', flow_token: 'm1' })]).by).toBe('answered');
  });

  it('hands the context of its data endpoint to the channel that has one, and to no page', () => {
    const given = { ...config, input: { ...config.input, exchange: { workflowId: 'slots', context: { city: '{{$context.city}}' } } } };
    const offer = (channel: Channel) =>
      visit(ask, { config: given, channel, variables: { $context: { city: 'Lima' } } }).effects[0]?.request;
    expect(offer('whatsapp')).toMatchObject({ message: { parameters: { exchange: { workflowId: 'slots', context: { city: 'Lima' } } } } });
    expect(JSON.stringify(offer('web'))).not.toContain('Lima');
    expect(ask.references(ask.config.parse(given))).toEqual([{ kind: 'workflow', id: 'slots', at: ['input', 'exchange', 'workflowId'] }]);
  });

  it('is skipped where a value is there that fits the fields', () => {
    const skipping = (known: Json) => visit(ask, { config: { ...config, skipIfSet: true }, variables: { $context: { form: known } } }).by;
    expect(skipping({ age: 18, plan: 'Full' })).toBe('answered');
    expect(skipping({ age: 17, plan: 'Full' })).toBeUndefined();
    expect(skipping({ age: '18', plan: 'Full' })).toBeUndefined();
  });
});

describe('a form on a channel without forms', () => {
  it('is asked field by field, and saves the same value', () => {
    const results = [sent('m1'), sent('m2'), says('unos 33'), sent('m3'), comes({ type: 'button', text: 'Full', payload: 'Full' })];
    const visited = visitOn('slack', results);
    expect(textsOf(visited)).toEqual(['Details, please.', 'Your age', 'Plan']);
    expect(visited).toMatchObject({ by: 'answered', writes: { '$context.form': { age: 33, plan: 'Full' } } });
  });

  it('gives each field its own attempts', () => {
    const results = [sent('m1'), sent('m2'), says('17'), sent('m3'), says('18'), sent('m4'), says('Gold'), sent('m5'), says('Silver')];
    const visited = visitOn('slack', results);
    expect(textsOf(visited)).toEqual([
      'Details, please.',
      'Your age',
      '"Your age" must be 18 or more.',
      'Plan',
      '"Plan" must be one of Basic, Full.',
    ]);
    expect(visited).toMatchObject({ by: 'invalid', failure: { details: { fields: [{ field: 'plan' }] } } });
  });

  it('is asked so on WhatsApp, too, by a message of the type text', () => {
    expect(textsOf(visitOn('whatsapp', [sent('m1'), sent('m2')], { ...config, message: { type: 'text', text: 'Hi' } }))).toEqual([
      'Hi',
      'Your age',
    ]);
  });

  it('leaves out what need not be there, and lists options of which several are chosen', () => {
    const given = {
      ...config,
      input: {
        kind: 'form',
        fields: {
          note: { type: 'text', required: false },
          days: { type: 'option', several: true, options: [{ title: 'Mon', payload: '1' }, { title: 'Tue' }] },
        },
      },
    };
    const visited = visitOn('slack', [sent('a'), sent('b'), says('-'), sent('c'), says('1, tue')], given);
    expect(textsOf(visited)).toEqual(['Details, please.', 'note (or - to leave it out)', 'days\n1. Mon\n2. Tue']);
    expect(visited.writes).toEqual({ '$context.form': { days: ['1', 'Tue'] } });
  });

  it('is refused with "fallback": "refuse", and leaves by timeout when nobody answers a field', () => {
    expect(visitOn('slack', [], { ...config, input: { ...config.input, fallback: 'refuse' } })).toMatchObject({
      by: 'error',
      failure: { cause: 'INVALID_MESSAGE' },
    });
    const given = { ...config, timeout: 'PT1H' };
    expect(visitOn('slack', [sent('m1'), sent('m2'), { kind: 'timeout', lateByMs: 0 }], given).by).toBe('timeout');
  });
});

describe('the check of a form', () => {
  const codes = (given: JsonObject, channels: readonly Channel[]) =>
    ask.check(ask.config.parse(given), { channels, kind: 'skill' }).map(({ code }) => code);
  const unnamed = { ...config, message: { ...flow, parameters: {} } };

  it('wants a name where WhatsApp opens the form', () => {
    expect(codes(unnamed, [])).toEqual(['FLOW_WITHOUT_NAME']);
    expect(codes(unnamed, ['whatsapp', 'slack'])).toEqual(['FLOW_WITHOUT_NAME']);
    expect(codes(unnamed, ['web', 'slack'])).toEqual([]);
  });

  it('finds what a channel without forms would refuse', () => {
    expect(codes(config, ['slack'])).toEqual([]);
    expect(codes({ ...config, input: { ...config.input, fallback: 'refuse' } }, ['slack'])).toEqual(['CHANNEL_LIMIT']);
    const options = Array.from({ length: 50 }, (_, index) => ({ title: `${index} ${'x'.repeat(90)}`, description: 'y'.repeat(200) }));
    expect(codes({ ...config, input: { kind: 'form', fields: { plan: { type: 'option', options } } } }, ['whatsapp'])).toEqual([]);
    expect(codes({ ...config, input: { kind: 'form', fields: { plan: { type: 'option', options } } } }, ['facebook'])).toEqual([
      'CHANNEL_LIMIT',
    ]);
  });

  it.each<[string, JsonObject]>([
    ['no field', {}],
    ['a list', { a: { type: 'list', of: 'text' } }],
    ['21 fields', Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`f${index}`, { type: 'text' }]))],
    [
      'more than 30 kB',
      Object.fromEntries(
        Array.from({ length: 20 }, (_, index) => [
          `f${index}`,
          { type: 'option', options: Array.from({ length: 6 }, (_, at) => ({ title: `${at}`, description: 'x'.repeat(280) })) },
        ]),
      ),
    ],
  ])('refuses %s', (_what, of) => {
    expect(ask.config.safeParse({ ...config, input: { kind: 'form', fields: of } }).success).toBe(false);
  });

  it('refuses a message of another type', () => {
    expect(ask.config.safeParse({ ...config, message: { type: 'image', mediaUrl: 'https://a.example/b.png' } }).success).toBe(false);
  });
});

/** Fields of every type. */
const anyFields = fc.dictionary(
  fc.stringMatching(/^x[0-9]{1,3}$/),
  fc.constantFrom<JsonObject>(
    { type: 'text', maxLength: 5 },
    { type: 'text', required: false },
    { type: 'number', min: 2, max: 9, integer: true },
    { type: 'boolean' },
    { type: 'date', min: '2031-01-01' },
    { type: 'time', required: false },
    { type: 'email' },
    { type: 'phone', required: false },
    { type: 'option', options: [{ title: 'A' }, { title: 'B', payload: 'b' }] },
    { type: 'option', several: true, options: [{ title: 'A' }, { title: 'B' }] },
  ),
  { minKeys: 1, maxKeys: 6 },
);
const values = fc.constantFrom<Json>(
  'A',
  'b',
  '5',
  5,
  true,
  'false',
  ['A'],
  '1924992000000',
  '15:30',
  'a@b.example',
  '5215512345678',
  '',
  null,
  {},
);
const deep = parseJsonText(`${'['.repeat(60)}${']'.repeat(60)}`);
const anyResponse = (of: JsonObject): fc.Arbitrary<Json> =>
  fc.oneof(
    fc
      .record(Object.fromEntries(Object.keys(of).map((name) => [name, values])), { requiredKeys: [] })
      .map((found) => JsonObject.parse(found)),
    fc.constantFrom<Json>(
      null,
      [],
      'text',
      deep,
      { deep },
      { big: 'x'.repeat(40_000) },
      parseJsonText('{"__proto__":{"age":1}}'),
      { flow_token: 'm9' },
      { flow_token: 7 },
    ),
    fc.jsonValue({ maxDepth: 2 }).map((found) => parseJsonText(JSON.stringify(found) ?? 'null')),
  );

describe('whatever comes back', () => {
  it('is answered, asked for again or left by invalid, and what is saved is valid', () =>
    fc.assert(
      fc.property(
        anyFields.chain((of) => fc.tuple(fc.constant(of), fc.array(anyResponse(of), { minLength: 1, maxLength: 3 }))),
        ([of, responses]) => {
          const given = { ...config, input: { kind: 'form', fields: of } };
          // Sends and waits alternate, but for a form of another question, after which the wait goes on.
          let results: readonly Json[] = [sent('m1')];
          let visited = visitOn('whatsapp', results, given);
          for (const response of responses) {
            if (visited.by !== undefined) break;
            results = [...results, form(response)];
            visited = visitOn('whatsapp', results, given);
            if (visited.effects.at(-1)?.type === 'message.send') visited = visitOn('whatsapp', (results = [...results, sent('m2')]), given);
          }
          expect(['answered', 'invalid', undefined]).toContain(visited.by);
          const saved = visited.writes['$context.form'];
          expect(visited.by === 'answered').toBe(saved !== undefined);
          expect(saved === undefined || checkFields(Fields.parse(of), saved).kind === 'valid').toBe(true);
        },
      ),
    ));
});
