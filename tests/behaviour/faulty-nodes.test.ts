import { createEngine, type ExecutionRef } from '@hilo/engine';
import { defineEffect, defineNode, drive, leave, type Outcome, perform, type Write } from '@hilo/engine/node-kit';
import { standardNodes } from '@hilo/nodes';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const ask = defineEffect('own.ask', { request: z.null(), result: z.null() });

/** What the execution of a canvas ends with whose only own node does this: its outputs, or what the node failed with. */
async function end(run: () => unknown) {
  const own = defineNode({
    type: 'own',
    config: z.strictObject({}),
    ports: ['next'],
    optionalPorts: ['error'],
    effects: [ask],
    visual: { label: 'Own', category: 'data', icon: 'box', colour: '#0f766e', description: 'A node of a host.', summary: () => '' },
    run: run as () => Outcome<'next' | 'error'>, // as a host in JavaScript writes it
  });
  const engine = createEngine({
    nodes: [...standardNodes, own],
    drivers: [
      drive(ask, () => {
        throw new Error('no'.repeat(1_000_000));
      }),
    ],
  });
  const company = engine.company('1');
  await company.publish(canvas);
  const ended = new Promise<ExecutionRef>((resolve) => engine.on('execution.ended', resolve));
  await company.start('own');
  const record = await company.execution((await ended).executionId);
  return record?.state.ending?.outputs;
}

const canvas = {
  schemaVersion: 1,
  id: 'own',
  name: 'Own',
  nodes: [
    { id: 'start', type: 'start', data: { fallback: true } },
    { id: 'own', type: 'own', data: {} },
    { id: 'end', type: 'end', data: { outputs: { value: '{{$context.value ?? "none"}}' } } },
    { id: 'failed', type: 'end', data: { outputs: { cause: '{{$error.cause}}', message: '{{$error.message}}' } } },
  ],
  edges: [
    { source: 'start', target: 'own' },
    { source: 'own', sourceHandle: 'next', target: 'end' },
    { source: 'own', sourceHandle: 'error', target: 'failed' },
  ],
};

describe('a node of a host that is faulty fails, and its execution goes on', () => {
  it.each([
    ['nothing', () => undefined],
    ['null', () => null],
    ['a port', () => 'next'],
    ['a promise', async () => leave('next')],
    ['an outcome of no kind', () => ({ kind: 'go', port: 'next' })],
    ['one write instead of a list', () => ({ ...leave('next'), writes: { path: ['$context', 'value'], value: 1 } })],
    ['no effect', () => ({ ...perform(ask(null), () => leave('next')), effect: null })],
  ])('when its run returns %s', async (_name, run) => {
    const outputs = await end(run);
    expect(outputs).toMatchObject({ cause: 'NODE_FAILED' });
    expect(outputs?.['message']).toContain('run()');
  });

  it.each([
    ['a date', new Date(0)],
    ['a date in a list', [new Date(0)]],
    ['a map', new Map()],
    ['bytes', Buffer.from('a')],
    ['a promise', Promise.resolve(1)],
    ['a function', { f: () => 1 }],
    ['a bigint', 5n],
    ['no number', Number.NaN],
    ['an infinite number', [Number.POSITIVE_INFINITY]],
  ])('when it writes %s', async (_name, value) => {
    const outputs = await end(() => leave('next', [{ path: ['$context', 'value'], value: value as Write['value'] }]));
    expect(outputs).toMatchObject({ cause: 'VALUE_NOT_JSON' });
  });

  it.each([
    ['an object without a prototype', Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    [
      'an instance with fields',
      new (class {
        readonly a = 1;
      })(),
      { a: 1 },
    ],
    ['a field that is undefined', { a: 1, b: undefined }, { a: 1 }],
    ['data that is called like a method', { toJSON: 1 }, { toJSON: 1 }],
  ])('but not when it writes %s', async (_name, value: Write['value'], kept) => {
    expect(await end(() => leave('next', [{ path: ['$context', 'value'], value }]))).toEqual({ value: kept });
  });

  it('when the path of a write is a text', async () => {
    const outputs = await end(() => leave('next', [{ path: '$context.value' as never, value: 1 }]));
    expect(outputs).toMatchObject({ cause: 'INVALID_PATH' });
    expect(outputs?.['message']).toContain('$context.value');
  });

  it.each([
    [
      'its run throws a long message',
      () => {
        throw new Error('é'.repeat(1_000_000));
      },
    ],
    ['its driver throws a long message', () => perform(ask(null), () => leave('next'))],
  ])('with its cause, when %s', async (_name, run) => {
    expect((await end(run))?.['cause']).toMatch(/^(NODE|DRIVER)_FAILED$/);
  });
});
