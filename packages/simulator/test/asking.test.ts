import { defineEffect, defineNode, drive, type Json, type JsonObject, leave, perform } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import { runCode } from '@hilo/nodes/effects';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { replayScript, sampleAnswer, simulate } from '../../testing/src/index.ts';

/** A canvas that begins with any message, visits one node, and ends with what it wrote. */
const around = (type: string, data: JsonObject, ports: readonly string[]): object => ({
  schemaVersion: 1,
  id: 'around',
  name: 'Around',
  variables: { result: { type: 'any' } },
  nodes: [
    { id: 'begin', type: 'start', data: { fallback: true } },
    { id: 'it', type, data },
    { id: 'done', type: 'end', data: { outputs: { result: '{{$context.result ?? null}}' } } },
    { id: 'failed', type: 'end', data: { outcome: 'failed', outputs: { cause: '{{$error.cause}}' } } },
  ],
  edges: [
    { source: 'begin', target: 'it' },
    ...ports.map((port) => ({ source: 'it', sourceHandle: port, target: port === 'error' ? 'failed' : 'done' })),
  ],
});
const saveAs = '$context.result';

/** What the youngest execution ended with. */
async function outputsOf(conversation: Awaited<ReturnType<typeof simulate>>): Promise<JsonObject | undefined> {
  return (await conversation.execution())?.state.ending?.outputs;
}

describe('code', () => {
  const code = (source: string): object => around('code', { source, saveAs, input: { words: ['a', 'b'] } }, ['next', 'error']);

  it('runs as in the service: with its input, the script’s clock, and its own random seed', async () => {
    const canvas = code('return { all: input.words.join("-"), now: new Date().toISOString(), dice: Math.random() }');
    const [first, second] = await Promise.all([1, 2].map(() => replayScript([canvas], 'user: hi\ntime: +1h\nuser: hi\n')));
    expect(first).toBe(second);
    const returned = (first ?? '')
      .split('\n')
      .flatMap((line) => (line.startsWith('  code returned: ') ? [JSON.parse(line.slice(17)) as JsonObject] : []));
    expect(returned).toMatchObject([
      { all: 'a-b', now: '2031-03-03T09:00:00.000Z' },
      { all: 'a-b', now: '2031-03-03T10:00:00.000Z' },
    ]);
    expect(returned[0]?.['dice']).not.toBe(returned[1]?.['dice']);
  });

  it('leaves by error with its reason and line, as in the service', async () => {
    const conversation = await simulate(code('const a = 1;\nthrow new TypeError("no such word")'));
    await conversation.says('hi');
    expect(conversation.transcript()).toBe(
      'user: hi\n  code: {"words":["a","b"]}\n  code failed: broken TypeError: no such word (line 2)\n  ended: failed ENDED_AS_FAILED {"cause":"CODE_ERROR"}',
    );
  });

  it('is asked for on request, or when nothing can run it', async () => {
    const conversation = await simulate({ canvases: [code('return 1')], asks: [runCode] });
    await conversation.says('hi');
    expect(conversation.transcript()).toMatch(/\n {2}answer this: code: null$/);
    await conversation.answers('code.run', { kind: 'returned', value: 7 });
    expect(await outputsOf(conversation)).toEqual({ result: 7 });
  });

  it('is performed by a given driver, and recorded too', async () => {
    const conversation = await simulate({
      canvases: [code('return 1')],
      drivers: [drive(runCode, () => ({ kind: 'returned', value: 8 }))],
    });
    await conversation.says('hi');
    expect(conversation.calls.map(({ effect }) => effect)).toEqual(['code.run']);
    expect(conversation.transcript()).toContain('\n  code returned: 8\n');
  });
});

const model = around(
  'ai-task',
  {
    baseUrl: 'https://models.example/v1',
    auth: { credentialId: 'key' },
    model: 'small',
    instructions: 'Sort',
    input: {},
    schema: {
      type: 'object',
      properties: { topic: { type: 'string', enum: ['order', 'other'] } },
      required: ['topic'],
      additionalProperties: false,
    },
    saveAs,
  },
  ['success', 'error', 'invalidOutput'],
);
const database = { connection: { credentialId: 'shop' }, table: 'cards', saveAs };
const soap = {
  url: 'https://tax.example',
  action: 'urn:check',
  namespaces: { t: 'urn:t' },
  body: { 't:Check': { 't:number': '7' } },
  saveAs,
};

describe('what a simulation cannot do', () => {
  it.each<[string, object, string, string, Json]>([
    ['a model', model, 'model: {"topic":"order"}', 'model: {"topic":"other"}', { topic: 'other' }],
    [
      'a function',
      around('function', { functionId: 'fn_one', body: {}, saveAs }, ['success', 'error']),
      'function: {"ok":true}',
      'function: [1]',
      [1],
    ],
    [
      'a database',
      around('database', { ...database, operation: 'get', where: [{ column: 'id', value: 7 }] }, ['success', 'error']),
      'database: [{"id":7}]',
      'database: [{"id":7,"name":"Ana"}]',
      { id: 7, name: 'Ana' },
    ],
    [
      'a SOAP service',
      around('soap', { ...soap }, ['success', 'error']),
      'soap: 200 {"ok":true}',
      'soap: 200 {"valid":"yes"}',
      expect.objectContaining({ body: { valid: 'yes' } }) as Json,
    ],
  ])('is asked for, with an example: %s', async (_what, canvas, example, line, result) => {
    const stopped = await replayScript([canvas], 'user: hi\n\n# The script stops here.\n');
    expect(
      stopped.endsWith(`
  answer this: ${example}

# The script stops here.
`),
    ).toBe(true);
    // The example works unchanged, and the transcript with it replays to itself.
    const answered = await replayScript([canvas], `user: hi\n${example}\n`);
    expect(answered).not.toContain('answer this');
    expect(await replayScript([canvas], answered)).toBe(answered);

    const conversation = await simulate(canvas);
    await conversation.says('hi');
    expect(conversation.pending()).toHaveLength(1);
    expect((await conversation.execution())?.state.ending).toBeUndefined();
    const [input] = (await import('../src/script/script.ts')).parseScript(line);
    if (input?.kind === 'input') await conversation.plays(input.input);
    expect(await outputsOf(conversation)).toEqual({ result });
  });

  it('is reported once for each call, when the script continues without an answer', async () => {
    const transcript = await replayScript([model], 'user: hi\ntime: +1s\ntime: +1s\n');
    expect(transcript.match(/answer this/g)).toHaveLength(1);
    expect(transcript).toMatch(/answer this: model: .*\ntime: \+1s\ntime: \+1s\n$/);
  });

  it('fails as scripted', async () => {
    const conversation = await simulate(model);
    await conversation.says('hi');
    await conversation.answers('model.ask', { kind: 'failed', reason: 'timeout' });
    expect(await outputsOf(conversation)).toEqual({ cause: 'TIMEOUT' });
  });

  it('refuses an answer that does not fit its effect, and names a valid one', async () => {
    const script = 'user: hi\n# not among the reasons\nmodel: fails tired\n';
    await expect(replayScript([model], script)).rejects.toMatchObject({ code: 'INVALID_SCRIPT' });
    await expect(replayScript([model], script)).rejects.toThrow(
      /^Line 3: That is no answer of model\.ask at "reason": .* One is, for example: model: /,
    );
    const conversation = await simulate(model);
    await conversation.says('hi');
    await expect(conversation.answers('model.ask', { rows: [] })).rejects.toMatchObject({ code: 'INVALID_SCRIPT' });
    await expect(conversation.answers('lead.score', 7)).rejects.toThrow('Nothing asks for an answer of "lead.score" here');
    expect(conversation.pending()).toHaveLength(1);
  });

  it('keeps an answer from before its call, and reports that', async () => {
    const conversation = await simulate(model);
    await conversation.answers('model.ask', { kind: 'answered', text: '{"topic":"order"}' });
    await conversation.says('hi');
    expect(conversation.transcript().split('\n').slice(0, 3)).toEqual(['model: {"topic":"order"}', '  kept for the next call', 'user: hi']);
    expect(await outputsOf(conversation)).toEqual({ result: { topic: 'order' } });
  });

  it('is asked for again by the process that replaces a killed one', async () => {
    const conversation = await simulate(model);
    await conversation.says('hi');
    await conversation.restarts();
    await conversation.answers('model.ask', { kind: 'answered', text: '{"topic":"order"}' });
    expect(await outputsOf(conversation)).toEqual({ result: { topic: 'order' } });
    expect(conversation.faults).toEqual([]);
  });

  it('is answered by a test’s function, and the transcript shows the answer', async () => {
    const conversation = await simulate({ canvases: [model], answers: sampleAnswer });
    await conversation.says('hi');
    expect(conversation.transcript()).toContain('  model.ask answered: {"finish":"stop"');
    expect(await outputsOf(conversation)).toEqual({ result: { topic: 'order' } });
  });

  const score = defineEffect('lead.score', { request: z.strictObject({ of: z.string() }), result: z.strictObject({ score: z.number() }) });
  const scoreLead = defineNode({
    type: 'score-lead',
    config: z.strictObject({}),
    visual: { label: 'Score', category: 'integration', icon: 'star', colour: '#000000', description: 'Scores a lead.' },
    ports: ['next'],
    optionalPorts: ['error'],
    run: () => perform(score({ of: 'Ana' }), ({ score: value }) => leave('next', [{ path: ['$context', 'result'], value }])),
  });
  const own = around('score-lead', {}, ['next', 'error']);

  it('includes effects of own nodes, which are answered with their whole result', async () => {
    const conversation = await simulate({ canvases: [own], nodes: [...standardNodes, scoreLead], asks: [score] });
    await conversation.says('hi');
    expect(conversation.transcript()).toMatch(/\n {2}lead\.score: \{"of":"Ana"\}\n {2}answer this: answer lead\.score: \{"score":0\}$/);
    await expect(conversation.answers('lead.score', { score: 'high' })).rejects.toMatchObject({ code: 'INVALID_SCRIPT' });
    await conversation.answers('lead.score', { score: 7 });
    expect(await outputsOf(conversation)).toEqual({ result: 7 });
  });

  it('does not include effects of own nodes that have a driver: their calls and outcomes are recorded', async () => {
    const driver = drive(score, async ({ of }) => ({ score: of.length }));
    const conversation = await simulate({ canvases: [own], nodes: [...standardNodes, scoreLead], drivers: [driver] });
    await conversation.says('hi');
    expect(conversation.transcript()).toContain('  lead.score: {"of":"Ana"}\n  lead.score answered: {"score":3}\n');
  });
});
