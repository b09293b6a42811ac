/** Agents hold their laws whatever a model answers: every answer to a depth, one answer for ever, and random answers deeper. */
import { readFileSync } from 'node:fs';
import type { JsonObject } from '@hilo/engine/contract';
import { agent } from '@hilo/nodes';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { agentConfigOf, exploreAgent, followAnswers, modelCalls, replayTalk } from '../../packages/simulator/src/index.ts';
import { arbitraries } from '../../packages/testing/src/index.ts';
import { fewRuns } from '../../scripts/vitest/part-of.ts';

const canvasOf = (file: string): JsonObject =>
  JSON.parse(readFileSync(new URL(`../../examples/${file}.json`, import.meta.url), 'utf8')) as JsonObject;
const examples = [
  { file: 'canvases/order-agent', id: 'talk' },
  { file: 'canvases/address-agent', id: 'talk' },
  { file: 'nodes/agent', id: 'talk' },
];

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

  it('is found out when a withheld value reaches a model', () => {
    const node = { run: (args: Parameters<typeof agent.run>[0]) => agent.run({ ...args, config: { ...args.config, withhold: [] } }) };
    expect(exploreAgent(canvas, { agent: id, depth: 1, node }).breaches.map(({ law }) => law)).toContain(
      'shows no withheld value to a model',
    );
  });
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
