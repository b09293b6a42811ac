/** Publishing through the engine alone: what an agent calls as a tool, and the agents of others that call what is published. */
import { createEngine } from '@hilo/engine';
import { defineNode, drive, isHiloError, leave, type Problem } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { askModel, callFunction, callMcpTool, sendMessage } from '../src/effects/index.ts';
import { standardNodes } from '../src/index.ts';
import { shopCanvas as shop } from './shop-canvas.ts';

const pay = defineNode({
  type: 'pay',
  config: z.object({}),
  visual: { label: 'Pay', category: 'integration', icon: 'coin', colour: '#000000', description: 'Pays.' },
  ports: ['next'],
  risk: () => 'money',
  run: () => leave('next'),
});

/** A tool that declares inputs, with a node between its start and its end. */
const tool = (inputs: object, node?: { readonly type: string; readonly data?: object; readonly port: string }, id = 'price') => ({
  schemaVersion: 1,
  id,
  name: id,
  kind: 'tool',
  settings: { inputs },
  nodes: [
    { id: 'begin', type: 'start' },
    ...(node === undefined ? [] : [{ ...node, port: undefined, id: 'middle' }]),
    { id: 'done', type: 'end' },
  ],
  edges:
    node === undefined
      ? [{ source: 'begin', target: 'done' }]
      : [
          { source: 'begin', target: 'middle' },
          { source: 'middle', sourceHandle: node.port, target: 'done' },
        ],
});

const text = { code: { type: 'string' } };
const child = { type: 'workflow', data: { workflowId: 'charge' }, port: 'success' };
const paying = { type: 'pay', port: 'next' };

/** Nothing is performed. */
const refuse = () => Promise.reject(new Error('Nothing is performed here'));
const drivers = [drive(askModel, refuse), drive(sendMessage, refuse), drive(callFunction, refuse), drive(callMcpTool, refuse)];

/** What each door says of a canvas: checked, saved, and published whole or by its name. */
const doors = {
  validate: (acme, canvas) => acme.validate(canvas),
  saveDraft: async (acme, canvas) => (await acme.saveDraft(canvas)).problems,
  publish: async (acme, canvas) => (await acme.publish(canvas)).warnings,
  'engine.publish': async (acme, canvas, engine) => {
    await acme.saveDraft(canvas);
    return (await engine.publish('acme', canvas.id)).warnings;
  },
} satisfies { readonly [name: string]: Door };
type Engine = ReturnType<typeof createEngine>;
type Door = (acme: ReturnType<Engine['company']>, canvas: { readonly id: string }, engine: Engine) => Promise<readonly Problem[]>;

const found = (problems: readonly Problem[]) =>
  problems.filter(({ code }) => code.endsWith('_TOOL') || code.startsWith('TOOL_')).map(({ code, severity }) => [code, severity]);

/** The problems of tools, also where publishing was refused for them. */
const ask = (given: Promise<readonly Problem[]>) =>
  given.then(found, (error: unknown) => {
    if (!isHiloError(error, 'INVALID_CANVAS')) throw error;
    return ['refused', ...found(error.details.problems)];
  });

describe.each(Object.entries(doors))('%s', (name, door: Door) => {
  const publishes = name.endsWith('publish');
  const open = async (...published: readonly (object | string)[]) => {
    const engine = createEngine({ nodes: [...standardNodes, pay], drivers });
    const acme = engine.company('acme');
    for (const canvas of published) await acme.publish(canvas);
    return (canvas: { readonly id: string }) => ask(door(acme, canvas, engine));
  };
  const error = (code: string) => [...(publishes ? ['refused'] : []), [code, 'error']];

  it('names the agents of others that a canvas would be no tool for', async () => {
    const say = await open(tool(text), shop({ risk: 'read' }));
    expect(await say(tool(text))).toEqual([]);
    expect(await say(tool({ ...text, place: { type: 'string' } }))).toEqual([['TOOL_MISMATCH', 'warning']]);
  });

  it('lets no agent move money unasked by what others publish, also behind a tool, and where it is the first version', async () => {
    const behind = await open(tool({}, undefined, 'charge'), tool(text, child), shop());
    expect(await behind(tool({}, paying, 'charge'))).toEqual(error('UNCONFIRMED_TOOL'));
    const first = await open(tool(text, child), shop());
    expect(await first(tool({}, paying, 'charge'))).toEqual(error('UNCONFIRMED_TOOL'));
    const asked = await open(tool({}, undefined, 'charge'), tool(text, child), shop({ risk: 'read' }));
    expect(await asked(tool({}, paying, 'charge'))).toEqual([]);
  });

  it('judges the tools of its own agents, which may be published later', async () => {
    expect(await (await open())(shop())).toEqual([]);
    expect(await (await open(tool(text, paying)))(shop())).toEqual(error('UNCONFIRMED_TOOL'));
    expect(await (await open(tool({ place: { type: 'string' } })))(shop({ risk: 'read' }))).toEqual(error('TOOL_MISMATCH'));
  });
});
