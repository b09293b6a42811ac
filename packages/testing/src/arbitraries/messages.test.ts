import { channels } from '@hilo/engine/contract';
import {
  authoredMessageProblems,
  channelFacts,
  chosenOption,
  issueCode,
  Message,
  messageProblems,
  problemsAtProvider,
  messageTypes,
  optionsOf,
  SendRequest,
  StrictMessage,
} from '@hilo/nodes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brokenMessage, unknownField } from './broken-messages.ts';
import { message, messageOf } from './messages.ts';
import { phoneUserId } from './arbitraries.ts';

const channel = fc.constantFrom(...channels);
const paths = (result: { readonly error?: { readonly issues: readonly { readonly path: readonly PropertyKey[] }[] } | undefined }) =>
  (result.error?.issues ?? []).map(({ path }) => path.join('.'));
/** A message with one field more, an own one even when it is called `__proto__`. */
const withField = (message: object, name: string): unknown =>
  JSON.parse(`{${JSON.stringify(name)}:{"polluted":1},${JSON.stringify(message).slice(1)}`);

describe('Message', () => {
  it.each(messageTypes)('accepts every valid %s, and returns what it would accept again (MSG-07)', (type) =>
    fc.assert(
      fc.property(messageOf[type], (input) => {
        const parsed = Message.parse(input);
        expect(parsed.type).toBe(type);
        expect(Message.parse(parsed)).toStrictEqual(parsed);
      }),
    ),
  );

  it('returns JSON', () =>
    fc.assert(
      fc.property(message, (input) => {
        const parsed = Message.parse(input);
        expect(JSON.parse(JSON.stringify(parsed))).toStrictEqual(parsed);
      }),
    ));

  it('refuses invalid messages, with the place', () =>
    fc.assert(
      fc.property(brokenMessage, ({ message, at }) => {
        expect(paths(Message.safeParse(message))).toContain(at);
        expect(paths(StrictMessage.safeParse(message))).toContain(at);
      }),
      { numRuns: 1_000 },
    ));

  it('has a code and a whole sentence for everything it refuses (ERR-06)', () =>
    fc.assert(
      fc.property(brokenMessage, ({ message, rule }) => {
        const issues = Message.safeParse(message).error?.issues ?? [];
        expect(issues.map(issueCode)).toEqual(issues.map(() => (rule === 'MED-01' ? 'INVALID_MEDIA_URL' : 'INVALID_REQUEST')));
        for (const issue of issues) expect(issue.message).not.toMatch(/^Invalid|undefined/);
      }),
      { numRuns: 1_000 },
    ));

  it('never throws', () =>
    fc.assert(
      fc.property(
        fc.oneof(fc.anything(), fc.record({ type: fc.constantFrom(...messageTypes), text: fc.anything(), buttons: fc.anything() })),
        (input) => {
          expect(Message.safeParse(input).success).toBeTypeOf('boolean');
          expect(StrictMessage.safeParse(input).success).toBeTypeOf('boolean');
        },
      ),
    ));

  it('ignores unknown fields (GEN-07)', () =>
    fc.assert(
      fc.property(message, unknownField, (input, name) => {
        expect(Message.parse(withField(input, name))).toStrictEqual(Message.parse(input));
        expect(Object.prototype).not.toHaveProperty('polluted');
      }),
    ));
});

describe('StrictMessage', () => {
  it('accepts what Message accepts, with the same result', () =>
    fc.assert(
      fc.property(message, (input) => {
        expect(StrictMessage.parse(input)).toStrictEqual(Message.parse(input));
      }),
    ));

  it('refuses unknown fields (GEN-07)', () =>
    fc.assert(
      fc.property(message, unknownField, (input, name) => {
        const { error } = StrictMessage.safeParse(withField(input, name));
        expect(error?.issues).toMatchObject([{ code: 'unrecognized_keys', keys: [name], path: [] }]);
      }),
    ));
});

describe('SendRequest', () => {
  it('is a message and its recipient (MSG-05, MSG-06)', () =>
    fc.assert(
      fc.property(message, phoneUserId, (input, userId) => {
        expect(SendRequest.parse({ ...input, userId })).toStrictEqual({ ...Message.parse(input), userId });
      }),
    ));
});

describe('messageProblems', () => {
  it('reports the same for a message and for a canvas with it', () =>
    fc.assert(
      fc.property(message, channel, (input, channel) => {
        const { ofRules, ofProvider } = authoredMessageProblems(StrictMessage.parse(input), channel);
        expect(ofRules).toEqual(messageProblems(Message.parse(input), channel));
        expect([...ofRules, ...ofProvider]).toEqual(problemsAtProvider(Message.parse(input), channel));
      }),
    ));

  it('finds a text too long exactly when it is (LIM-05)', () => {
    const around = channel.chain((channel) =>
      fc.tuple(fc.constant(channel), fc.integer({ min: -3, max: 3 }), fc.constantFrom('a', 'ñ', '€', '😀')),
    );
    return fc.assert(
      fc.property(around, ([channel, over, letter]) => {
        const { max, unit } = channelFacts[channel].textLimit;
        const size = unit === 'bytes' ? encodeURIComponent(letter).replaceAll(/%../g, '_').length : 1;
        const text = letter.repeat(Math.ceil(max / size) + over);
        const found = messageProblems(Message.parse({ type: 'text', text }), channel);
        expect(found.map(({ path }) => path.join('.'))).toEqual(Array.from(text).length * size > max ? ['text'] : []);
      }),
    );
  });
});

describe('chosenOption', () => {
  it('finds every option by its payload, and each has a port of its own (MSG-18)', () =>
    fc.assert(
      fc.property(fc.oneof(messageOf.text, messageOf.quick_reply), (input) => {
        const asked = Message.parse(input);
        const options = optionsOf(asked);
        expect(new Set(options.map(({ port }) => port)).size).toBe(options.length);
        for (const option of options) expect(chosenOption(asked, { payload: option.payload })).toEqual(option);
      }),
    ));
});
