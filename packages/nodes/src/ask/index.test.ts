import { getPath, type Json, type JsonObject, type Outcome } from '@hilo/engine/contract';
import { visit } from '@hilo/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ask } from './index.ts';

const choice = { type: 'quick_reply', text: 'Deliver it?', quick_replies: [{ title: 'Yes' }, { title: 'No' }] };
const menu = { type: 'text', text: 'Which?', buttons: { options: [{ title: 'Small', payload: 'S' }, { title: 'Large' }] } };
const question = { type: 'text', text: 'How many?' };

const sent = { kind: 'sent', messageId: 'm' };
const silence = { kind: 'timeout', lateByMs: 0 };
const says = (text: string, more: JsonObject = {}) => ({ kind: 'message', message: { id: 'r', type: 'text', text, ...more } });

const issuesOf = (config: JsonObject) =>
  ask.config.safeParse(config).error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? [];

describe('ask, with options', () => {
  const config = { message: choice, saveAs: '$context.answer', timeout: 'PT2H' };

  it('sends the question, then waits for the reply', () => {
    const visited = visit(ask, { config, results: [sent] });
    expect(visited).toMatchObject({ by: undefined });
    expect(visited.effects).toEqual([
      { type: 'message.send', request: { message: choice } },
      { type: 'wait.reply', request: { kind: 'reply', dueInMs: 7_200_000 } },
    ]);
    expect(visit(ask, { config: { message: choice }, results: [sent] }).effects.at(-1)).toEqual({
      type: 'wait.reply',
      request: { kind: 'reply' },
    });
  });

  it.each<[JsonObject, JsonObject, string, Json]>([
    [choice, { text: 'Yes' }, 'Yes', 'Yes'],
    [choice, { text: ' yés ' }, 'Yes', 'Yes'],
    [choice, { text: 'maybe' }, 'other', 'maybe'],
    [menu, { text: 'Small', payload: 'S' }, 'S', 'S'],
    [menu, { text: 'small' }, 'S', 'S'],
    [menu, { text: 'Large' }, 'Large', 'Large'],
    [menu, { text: 'Old button', payload: 'XL' }, 'other', 'Old button'],
    [menu, { type: 'image', mediaUrl: 'https://example.com/a.png' }, 'other', null],
  ])('for %j, the reply %j leaves by port %s and stores %j', (message, reply, port, answer) => {
    const visited = visit(ask, {
      config: { ...config, message },
      results: [sent, { kind: 'message', message: { id: 'r', type: 'text', ...reply } }],
    });
    expect(visited).toMatchObject({ by: port, writes: { '$context.answer': answer } });
  });

  it('has a port for each option, and other', () => {
    const parsed = ask.config.parse({ ...config, message: menu });
    expect(ask.ports(parsed)).toEqual(['S', 'Large', 'other']);
    expect(ask.optionalPorts(parsed)).toEqual(['timeout', 'windowClosed', 'error']);
    expect(ask.waitsBefore(parsed)).toEqual(['S', 'Large', 'other', 'timeout']);
    expect(ask.writes(parsed)).toEqual({ S: ['$context.answer'], Large: ['$context.answer'], other: ['$context.answer'] });
    expect(ask.writes(ask.config.parse({ message: menu }))).toEqual({});
  });

  it('may compute a title, when the payload is constant', () => {
    const options = [{ title: '{{$context.slot}}', payload: 'first' }];
    const visited = visit(ask, {
      config: { ...config, message: { ...menu, buttons: { options } } },
      variables: { $context: { slot: 'Monday' } },
      results: [sent, says('monday')],
    });
    expect(visited).toMatchObject({ by: 'first', writes: { '$context.answer': 'first' } });
  });

  it.each([
    ['the port would be an expression', { ...menu, buttons: { options: [{ title: '{{$context.a}}' }] } }, 'message.buttons.options.0'],
    [
      'the payload is an expression',
      { ...menu, buttons: { options: [{ title: 'A', payload: '{{$context.a}}' }] } },
      'message.buttons.options.0',
    ],
    [
      'a quick reply is an expression',
      { ...choice, quick_replies: [{ title: 'A' }, { title: '{{$context.a}}' }] },
      'message.quick_replies.1',
    ],
    ['the options are an expression', { ...choice, quick_replies: '{{$context.a}}' }, 'message'],
    ['there are no options', question, 'input'],
    [
      'a payload is too long for an edge',
      { ...menu, buttons: { options: [{ title: 'A', payload: 'x'.repeat(257) }] } },
      'message.buttons.options.0',
    ],
    [
      'two options have one port',
      { ...menu, buttons: { options: [{ title: 'A' }, { title: 'B', payload: 'A' }] } },
      'message.buttons.options.1.payload',
    ],
    ['an option is called other', { ...choice, quick_replies: [{ title: 'other' }] }, 'message.quick_replies.0'],
    ['an option is called timeout', { ...choice, quick_replies: [{ title: 'timeout' }] }, 'message.quick_replies.0'],
    ['an option is called error', { ...menu, buttons: { options: [{ title: 'A', payload: 'error' }] } }, 'message.buttons.options.0'],
  ])('is refused where %s', (_, message, at) => {
    expect(issuesOf({ message })).toEqual([[at, expect.any(String)]]);
  });

  it('accepts the longest payload that an edge can name', () => {
    expect(issuesOf({ message: { ...menu, buttons: { options: [{ title: 'A', payload: 'x'.repeat(256) }] } } })).toEqual([]);
  });
});

describe('ask, with an input', () => {
  const config = { message: question, input: { kind: 'number', min: 1 }, saveAs: '$context.count', attempts: 3, timeout: 'PT10M' };

  it('keeps the answer in its own type', () => {
    expect(visit(ask, { config, results: [sent, says(' 7 ')] })).toMatchObject({ by: 'answered', writes: { '$context.count': 7 } });
  });

  it('asks again, with its retry message, up to the number of attempts', () => {
    const again = { ...config, invalidMessage: '"{{$message.text}}" is no number, {{$user.names}}.' };
    const variables = { $user: { names: 'Ana' }, $message: { text: 'order' } };
    const visited = visit(ask, { config: again, variables, results: [sent, says('many'), sent, says('0'), sent, says('{{7}}')] });
    expect(visited).toMatchObject({ by: 'invalid', failure: { cause: 'INVALID_ANSWER' } });
    expect(visited.writes).toEqual({});
    expect(visited.effects.map(({ type }) => type)).toEqual([
      'message.send',
      'wait.reply',
      'message.send',
      'wait.reply',
      'message.send',
      'wait.reply',
    ]);
    expect(visited.effects[2]?.request).toMatchObject({ message: { type: 'text', text: '"many" is no number, Ana.' } });
    expect(visited.effects[4]?.request).toMatchObject({ message: { text: '"0" is no number, Ana.' } });
    expect(visit(ask, { config: again, variables, results: [sent, says('many'), sent, says('5')] })).toMatchObject({ by: 'answered' });
  });

  it('does not judge a reply again that was refused: bounds that changed since do not make it the answer', () => {
    const input = { kind: 'number', min: '{{$context.least}}' };
    const results = [sent, says('5'), sent, says('20')];
    let outcome: Outcome = ask.run({
      config: ask.config.parse({ ...config, input }),
      variables: { get: (path) => getPath({ $context: { least: 1 } }, path) },
      trigger: undefined,
      isConnected: () => true,
      random: () => 0,
      nowMs: 0,
      memo: null,
      channel: undefined,
      hold: undefined,
      isAnswered: true,
      resultCount: results.length,
    });
    for (const result of results) if (outcome.kind === 'perform') outcome = outcome.next(result as never);
    expect(outcome).toMatchObject({ port: 'answered', writes: [{ path: ['$context', 'count'], value: 20 }] });
  });

  it('counts what its pattern costs on the budget of the execution, which is an object of its own', () => {
    class View {
      spent = 0;
      get(): undefined {
        return undefined;
      }
      spend(work: number): boolean {
        this.spent += work;
        return true;
      }
    }
    const view = new View();
    const outcome = ask.run({
      config: ask.config.parse({ ...config, input: { kind: 'text', like: '^[0-9]{1,8}$' }, timeout: undefined }),
      variables: view,
      trigger: undefined,
      isConnected: () => true,
      random: () => 0,
      nowMs: 0,
      memo: null,
      channel: undefined,
      hold: undefined,
    });
    let last: Outcome = outcome;
    for (const result of [sent, says('1234')]) if (last.kind === 'perform') last = last.next(result as never);
    expect(last).toMatchObject({ port: 'answered' });
    expect(view.spent).toBeGreaterThan(500);
  });

  it('repeats the question without a retry message', () => {
    const { effects } = visit(ask, { config, results: [sent, says('many')] });
    expect(effects[2]).toEqual(effects[0]);
  });

  it.each([1, 2, 10])('reads %d replies, no more and no less', (attempts) => {
    const results = Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? sent : says('many')));
    expect(visit(ask, { config: { ...config, attempts }, results }).effects).toHaveLength(2 * attempts);
  });

  it.each([0, 11, 1.5])('cannot have %d attempts', (attempts) => {
    expect(issuesOf({ ...config, attempts })).toMatchObject([['attempts', expect.any(String)]]);
  });

  it('leaves by timeout, at the first question and at the second', () => {
    const timeout = { by: 'timeout', failure: { cause: 'TIMEOUT' } };
    expect(visit(ask, { config, results: [sent, silence] })).toMatchObject(timeout);
    expect(visit(ask, { config, results: [sent, says('many'), sent, silence] })).toMatchObject(timeout);
  });

  it('accepts options as suggested answers, by their payload', () => {
    const sizes = { ...menu, buttons: { options: [{ title: 'A dozen', payload: '12' }] } };
    expect(visit(ask, { config: { ...config, message: sizes }, results: [sent, says('a dozen')] })).toMatchObject({
      by: 'answered',
      writes: { '$context.count': 12 },
    });
    expect(visit(ask, { config: { ...config, message: sizes }, results: [sent, says('11')] })).toMatchObject({
      writes: { '$context.count': 11 },
    });
    expect(issuesOf({ ...config, message: { ...choice, quick_replies: '{{$context.sizes}}' } })).toEqual([]);
  });

  it('has the ports of an answer', () => {
    const parsed = ask.config.parse(config);
    expect(ask.ports(parsed)).toEqual(['answered']);
    expect(ask.optionalPorts(parsed)).toEqual(['invalid', 'timeout', 'windowClosed', 'error']);
    expect(ask.waitsBefore(parsed)).toEqual(['answered', 'invalid', 'timeout']);
    expect(ask.writes(parsed)).toEqual({ answered: ['$context.count'] });
  });
});

describe('ask, with a form', () => {
  const form = {
    type: 'flow',
    title: 'Details',
    text: 'A few details, please.',
    caption: 'Acme',
    parameters: { flow_id: '1234567890', flow_cta: 'Fill in' },
  };
  const config = { message: form, saveAs: '$context.form', attempts: 2 };
  const sends = (response: Json, more: JsonObject = {}) => says('Sent', { type: 'flow', name: 'flow', response, ...more });

  it('needs no input, and has the ports of a question whose replies are checked', () => {
    expect(issuesOf(config)).toEqual([]);
    const parsed = ask.config.parse(config);
    expect(ask.ports(parsed)).toEqual(['answered']);
    expect(ask.optionalPorts(parsed)).toEqual(['invalid', 'timeout', 'windowClosed', 'error']);
    expect(ask.advisedPorts(parsed)).toEqual(['invalid']);
    expect(ask.waitsBefore(parsed)).toEqual(['answered', 'invalid', 'timeout']);
    expect(ask.heardBefore(parsed)).toEqual(['answered', 'invalid']);
    expect(ask.writes(parsed)).toEqual({ answered: ['$context.form'] });
  });

  it.each<[string, JsonObject]>([
    ['a text', question],
    ['a call', { type: 'voice_call', header: 'Acme', text: 'Call us', parameters: { display_text: 'Call' } }],
  ])('is alone in that: %s still needs options or an input', (_, message) => {
    expect(issuesOf({ message })).toMatchObject([['input', expect.stringContaining('has no options')]]);
  });

  // A key that JavaScript gives a meaning of its own is compared otherwise than the rest.
  const anyForm = fc
    .dictionary(fc.string({ maxLength: 9 }), fc.jsonValue({ maxDepth: 2 }))
    .filter((fields) => !JSON.stringify(fields).includes('__proto__'));
  it('answers with the fields as an object, whatever they are, without the mark of the channel', () =>
    fc.assert(
      fc.property(anyForm, fc.option(fc.string()), (fields, token) => {
        const { flow_token: _, ...kept } = fields as JsonObject;
        const response = { ...kept, ...(token !== null && { flow_token: token }) };
        expect(visit(ask, { config, results: [sent, sends(response)] })).toMatchObject({
          by: 'answered',
          writes: { '$context.form': kept },
        });
      }),
    ));

  it.each<[string, ReturnType<typeof says>]>([
    ['a text', says('I am 33')],
    ['fields in another type of message', says('Sent', { response: { age: '33' } })],
    ['a form without fields', says('Sent', { type: 'flow' })],
    ['fields that are a list', sends(['33'])],
    ['fields that are a text', sends('{"age":"33"}')],
    ['fields that are null', sends(null)],
  ])('asks again after %s, and leaves by invalid after the last attempt', (_, wrong) => {
    const asked = visit(ask, { config, results: [sent, wrong] });
    expect(asked).toMatchObject({ by: undefined });
    expect(asked.effects.at(-1)).toMatchObject({ type: 'message.send', request: { message: { type: 'flow' } } });
    expect(visit(ask, { config, results: [sent, wrong, sent, sends({ age: '33' })] })).toMatchObject({
      by: 'answered',
      writes: { '$context.form': { age: '33' } },
    });
    expect(visit(ask, { config, results: [sent, wrong, sent, wrong] })).toMatchObject({
      by: 'invalid',
      failure: { cause: 'INVALID_ANSWER' },
    });
  });

  it('keeps to an input that is given', () => {
    const asked = { ...config, input: { kind: 'number' } };
    expect(visit(ask, { config: asked, results: [sent, says('33')] })).toMatchObject({ by: 'answered', writes: { '$context.form': 33 } });
  });

  it.each<[Json, boolean]>([
    [{ age: '33' }, true],
    ['33', false],
    [['33'], false],
  ])('is skipped where %j is known: %s', (known, isSkipped) => {
    const visited = visit(ask, { config: { ...config, skipIfSet: true }, variables: { $context: { form: known } } });
    expect(visited).toMatchObject({ by: isSkipped ? 'answered' : undefined, writes: {} });
  });
});

describe('ask, with an answer that is known already', () => {
  const config = { message: question, input: { kind: 'text' }, saveAs: '$context.name', skipIfSet: true };

  it.each<[JsonObject, boolean]>([
    [{ name: 'Ana' }, true],
    [{ name: '' }, false],
    [{ name: ' \u200b' }, false],
    [{ name: false }, false],
    [{ name: null }, false],
    [{}, false],
  ])('with %j, skips the question: %s', ($context, isSkipped) => {
    const visited = visit(ask, { config, variables: { $context } });
    expect(visited).toMatchObject({ by: isSkipped ? 'answered' : undefined });
    expect(visited.writes).toEqual({});
    expect(visited.effects).toHaveLength(isSkipped ? 0 : 1);
  });

  it.each<[input: JsonObject, known: Json, isKnown: boolean]>([
    [{ kind: 'number', min: 18 }, 18, true],
    [{ kind: 'number', min: 18 }, 17, false],
    [{ kind: 'number', min: 18 }, 'many', false],
    [{ kind: 'number', integer: true }, 1.5, false],
    [{ kind: 'text', minLength: 3 }, 'Al', false],
    [{ kind: 'text', like: '^[A-Z]' }, 'ana', false],
    [{ kind: 'email' }, 'ana', false],
    [{ kind: 'email' }, 'ana@example.com', true],
    [{ kind: 'phone' }, '5215512345678', true],
    [{ kind: 'phone' }, '55', false],
    [{ kind: 'date', min: '2031-01-01' }, '2031-04-03', true],
    [{ kind: 'date', min: '2031-01-01' }, '2030-04-03', false],
    [{ kind: 'time' }, '15:30', true],
    [{ kind: 'time' }, 'soon', false],
    [{ kind: 'option', options: '{{["a", "b"]}}' }, 'b', true],
    [{ kind: 'option', options: '{{["a", "b"]}}' }, 'c', false],
    [{ kind: 'location' }, { lat: 1, long: 2 }, true],
    [{ kind: 'location' }, { lat: 91, long: 2 }, false],
    [{ kind: 'contact' }, [], false],
    [{ kind: 'contact' }, [{ name: {} }], true],
    [{ kind: 'media', types: ['image'] }, { type: 'image', mediaUrl: 'https://example.com/a' }, true],
    [{ kind: 'media', types: ['image'] }, { type: 'audio', mediaUrl: 'https://example.com/a' }, false],
  ])('checks it by the rules of the question: for %j, %j is known: %s', (input, name, isKnown) => {
    const visited = visit(ask, { config: { ...config, input }, variables: { $context: { name } } });
    expect(visited).toMatchObject({ by: isKnown ? 'answered' : undefined, writes: {} });
  });

  it('keeps a text that is an answer in the form of answers', () => {
    const visited = visit(ask, { config: { ...config, input: { kind: 'number' } }, variables: { $context: { name: '42' } } });
    expect(visited).toMatchObject({ by: 'answered', writes: { '$context.name': 42 } });
  });

  it('may find it elsewhere, and then keeps it', () => {
    const visited = visit(ask, {
      config: { ...config, skipIfSet: '$webhook.lead.body.name' },
      variables: { $webhook: { lead: { body: { name: 'Ana' } } } },
    });
    expect(visited).toMatchObject({ by: 'answered', effects: [], writes: { '$context.name': 'Ana' } });
  });

  it.each<[Json, string]>([
    ['S', 'S'],
    ['small', 'S'],
    ['Large', 'Large'],
    ['Medium', 'other'],
    [7, 'other'],
    [{ size: 'S' }, 'other'],
  ])('leaves by the option that %j names: %s', (size, port) => {
    const options = { message: menu, saveAs: '$memory.size', skipIfSet: true };
    expect(visit(ask, { config: options, variables: { $memory: { size } } })).toMatchObject({ by: port, effects: [] });
  });

  it('promises no wait where it may skip one', () => {
    expect(ask.waitsBefore(ask.config.parse(config))).toEqual(['invalid', 'timeout']);
    expect(ask.waitsBefore(ask.config.parse({ message: choice, saveAs: '$context.a', skipIfSet: true }))).toEqual(['timeout']);
  });

  it.each([
    ['there is no place to look at', { saveAs: undefined, skipIfSet: true }, 'saveAs'],
    ['the place is none', { skipIfSet: 'name' }, 'skipIfSet'],
  ])('is refused where %s', (_, more, at) => {
    const { saveAs: _place, ...rest } = config;
    expect(issuesOf({ ...rest, ...more } as JsonObject)).toMatchObject([[at, expect.any(String)]]);
  });
});

describe('ask, with any events', () => {
  it('leaves by windowClosed and error as a message does', () => {
    const config = { message: choice };
    expect(visit(ask, { config, results: [{ kind: 'windowClosed' }] })).toMatchObject({
      by: 'windowClosed',
      failure: { cause: 'WINDOW_CLOSED' },
    });
    const refused = { kind: 'refused', cause: 'BLOCKED', message: 'The user blocked the bot' };
    expect(visit(ask, { config, results: [refused] })).toMatchObject({ by: 'error', failure: { cause: 'BLOCKED' } });
    const blank = { message: question, input: { kind: 'email' }, invalidMessage: '{{$context.nothing}}' };
    const visited = visit(ask, { config: blank, variables: { $context: { nothing: null } }, results: [sent, says('no')] });
    expect(visited).toMatchObject({ by: 'error', failure: { cause: 'INVALID_MESSAGE' } });
  });

  it('requests an effect or leaves by a declared port', () => {
    const configs: readonly JsonObject[] = [
      { message: choice, saveAs: '$context.a' },
      { message: menu, timeout: 'PT1H' },
      { message: menu, saveAs: '$context.a', skipIfSet: true },
      ...['text', 'number', 'email', 'phone', 'date', 'location', 'contact', 'media'].map((kind) => ({
        message: question,
        input: { kind },
        saveAs: '$context.a',
        attempts: 2,
      })),
    ];
    const message = fc.oneof(
      fc.record(
        {
          id: fc.constant('r'),
          type: fc.constantFrom('text', 'image', 'location', 'other'),
          text: fc.oneof(fc.constantFrom('Yes', 'Small', 'S', '7', 'a@b.co', '+51999888777', '1/2/2031'), fc.string()),
          payload: fc.oneof(fc.constantFrom('S', 'Yes', 'other', '__proto__'), fc.string()),
          mediaUrl: fc.webUrl(),
          coordinates: fc.record({ lat: fc.double({ noNaN: true, noDefaultInfinity: true }), long: fc.integer() }),
          contacts: fc.array(fc.record({ name: fc.string() })),
        },
        { requiredKeys: [] },
      ),
      fc.dictionary(fc.constantFrom('id', 'type', 'text', 'payload', 'mediaUrl', 'coordinates', 'contacts', 'x'), fc.jsonValue()),
    );
    const received = fc.oneof(
      { weight: 4, arbitrary: message.map((message) => ({ kind: 'message', message: JSON.parse(JSON.stringify(message)) as Json })) },
      fc.constant(silence),
    );
    const known = fc.oneof(fc.constant(undefined), fc.constantFrom('S', 'Large', 'error'), fc.jsonValue());
    fc.assert(
      fc.property(fc.constantFrom(...configs), fc.array(received, { maxLength: 3 }), known, (config, replies, known) => {
        const parsed = ask.config.parse(config);
        const variables = { $context: known === undefined ? {} : { a: JSON.parse(JSON.stringify(known)) as Json } };
        const { by, writes, outcome } = visit(ask, { config, variables, results: replies.flatMap((reply) => [sent, reply]) });
        if (outcome.kind === 'perform') return;
        expect([...ask.ports(parsed), ...ask.optionalPorts(parsed)]).toContain(by);
        // Declared writes are made, or the value was there already.
        for (const path of ask.writes(parsed)[by!] ?? []) expect(writes[path] !== undefined || known !== undefined).toBe(true);
        expect(JSON.parse(JSON.stringify(writes))).toEqual(writes);
      }),
    );
  });

  it('reports what a connected channel would refuse (MSG-12)', () => {
    const long = { ...menu, buttons: { options: [{ title: 'x'.repeat(21), payload: 'a' }] } };
    const check = (message: JsonObject) => ask.check(ask.config.parse({ message }), { channels: ['whatsapp', 'facebook'], kind: 'skill' });
    expect(check(long)).toMatchObject([{ code: 'CHANNEL_LIMIT', severity: 'error', at: ['message', 'buttons', 'options', 0, 'title'] }]);
    expect(check(menu)).toEqual([]);
  });

  it('reports what a connected channel would refuse of the retry message (P15, LIM-05)', () => {
    const check = (invalidMessage: string) =>
      ask.check(ask.config.parse({ message: question, input: { kind: 'email' }, invalidMessage }), { channels: ['slack'], kind: 'skill' });
    expect(check('x'.repeat(3_001))).toMatchObject([{ code: 'CHANNEL_LIMIT', severity: 'error', at: ['invalidMessage'] }]);
    expect([check('x'.repeat(3_000)), check(`{{$context.a}}${'x'.repeat(3_000)}`)]).toEqual([[], []]);
  });

  it('refuses an empty retry message (P15, MSG-08)', () => {
    expect(issuesOf({ message: question, input: { kind: 'email' }, invalidMessage: ' ' })).toEqual([
      ['invalidMessage', 'Say something, or leave it out'],
    ]);
  });

  it('has the question as a summary of one line', () => {
    expect(ask.visual.summary?.({ message: question, input: { kind: 'number' } })).toBe('How many? → number');
    expect(ask.visual.summary?.({ message: choice })).toBe('Deliver it?');
  });
});
