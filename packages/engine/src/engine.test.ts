import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineEffect, defineNode, drive, finish, leave, perform, reply, Template, ValueTemplate, VariablePath } from './contract/index.ts';
import { createEngine } from './engine.ts';
import { parseCanvas } from './canvas/parse.ts';

const say = defineEffect('say', { request: z.strictObject({ text: z.string() }), result: z.strictObject({ ok: z.boolean() }) });

const nodes = [
  defineNode({
    type: 'start',
    config: z.strictObject({}),
    visual: { label: 'Start', category: 'entry', icon: 'play', colour: '#000000', description: '' },
    ports: ['next'],
    entry: { kind: 'message', match: () => 'fallback' },
    run: () => leave('next'),
  }),
  defineNode({
    type: 'set',
    config: z.strictObject({ path: VariablePath, value: ValueTemplate }),
    visual: { label: 'Set', category: 'data', icon: 'x', colour: '#000000', description: '' },
    ports: ['next'],
    writes: ({ path }) => ({ next: [path.join('.')] }),
    run: ({ config, variables }) => leave('next', [{ path: config.path, value: config.value(variables) }]),
  }),
  defineNode({
    type: 'ask',
    config: z.strictObject({ text: Template, saveAs: VariablePath }),
    visual: { label: 'Ask', category: 'message', icon: 'x', colour: '#000000', description: '' },
    ports: ['answered'],
    optionalPorts: ['error'],
    writes: ({ saveAs }) => ({ answered: [saveAs.join('.')] }),
    run: ({ config, variables }) =>
      perform(say({ text: config.text(variables) }), ({ ok }) =>
        ok
          ? perform(reply({}), (answer) =>
              answer.kind === 'message'
                ? leave('answered', [{ path: config.saveAs, value: answer.message['text'] ?? null }])
                : leave('error'),
            )
          : leave('error'),
      ),
  }),
  defineNode({
    type: 'end',
    config: z.strictObject({ outputs: z.record(z.string(), ValueTemplate).default({}) }),
    visual: { label: 'End', category: 'flow', icon: 'x', colour: '#000000', description: '' },
    ports: [],
    run: ({ config, variables }) =>
      finish('done', Object.fromEntries(Object.entries(config.outputs).map(([name, value]) => [name, value(variables)]))),
  }),
];

describe('engine', () => {
  it('carries a conversation from a message to its end', async () => {
    const { canvas } = parseCanvas({
      schemaVersion: 1,
      id: 'hello',
      name: 'Hello',
      nodes: [
        { id: 'begin', type: 'start' },
        { id: 'greet', type: 'set', data: { path: '$context.greeting', value: 'Hi {{$message.text}}' } },
        { id: 'name', type: 'ask', data: { text: '{{$context.greeting}}, your name?', saveAs: '$context.name' } },
        { id: 'done', type: 'end', data: { outputs: { name: '{{$context.name}}', length: '{{size($context.name) + 1}}' } } },
      ],
      edges: [
        { source: 'begin', target: 'greet' },
        { source: 'greet', target: 'name' },
        { source: 'name', sourceHandle: 'answered', target: 'done' },
      ],
    });
    if (canvas === undefined) throw new Error('no canvas');
    const said: unknown[] = [];
    let counter = 0;
    const engine = createEngine({
      nodes,
      drivers: [drive(say, ({ text }) => (said.push(text), { ok: true }))],
      clock: { now: () => 1_000, setTimeout: () => 0, clearTimeout: () => undefined },
      random: { bytes: (length) => Uint8Array.from({ length }, () => (counter += 1) % 256) },
    });
    await engine.saveDraft('1', canvas);
    await engine.publish('1', 'hello');
    const ended: unknown[] = [];
    engine.on('execution.ended', (_about, ending) => ended.push(ending));
    await engine.receiveMessage({
      companyId: '1',
      botId: 'b',
      eventId: 'e1',
      user: { id: '593' },
      message: { id: 'm1', type: 'text', text: 'there' },
    });
    await engine.whenIdle();
    expect(said).toEqual(['Hi there, your name?']);
    await engine.receiveMessage({
      companyId: '1',
      botId: 'b',
      eventId: 'e2',
      user: { id: '593' },
      message: { id: 'm2', type: 'text', text: 'Ana' },
    });
    await engine.whenIdle();
    expect(ended).toEqual([{ status: 'completed', outputs: { name: 'Ana', length: 4 } }]);
  });
});
