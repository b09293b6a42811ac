import { type Channel, channels, getPath, type Json, type JsonObject } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkMessage, messageChecks, MessageTemplate, messageSummary } from './message-config.ts';
import { Message } from './messages/message.ts';

const issuesOf = (message: unknown) =>
  MessageTemplate.safeParse(message).error?.issues.map(({ path, code, message }) => ({ at: path.join('.'), code, message })) ?? [];

const rendered = (message: Json, variables: JsonObject = {}, channel?: Channel) =>
  MessageTemplate.parse(message)({ get: (path) => getPath(variables, path) }, channel);

const place = { type: 'location', coordinates: { lat: 1.5, long: 2 } };
const picture = { type: 'image', mediaUrl: 'https://example.com/a.png', text: 'A picture' };
const choice = { type: 'quick_reply', text: 'Which?', quick_replies: [{ title: 'One' }, { title: 'Two' }] };
const menu = { type: 'text', text: 'Menu', buttons: { options: [{ title: 'One', payload: '1' }, { title: 'Two' }] } };
const form = { type: 'flow', title: 'a', text: 'b', caption: 'c', parameters: { flow_id: '1', mode: 'draft' } };
const samples: readonly JsonObject[] = [
  place,
  picture,
  choice,
  menu,
  form,
  { type: 'contacts', contacts: [{ name: { first_name: 'Ana' } }] },
];

/** Every place inside a value, the value itself first. */
const placesIn = (value: Json | undefined, path: readonly (string | number)[] = []): readonly (readonly (string | number)[])[] => {
  if (typeof value !== 'object' || value === null) return [path];
  return [
    path,
    ...Object.entries(value).flatMap(([key, item]: [string, Json]) => placesIn(item, [...path, Array.isArray(value) ? Number(key) : key])),
  ];
};

const replaced = (value: Json | undefined, path: readonly (string | number)[], by: Json): Json => {
  const [step, ...rest] = path;
  if (step === undefined) return by;
  if (Array.isArray(value)) return value.map((item: Json, index) => (index === step ? replaced(item, rest, by) : item));
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([key, item]) => [key, key === step ? replaced(item, rest, by) : item]),
  );
};

const sampleAndPlace = fc.constantFrom(...samples.flatMap((sample) => placesIn(sample).map((at) => ({ sample, at }))));

describe('a message that is a text alone', () => {
  const value = fc.oneof(
    fc.string(),
    fc.constantFrom(' ', '\n'),
    fc.integer({ min: 990, max: 5_000 }).map((length) => 'é'.repeat(length)),
    fc.jsonValue(),
  );
  it.each(['{{$context.a}}', 'Dear {{$context.a}}', '{{$context.a}}{{$context.a}}'])('%s has a value that fits its schema', (text) =>
    fc.assert(
      fc.property(value, fc.boolean(), fc.option(fc.constantFrom(...channels), { nil: undefined }), (a, previewUrl, channel) => {
        const shown = a === null ? '' : typeof a === 'object' ? JSON.stringify(a) : String(a);
        const whole = text === '{{$context.a}}' ? (a as Json) : text.replaceAll('{{$context.a}}', () => shown);
        const expected = checkMessage({ type: 'text', text: whole, previewUrl }, channel);
        expect(rendered({ type: 'text', text, previewUrl }, { $context: { a: a as Json } }, channel)).toEqual(expected);
      }),
    ),
  );
});

describe('a message in a config', () => {
  it('is the very message where it holds no expression', () => {
    for (const sample of samples) {
      const template = MessageTemplate.parse(sample);
      expect(template({ get: () => undefined }, undefined)).toEqual({ kind: 'message', message: Message.parse(sample) });
      expect(template.reads).toEqual([]);
    }
  });

  it('may have an expression anywhere, which is replaced by its value', () =>
    fc.assert(
      fc.property(sampleAndPlace, ({ sample, at }) => {
        const message = replaced(sample, at, '{{$context.part}}');
        const part = getPath(sample, at) ?? null;
        expect(rendered(message, { $context: { part } })).toEqual({ kind: 'message', message: Message.parse(sample) });
      }),
    ));

  it('never throws and never passes an invalid message, for any values of expressions', () =>
    fc.assert(
      fc.property(
        sampleAndPlace,
        fc.jsonValue(),
        fc.option(fc.constantFrom(...channels), { nil: undefined }),
        ({ sample, at }, part, channel) => {
          const result = rendered(
            replaced(sample, at, '{{$context.part}}'),
            { $context: { part: JSON.parse(JSON.stringify(part)) as Json } },
            channel,
          );
          expect(result.kind === 'message' ? Message.safeParse(result.message).success : result.problems.length > 0).toBe(true);
        },
      ),
    ));

  it('shows a number or a flag as it would within a longer text', () => {
    const buttons = { options: [{ title: '{{$context.count}}', payload: 'all' }, { title: '{{$context.isNew}}' }] };
    const result = rendered({ type: 'text', text: '{{$context.count}}', buttons }, { $context: { count: 7.5, isNew: true } });
    expect(result).toMatchObject({
      message: {
        text: '7.5',
        buttons: {
          options: [
            { title: '7.5', payload: 'all' },
            { title: 'true', payload: 'true' },
          ],
        },
      },
    });
    for (const value of [null, [7], { n: 7 }])
      expect(rendered({ type: 'text', text: '{{$context.value}}' }, { $context: { value } })).toMatchObject({ kind: 'invalid' });
  });

  it('never evaluates a value again', () => {
    const result = rendered({ type: 'text', text: '{{$context.a}}' }, { $context: { a: '{{$context.secret}}', secret: 's' } });
    expect(result).toMatchObject({ message: { text: '{{$context.secret}}' } });
  });

  it('reports each certain problem at its place, even when the rest is computed', () => {
    const broken = {
      type: 'quick_reply',
      text: '{{$context.a}}',
      title: '{{$context.b}}',
      quick_replies: [{ title: '{{$context.c}}' }, { title: 'x'.repeat(21) }, { label: 'b' }],
    };
    expect(issuesOf(broken)).toMatchObject([
      { at: 'quick_replies.1.title' },
      { at: 'quick_replies.2.title' },
      { at: 'quick_replies.2.label', code: 'custom' },
    ]);
    expect(issuesOf({ ...place, coordinates: { lat: '{{$context.lat}}', long: 181 } })).toMatchObject([{ at: 'coordinates.long' }]);
    expect(issuesOf({ ...picture, mediaUrl: 'http://example.com/{{$context.a}}' })).toEqual([]);
    expect(issuesOf({ ...picture, mediaUrl: 'http://example.com/a.png' })).toMatchObject([{ at: 'mediaUrl' }]);
  });

  it('reports every expression that cannot be compiled, at its place', () => {
    const issues = MessageTemplate.safeParse({ ...menu, text: '{{1 +}}', buttons: { options: [{ title: '{{$nothing.a}}' }] } }).error
      ?.issues;
    expect(issues).toMatchObject([
      { path: ['text'], params: { code: 'EXPRESSION', source: '1 +' } },
      { path: ['buttons', 'options', 0, 'title'], params: { code: 'EXPRESSION', source: '$nothing.a' } },
    ]);
  });

  it.each([undefined, null, 'hello', 7, [], {}, { type: 'fax' }, { type: 'text' }, { type: 'text', text: () => 'hello' }])(
    'refuses %j',
    (message) => {
      expect(issuesOf(message)).not.toEqual([]);
    },
  );

  it('reports why a rendered message cannot be sent: its own rules, then the channel’s', () => {
    const message = { type: 'text', text: '{{$context.text}}' };
    expect(rendered(message, { $context: { text: ' ' } }, 'slack')).toMatchObject({ kind: 'invalid', problems: [{ path: ['text'] }] });
    expect(rendered(message, { $context: { text: 'x'.repeat(3000) } }, 'slack')).toMatchObject({ kind: 'message' });
    expect(rendered(message, { $context: { text: 'x'.repeat(3001) } }, 'slack')).toMatchObject({
      kind: 'invalid',
      problems: [{ path: ['text'] }],
    });
    expect(rendered(picture, {}, 'facebook')).toMatchObject({ kind: 'invalid', problems: [{ path: ['text'] }] });
  });
});

describe('messageChecks', () => {
  const problems = (message: Json, connected: readonly Channel[]) => messageChecks(MessageTemplate.parse(message), connected);

  it('reports what each connected channel would refuse, at its place (LIM-05, MSG-21)', () => {
    expect(problems(picture, ['whatsapp', 'facebook', 'slack'])).toMatchObject([
      { code: 'CHANNEL_LIMIT', severity: 'error', at: ['message', 'text'], message: expect.stringContaining('Messenger') as string },
      { code: 'CHANNEL_LIMIT', severity: 'error', at: ['message', 'text'], message: expect.stringContaining('Slack') as string },
    ]);
    expect(problems(picture, [])).toEqual([]);
  });

  it('warns of what the provider of one channel would refuse, and refuses what no channel accepts', () => {
    const link = {
      type: 'cta_url',
      title: 't',
      text: 'a',
      caption: 'c',
      parameters: { url: 'https://a.example', display_text: 'x'.repeat(21) },
    };
    const at = ['message', 'parameters', 'display_text'];
    expect(problems(link, ['whatsapp', 'web'])).toMatchObject([{ code: 'LIMIT_OF_SOME_CHANNEL', severity: 'warning', at }]);
    expect(problems(link, ['whatsapp'])).toMatchObject([{ code: 'CHANNEL_LIMIT', severity: 'error', at }]);
    expect(problems(link, ['whatsapp', 'facebook'])).toMatchObject([
      { code: 'CHANNEL_LIMIT', severity: 'error', at },
      { code: 'CHANNEL_LIMIT', severity: 'error', at },
    ]);
    expect(problems(link, [])).toEqual([]);
    const shorter = { ...link, parameters: { ...link.parameters, display_text: 'x'.repeat(20) } };
    expect(problems(shorter, ['whatsapp', 'facebook', 'web'])).toEqual([]);
  });

  it.each([
    [{ flow_id: '1' }, 0],
    [{ flow_name: 'survey' }, 0],
    [{ mode: 'draft' }, 1],
  ])('warns of a form that nothing names: %j (MSG-40)', (parameters, count) => {
    const found = problems({ ...form, parameters }, ['whatsapp']);
    expect(found).toHaveLength(count);
    expect(found).toMatchObject(found.map(() => ({ code: 'FLOW_WITHOUT_NAME', severity: 'warning', at: ['message', 'parameters'] })));
  });

  it('reports nothing about computed parts', () => {
    expect(problems({ type: 'text', text: `{{$context.a}}${'x'.repeat(5000)}` }, [...channels])).toEqual([]);
    expect(problems('{{$context.message}}', [...channels])).toEqual([]);
  });
});

describe('messageSummary', () => {
  it.each([
    [{ type: 'text', text: 'Hi' }, 'Hi'],
    [{ type: 'audio', mediaUrl: 'https://a.b/c' }, 'https://a.b/c'],
    [{ type: 'location' }, 'location'],
    [undefined, ''],
    [{ text: 7 }, ''],
  ])('makes one line of %j', (message, line) => {
    expect(messageSummary(message)).toBe(line);
  });
});
