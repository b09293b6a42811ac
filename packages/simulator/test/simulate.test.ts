import { HiloError, type JsonObject } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { replayScript } from '../src/script/script.ts';
import { simulate } from '../src/simulation/simulate.ts';
import { example, texts, userId } from '../../../tests/examples/example-canvases.ts';
import { requireInput } from '../src/script/require-input.ts';

describe('an input that is none', () => {
  it.each<readonly [unknown, string]>([
    [undefined, 'An input has a "kind", which is one of says, repeats'],
    [null, 'An input has a "kind"'],
    ['says', 'An input has a "kind"'],
    [{}, 'An input has a "kind"'],
    [{ kind: 'sayz' }, 'An input has a "kind"'],
    [{ kind: '__proto__' }, 'An input has a "kind"'],
    [{ kind: 'says' }, 'An input of kind "says" has "message": an object'],
    [{ kind: 'says', message: 'hi' }, 'An input of kind "says" has "message": an object'],
    [{ kind: 'passes', durationMs: '1h' }, 'An input of kind "passes" has "durationMs": a number from 0'],
    [{ kind: 'passes', durationMs: -1 }, 'An input of kind "passes" has "durationMs": a number from 0'],
    [{ kind: 'answers', effect: 'model.ask' }, 'An input of kind "answers" has "answer": a value of JSON'],
    [{ kind: 'operator', act: null }, 'An input of kind "operator" has "act": an object'],
    [{ kind: 'starts', inputs: [] }, 'An input of kind "starts" has "inputs": an object'],
  ])('is told in a sentence: %j', (input, told) => {
    expect(() => requireInput(input)).toThrow(told);
  });
});

describe('simulate', () => {
  const hello = {
    schemaVersion: 1,
    id: 'hello',
    name: 'Hello',
    nodes: [
      { id: 'begin', type: 'start', data: { keywords: ['hello'] } },
      {
        id: 'ask',
        type: 'ask',
        data: {
          message: { type: 'quick_reply', text: 'Well?\nSay!', quick_replies: [{ title: 'Yes' }, { title: 'No' }] },
          timeout: 'PT2H',
        },
      },
      { id: 'wait', type: 'wait-event', data: { name: 'paid', correlation: '7', saveAs: '$context.paid' } },
      { id: 'log', type: 'log', data: { name: 'over', data: { paid: '{{$context.paid}}' } } },
      { id: 'done', type: 'end', data: { outputs: { paid: '{{$context.paid}}' } } },
      { id: 'late', type: 'end', data: { outcome: 'failed' } },
    ],
    edges: [
      { source: 'begin', target: 'ask' },
      { source: 'ask', sourceHandle: 'Yes', target: 'wait' },
      { source: 'ask', sourceHandle: 'No', target: 'late' },
      { source: 'ask', sourceHandle: 'other', target: 'ask' },
      { source: 'ask', sourceHandle: 'timeout', target: 'late' },
      { source: 'wait', target: 'log' },
      { source: 'log', target: 'done' },
    ],
  };

  it('writes down what happened, and the same script comes to the same transcript', async () => {
    const script = `# A talk

user: good day
  unmatched
user: hello
  bot: Well?\\nSay!  [Yes] [No]
  waits: reply until +2h
again
time: +1h30m
user: {"type":"image","mediaUrl":"https://a.example/b.png"}
  bot: Well?\\nSay!  [Yes] [No]
  waits: reply until +2h
signal: paid 7
  unmatched
user: [payload Yes]
  waits: event paid 7
signal: paid 7 {"amount":5}
  log: over {"paid":{"amount":5}}
  ended: completed {"paid":{"amount":5}}
user: hello
  bot: Well?\\nSay!  [Yes] [No]
  waits: reply until +2h
time: +1d
  ended: failed ENDED_AS_FAILED
cancel
  unmatched
user: hello
  bot: Well?\\nSay!  [Yes] [No]
  waits: reply until +2h
cancel
  ended: cancelled
cancel <execution-1>
`;
    expect(await replayScript([hello], script)).toBe(script);
  });

  it('writes for each verb the line that repeats it', async () => {
    const conversation = await simulate(hello);
    await conversation.says('hello');
    await conversation.repeats();
    await conversation.says({ payload: 'Yes', text: 'Yes!' });
    await conversation.passes('PT1M');
    await conversation.passes(1_500);
    await conversation.signals('paid', '7', { a: 1 });
    await conversation.apiAnswers('timeout');
    await conversation.webhook({ body: { a: 1 }, query: { b: '2' } });
    await conversation.cancels();
    const transcript = conversation.transcript();
    expect(transcript.split('\n').filter((line) => !line.startsWith(' '))).toEqual([
      'user: hello',
      'again',
      'user: [payload Yes] Yes!',
      'time: +1m',
      'time: +1s500ms',
      'signal: paid 7 {"a":1}',
      'api: timeout',
      'webhook: POST {"a":1} query {"b":"2"}',
      'cancel',
    ]);
    expect(await replayScript([hello], transcript)).toBe(transcript);
  });

  it('is the same in every run with the same seed, and another with another', async () => {
    const idOf = async (seed: number) => {
      const conversation = await simulate({ canvases: [hello], seed });
      await conversation.says('hello');
      return (await conversation.execution())?.executionId;
    };
    expect(await idOf(1)).toBe(await idOf(1));
    expect(await idOf(2)).not.toBe(await idOf(1));
  });

  it('refuses a canvas that cannot be published, unless asked to run it', async () => {
    const broken = { ...hello, edges: hello.edges.filter(({ sourceHandle }) => sourceHandle !== 'No') };
    await expect(simulate(broken)).rejects.toThrow(HiloError);
    const conversation = await simulate({ canvases: [broken], runsUnchecked: true });
    await conversation.says('hello');
    await conversation.says('No');
    expect((await conversation.execution())?.state.ending?.failure?.cause).toBe('DEAD_END');
    await expect(simulate({ schemaVersion: 1 })).rejects.toMatchObject({ code: 'INVALID_CANVAS' });
  });

  it('takes a canvas as a text, and names the place of what is wrong in it', async () => {
    const conversation = await simulate(JSON.stringify(hello));
    await conversation.says('hello');
    expect(conversation.sent).toHaveLength(1);
    await expect(simulate('{')).rejects.toMatchObject({ code: 'INVALID_CANVAS', details: { problems: [{ code: 'NOT_JSON' }] } });
    const misspelt = JSON.stringify(hello).replace('"timeout":"PT2H"', '"timeot":"PT2H"');
    await expect(simulate(misspelt)).rejects.toThrow('the first at /nodes/1/data/timeot: There is no field "timeot" here');
  });

  it.each([
    ['throws', 'DRIVER_FAILED'],
    ['rubbish', 'DRIVER_ANSWER_INVALID'],
  ] as const)('lets a driver with the fault "%s" fail its node', async (fault, cause) => {
    const conversation = await simulate({ canvases: [hello], faults: ({ effect }) => (effect === 'message.send' ? fault : undefined) });
    await conversation.says('hello');
    expect(conversation.sent).toEqual([]);
    expect((await conversation.execution())?.state.ending?.failure).toMatchObject({ cause, nodeId: 'ask' });
  });

  it('lets a driver hang until the engine aborts it, with an unknown outcome (P5)', async () => {
    const conversation = await simulate({ canvases: [hello], faults: () => 'hangs' });
    await conversation.says('hello');
    expect((await conversation.execution())?.state.pending).toMatchObject({ type: 'message.send' });
    await conversation.passes('1m');
    expect((await conversation.execution())?.state.ending?.failure).toMatchObject({ cause: 'TIMEOUT', details: { outcome: 'unknown' } });
  });

  it('answers a queued call as soon as it can', async () => {
    const slow = {
      ...example('payment-once'),
      nodes: [
        ...(example('payment-once')['nodes'] as readonly JsonObject[]),
        { id: 'begin', type: 'start', data: { keywords: ['slow'] } },
        { id: 'call', type: 'api', data: { url: 'https://a.example' } },
      ],
      edges: [
        ...(example('payment-once')['edges'] as readonly JsonObject[]),
        { source: 'begin', target: 'call' },
        { source: 'call', sourceHandle: 'success', target: 'done' },
      ],
    };
    const conversation = await simulate(slow);
    await conversation.says('good day');
    await conversation.webhook({ body: { user: { id: userId }, number: 'F-1', amount: 20 } });
    await conversation.says('slow');
    expect(await conversation.webhook({ body: { meta: { executionId: '<execution-1>' }, receipt: 'R-1' } })).toBe('pending');
    await conversation.apiAnswers({ status: 200 });
    expect(conversation.transcript().split('\n').slice(-5)).toEqual([
      'api: 200',
      '  ended: completed',
      '  bot: Thank you. Receipt: R-1',
      '  webhook answered: resume',
      '  ended: completed',
    ]);
  });

  it('has no window on other channels, and none where it is not enforced', async () => {
    const call = { body: { user: { id: userId }, number: 'F-1', amount: 20 } };
    for (const options of [{ channel: 'web' as const }, { enforcesSessionWindow: false }]) {
      const conversation = await simulate({ canvases: [example('payment-once')], ...options });
      await conversation.webhook(call);
      expect(texts(conversation.sent)).toEqual(['Hello there, invoice F-1 of 20 is due.']);
    }
  });
});
