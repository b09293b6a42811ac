/** Agents hold their laws whatever a model answers: every answer to a depth, one answer for ever, and random answers deeper. */
import { readFileSync } from 'node:fs';
import { createEngine } from '@hilo/engine';
import type { JsonObject, Outcome, Write } from '@hilo/engine/contract';
import { agent, drive, sendMessage, standardNodes } from '@hilo/nodes';
import { askModel, callFunction, callMcpTool } from '@hilo/nodes/effects';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { agentConfigOf, exploreAgent, followAnswers, modelCalls, modelExits, replayTalk } from '../../packages/simulator/src/index.ts';
import { arbitraries } from '../../packages/testing/src/index.ts';
import { fewRuns } from '../../scripts/vitest/part-of.ts';

const canvasOf = (file: string): JsonObject =>
  JSON.parse(readFileSync(new URL(`../../examples/${file}.json`, import.meta.url), 'utf8')) as JsonObject;
const examples = [
  { file: 'canvases/order-agent', id: 'talk' },
  { file: 'canvases/address-agent', id: 'talk' },
  { file: 'nodes/agent', id: 'talk' },
];

/** The canvas whose agent keeps its transcript. */
const withTranscript = (canvas: JsonObject, id: string): JsonObject => ({
  ...canvas,
  nodes: (canvas['nodes'] as readonly JsonObject[]).map((node) =>
    node['id'] === id ? { ...node, data: { ...(node['data'] as JsonObject), transcriptAs: '$context.talk' } } : node,
  ),
});

const plain: JsonObject = {
  model: { baseUrl: 'https://models.test/v1', name: 'small' },
  instructions: 'Help.',
  exits: [{ name: 'done', when: 'They are content.' }],
};
const exitWith = (fields: JsonObject): JsonObject => ({ name: 'done', when: 'x', fields });
const priced = (more: JsonObject): JsonObject => ({
  model: { baseUrl: 'https://models.test/v1', name: 'small', price: { input: 1_000, output: 1_000, currency: 'USD' } },
  ...more,
});
const payTool = (confirm: JsonObject, name = 'pay', timeout = 'PT60S'): JsonObject => ({
  kind: 'function',
  name,
  description: 'Pays',
  functionId: name,
  inputs: { amount: { type: 'number' } },
  risk: 'money',
  confirm,
  timeout,
});
const manyPaths = Array.from({ length: 50 }, (_, index) => `$context.value${index}`);

describe.each(examples)('the agent of $file', ({ file, id }) => {
  const canvas = canvasOf(file);

  it('breaks no law, whatever a model answers twice, and in the campaigns three times', { timeout: 300_000 }, () => {
    const { breaches, isComplete, ports } = exploreAgent(canvas, { agent: id, depth: inject('takesAll') ? 3 : 2 });
    expect(breaches).toEqual([]);
    expect(isComplete).toBe(true);
    const config = agentConfigOf(canvas, id);
    expect(Object.keys(ports).toSorted()).toEqual([...agent.ports(config), ...agent.optionalPorts(config)].toSorted());
  });

  it('breaks none, whatever a model answers in a long conversation', () => {
    fc.assert(
      fc.property(arbitraries.modelAnswers(canvas, id), (answers) => {
        expect(followAnswers(canvas, id, answers)).toEqual([]);
      }),
      fewRuns(200),
    );
  });

  it('is found out when it does not ask before what needs a yes', () => {
    const config = agentConfigOf(canvas, id);
    const unasked = config.tools.map((tool) => ({ ...tool, confirm: undefined }));
    const node = { run: (args: Parameters<typeof agent.run>[0]) => agent.run({ ...args, config: { ...args.config, tools: unasked } }) };
    const { breaches } = exploreAgent(canvas, { agent: id, depth: 1, node });
    expect(breaches.map(({ law }) => law)).toContain(`runs "${config.tools[1]?.name ?? ''}" only after a yes to its question`);
  });

  it('keeps a transcript at every port, in which nothing withheld stands, and is found out when something does or there is none', () => {
    const lawsOf = (change: (writes: readonly Write[]) => readonly Write[]): readonly string[] => {
      const changed = (outcome: Outcome): Outcome => {
        switch (outcome.kind) {
          case 'leave':
            return { ...outcome, writes: change(outcome.writes) };
          case 'perform':
            return { ...outcome, next: (result) => changed(outcome.next(result)) };
          default:
            return outcome;
        }
      };
      const node = { run: (args: Parameters<typeof agent.run>[0]) => changed(agent.run(args)) };
      return exploreAgent(withTranscript(canvas, id), { agent: id, depth: 1, node }).breaches.map(({ law }) => law);
    };
    const isTranscript = ({ path }: Write): boolean => path.join('.') === '$context.talk';
    const toldLaws = agentConfigOf(canvas, id).withhold.length > 0 ? ['writes no withheld value into its transcript'] : [];
    expect(lawsOf((writes) => writes)).toEqual([]);
    expect(lawsOf((writes) => writes.filter((write) => !isTranscript(write)))).toEqual(['writes its transcript at every port']);
    const telling = (text: string) => (writes: readonly Write[]) =>
      writes.map((write) => (isTranscript(write) ? { ...write, value: [{ from: 'bot', text }] } : write));
    expect(lawsOf(telling('x'.repeat(17_000)))).toEqual(['writes its transcript at every port']);
    expect(lawsOf(telling('canary jones'))).toEqual(toldLaws);
  });

  it('is found out when a withheld value reaches a model', () => {
    const node = { run: (args: Parameters<typeof agent.run>[0]) => agent.run({ ...args, config: { ...args.config, withhold: [] } }) };
    expect(exploreAgent(canvas, { agent: id, depth: 1, node }).breaches.map(({ law }) => law)).toContain(
      'shows no withheld value to a model',
    );
  });
});

/** Agents that somebody has made as badly as the form allows: none of their exits can be reached, or a budget is over at once. */
const hostile: readonly (readonly [string, JsonObject])[] = [
  ['exits whose fields nobody can give', { exits: [exitWith({ least: { type: 'text', minLength: 2_000, maxLength: 2_000 } })] }],
  ['exits that are called as objects are', { exits: ['constructor', 'toString', 'valueOf'].map((name) => ({ name, when: 'x' })) }],
  ['the least of all budgets', { limits: { turns: 1, modelCalls: 1, toolCalls: 1, tokens: 1, invalid: 1 } }],
  ['a budget of money that is over with the first call', priced({ limits: { cost: { amount: 0.000_001, currency: 'USD' } } })],
  ['questions that cannot be sent', { tools: [payTool({ text: '{{$context.nothing}}' }), payTool({ text: 'x'.repeat(5_000) }, 'order')] }],
  ['a question in which the model writes', { tools: [payTool({ text: '{{$tool.amount}}', yes: 'A', no: '[[v1]]' })] }],
  ['no time for anything', { timeout: 'PT0.001S', idle: 'PT0.001S', tools: [payTool({ text: 'Pay?' }, 'pay', 'PT0.001S')] }],
  ['more time than there is', { timeout: 'P30D', idle: 'P365D', tools: [payTool({ text: 'Pay?' }, 'pay', 'P30D')] }],
  ['a window for nothing', { history: { messages: 1, chars: 1_000 }, opening: 'Hello '.repeat(200) }],
  [
    'an opening that shows nothing',
    { opening: ' ', facts: '{{$message}}', fallback: { baseUrl: 'https://models.test/v1', name: 'small' } },
  ],
  ['one value withheld under many names, and all kinds redacted', { withhold: manyPaths, redact: ['email', 'phone', 'card', 'iban'] }],
];

it.each(hostile)('an agent with %s leaves by its ports within its budgets, whatever a model answers', (_what, data) => {
  const canvas = { nodes: [{ id: 'talk', type: 'agent', data: { ...plain, ...data } }] };
  const { breaches, isComplete, ports } = exploreAgent(canvas, { agent: 'talk', depth: 1 });
  expect(breaches).toEqual([]);
  expect(isComplete).toBe(true);
  expect(ports['limit']).toBeGreaterThan(0);
});

it('an agent is found out when a withheld value reaches a server', () => {
  const canvas = canvasOf('canvases/address-agent');
  const { tools, withhold } = agentConfigOf(canvas, 'talk');
  const open = tools.map((tool) => ({ ...tool, with: {}, sees: withhold }));
  const also = [modelCalls(['findOrder', { number: '[[v1]]' }])];
  const node = { run: (args: Parameters<typeof agent.run>[0]) => agent.run({ ...args, config: { ...args.config, tools: open } }) };
  const { breaches } = exploreAgent(canvas, { agent: 'talk', depth: 1, also, node });
  expect(breaches.map(({ law }) => law)).toContain('sends no withheld value to a server');
});

/** Runs the canvas for one message, beside a model that always answers alike. */
async function talkTo(answer: JsonObject, ...canvases: readonly JsonObject[]) {
  let asked = 0;
  const model = drive(askModel, () => {
    asked += 1;
    return answer as never;
  });
  const engine = createEngine({
    nodes: standardNodes,
    drivers: [
      model,
      drive(sendMessage, () => ({ kind: 'sent', messageId: 'm' }) as const),
      drive(callFunction, () => ({ kind: 'returned', value: null }) as const),
      drive(callMcpTool, () => ({ kind: 'returned', content: null, isError: false, tookMs: 1 }) as const),
    ],
  });
  const acme = engine.company('acme');
  for (const canvas of canvases) await acme.publish(canvas);
  await acme.message({ bot: 'bot', deliveryId: 'd', user: { id: 'ada' }, message: { type: 'text', text: 'hi' } });
  await engine.whenIdle();
  const { results } = await acme.executions({ workflowId: 'main' });
  await engine.stop();
  return { asked, state: (await acme.execution(results[0]?.executionId ?? ''))?.state };
}
const canvasWith = (id: string, kind: string, nodes: readonly JsonObject[], edges: readonly (readonly [string, string, string])[]) => ({
  schemaVersion: 1,
  id,
  name: id,
  kind,
  nodes: [{ id: 'begin', type: 'start', data: kind === 'skill' ? { fallback: true } : {} }, ...nodes, { id: 'end', type: 'end', data: {} }],
  edges: edges.map(([source, sourceHandle, target]) => ({ source, sourceHandle, target })),
});

it('agents that hand the same message to each other for ever end as any loop does', async () => {
  const agents = ['one', 'two'].map((id) => ({ id, type: 'agent', data: plain }));
  const loop = canvasWith('main', 'skill', agents, [
    ['begin', 'next', 'one'],
    ['one', 'done', 'two'],
    ['two', 'done', 'one'],
    ...['one', 'two'].flatMap((id) => ['limit', 'timeout'].map((port) => [id, port, 'end'] as const)),
  ]);
  const { asked, state } = await talkTo(modelExits('done'), loop);
  expect(state).toMatchObject({ status: 'failed', ending: { failure: { cause: 'STEP_LIMIT_EXCEEDED' } } });
  expect(asked).toBeLessThan(1_100);
});

it('an agent whose tool calls itself without end leaves by its limit', async () => {
  const deep = canvasWith(
    'deep',
    'tool',
    [{ id: 'call', type: 'workflow', data: { workflowId: 'deep' } }],
    [
      ['begin', 'next', 'call'],
      ['call', 'success', 'end'],
    ],
  );
  const tools = [{ kind: 'workflow', name: 'deep', description: 'x', workflowId: 'deep', risk: 'read' }];
  const main = canvasWith(
    'main',
    'skill',
    [{ id: 'talk', type: 'agent', data: { ...plain, tools } }],
    [['begin', 'next', 'talk'], ...['done', 'limit', 'timeout'].map((port) => ['talk', port, 'end'] as const)],
  );
  const { asked, state } = await talkTo(modelCalls(['deep', {}]), deep, main);
  expect(state?.status).toBe('completed');
  expect(asked).toBe(5); // each call counts with its minute, and a turn has five
});

it('a breach comes with a script that plays the way to it in the whole canvas', async () => {
  const canvas = canvasOf('canvases/address-agent');
  const { tools } = agentConfigOf(canvas, 'talk');
  const unasked = tools.map((tool) => ({ ...tool, confirm: undefined }));
  const node = { run: (args: Parameters<typeof agent.run>[0]) => agent.run({ ...args, config: { ...args.config, tools: unasked } }) };
  const { breaches, worst } = exploreAgent(canvas, { agent: 'talk', depth: 1, node });
  const { script = '' } = breaches.find(({ law }) => law.includes('only after a yes')) ?? {};
  expect(script).toMatch(/^user: hi\nmodel: calls changeAddress /);
  expect((await replayTalk([JSON.stringify(canvas)], script, {})).transcript()).toContain('Shall order');
  expect(worst.tokens).toBeGreaterThan(0);
});
