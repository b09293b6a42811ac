import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Canvas } from '../contract/canvas.ts';
import type { JsonObject } from '../contract/json.ts';
import { defineNode, finish, leave, type NodeDefinition } from '../contract/node.ts';
import { checkCanvas } from './check.ts';
import { compileCanvas, nodeTypes } from './compile.ts';
import { diffCanvases } from './diff.ts';
import { canvasHash } from './hash.ts';
import { parseCanvas } from './parse.ts';
import { bringForward, upgradeCanvas } from './upgrade.ts';

const visual = { label: 'Own', category: 'logic', icon: 'x', colour: '#000000', description: 'Own' } as const;

const start = defineNode({
  type: 'start',
  config: z.strictObject({}),
  visual,
  ports: ['next'],
  entry: { kind: 'message', match: () => 'fallback' },
  run: () => leave('next'),
}) as NodeDefinition;
const end = defineNode({ type: 'end', config: z.strictObject({}), visual, ports: [], run: () => finish('done') }) as NodeDefinition;

/** Seconds in version 1, milliseconds in version 2, and an object in version 3. */
const third = defineNode({
  type: 'own',
  version: 3,
  config: z.strictObject({ wait: z.strictObject({ ms: z.number() }) }),
  upgrade: ({ wait = 0 }, fromVersion) => ({ wait: { ms: fromVersion === 1 ? Number(wait) * 1_000 : Number(wait) } }),
  visual,
  ports: ['next'],
  run: () => leave('next'),
}) as NodeDefinition;

const canvasWith = (node: { readonly version?: number; readonly data: JsonObject }): Canvas => {
  const { canvas } = parseCanvas({
    schemaVersion: 1,
    id: 'talk',
    name: 'Talk',
    nodes: [
      { id: 'begin', type: 'start' },
      { id: 'own', type: 'own', ...node },
      { id: 'done', type: 'end' },
    ],
    edges: [
      { source: 'begin', target: 'own' },
      { source: 'own', target: 'done' },
    ],
  });
  if (canvas === undefined) throw new Error('not a canvas');
  return canvas;
};

const nodes = [start, third, end];
const compiled = (canvas: Canvas, definition = third) => compileCanvas(canvas, '', nodeTypes([start, definition, end]));

describe('a node whose definition has a later version', () => {
  it.each([
    [undefined, { wait: 2 }, { wait: { ms: 2_000 } }],
    [1, { wait: 2 }, { wait: { ms: 2_000 } }],
    [2, { wait: 2 }, { wait: { ms: 2 } }],
    [3, { wait: { ms: 2 } }, { wait: { ms: 2 } }],
  ])('is compiled with the data of version %s in the form of today, and keeps what every node has', (version, data, config) => {
    const canvas = canvasWith({ ...(version !== undefined && { version }), data: { ...data, label: 'A pause', notes: 'n', mask: true } });
    const before = structuredClone(canvas);
    const { compiled: ready, problems } = compiled(canvas);
    expect(problems).toEqual([]);
    expect(checkCanvas(canvas, { nodes })).toEqual([]);
    expect(ready.nodes.get('own')).toMatchObject({ config, common: { label: 'A pause', notes: 'n', mask: true } });
    expect(canvas).toEqual(before);
  });

  it('is the same canvas again where nothing is to be done, and after it was brought forward', () =>
    fc.assert(
      fc.property(fc.constantFrom(1, 2, 3, 4, undefined), fc.double({ min: -1e6, max: 1e6, noNaN: true }), (version, wait) => {
        const canvas = canvasWith({ ...(version !== undefined && { version }), data: { wait } });
        const forward = bringForward(canvas, nodes);
        expect(upgradeCanvas(forward, nodeTypes(nodes)).from.size).toBe(0);
        expect(bringForward(forward, nodes)).toBe(forward);
        expect(forward === canvas).toBe(version === 3 || version === 4);
        const plain = canvasWith({ data: { wait } });
        expect(bringForward(plain, [start, end])).toBe(plain);
      }),
    ));

  const refusing = (upgrade: (data: JsonObject) => unknown): NodeDefinition => ({ ...third, upgrade: upgrade as never });
  it.each([
    ['of a version that is later still', 4, third, 'The node has data of version 4 of "own", and this release has version 3'],
    [
      'without an upgrade',
      1,
      { ...third, upgrade: undefined } as never,
      'which has no "upgrade" to version 3: write today\'s fields, and "version": 3',
    ],
    [
      'whose upgrade throws',
      1,
      refusing(() => {
        throw new Error('no such field');
      }),
      'The "upgrade" of "own" from version 1 failed: no such field',
    ],
    ['whose upgrade returns nothing', 1, refusing(() => undefined), 'The "upgrade" of "own" from version 1 returned no object of JSON'],
    ['whose upgrade is a promise', 1, refusing(async () => ({})), 'The "upgrade" of "own" from version 1 returned no object of JSON'],
    [
      'whose upgrade returns a date',
      1,
      refusing(() => ({ wait: new Date(0) })),
      'The "upgrade" of "own" from version 1 returned no object of JSON',
    ],
  ])('%s is one problem, at its version', (_what, version, definition: NodeDefinition, message) => {
    const { problems } = compiled(canvasWith({ version, data: { wait: 2 } }), definition);
    expect(problems).toEqual([expect.objectContaining({ code: 'INVALID_CONFIG', severity: 'error', pointer: '/nodes/1/version' })]);
    expect(problems[0]?.message).toContain(message);
  });

  it('says that the data was brought forward, where it does not fit then', () => {
    const { problems } = compiled(
      canvasWith({ data: { wait: 'long' } }),
      refusing(() => ({ wait: 'long' })),
    );
    expect(problems).toMatchObject([
      { pointer: '/nodes/1/data/wait', message: expect.stringContaining('(after the "upgrade" from version 1)') as unknown },
    ]);
  });

  it('gives the upgrade a copy, so that it may change what it gets', () => {
    const canvas = canvasWith({ data: { wait: 2 } });
    compiled(
      canvas,
      refusing((data) => {
        Object.assign(data, { wait: { ms: 5 } });
        return data;
      }),
    );
    expect(canvas.nodes[1]?.data).toEqual({ wait: 2 });
  });
});

describe('the version of a node', () => {
  it('is behaviour, except the first, which canvases that were stored before do not name', () => {
    const [none, first, second] = [{}, { version: 1 }, { version: 2 }].map((version) => canvasWith({ ...version, data: { wait: 2 } })) as [
      Canvas,
      Canvas,
      Canvas,
    ];
    expect(canvasHash(first)).toBe(canvasHash(none));
    expect(canvasHash(second)).not.toBe(canvasHash(none));
    expect(diffCanvases(none, first).nodes).toEqual([]);
    expect(diffCanvases(first, second).nodes).toMatchObject([{ nodeId: 'own', fields: [{ pointer: '/version', after: 2 }] }]);
  });

  it.each([0, -1, 1.5, Number.NaN])('is refused as %s', (version) => {
    const config = z.strictObject({});
    const define = () => defineNode({ type: 'own', version, config, visual, ports: [], run: () => finish('done') });
    expect(define).toThrow(`The "version" of the node "own" is ${version}: it counts the forms of its config, from 1 on`);
  });

  it('is needed where there is an upgrade', () => {
    const config = z.strictObject({});
    const define = () => defineNode({ type: 'own', upgrade: (data) => data, config, visual, ports: [], run: () => finish('done') });
    expect(define).toThrow('The node "own" has an "upgrade" and no "version": give it version 2');
  });
});
