import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { canvasOf, smallNodes } from '../../test/small-nodes.ts';
import { defineNode, leave } from '../contract/node.ts';
import { checkCanvasText } from './check.ts';
import { describeCanvas } from './describe.ts';

const sound = defineNode({
  type: 'own',
  config: z.strictObject({}),
  ports: ['next'],
  visual: { label: 'Own', category: 'data', icon: 'box', colour: '#0f766e', description: 'A node of a host.' },
  run: () => leave('next'),
});

const canvas = canvasOf(
  [
    { id: 'begin', type: 'start' },
    { id: 'mine', type: 'own' },
    { id: 'done', type: 'end' },
  ],
  ['begin → mine', 'mine → done'],
);

const fail = (): never => {
  throw new TypeError('Cannot read properties of undefined');
};
const check = (own: object) => checkCanvasText(canvas, { nodes: [...smallNodes, { ...sound, ...own }], resolve: () => true });

describe('the definition of an own node that throws in a check', () => {
  it.each<readonly [string, object]>([
    ['its schema', { config: z.strictObject({}).superRefine(fail) }],
    ['a transform of its schema', { config: z.strictObject({}).transform(fail) }],
    ['a schema that is asynchronous', { config: z.strictObject({}).refine(async () => true) }],
    ['ports', { ports: fail }],
    ['optionalPorts', { optionalPorts: fail }],
    ['compile', { compile: fail }],
    ['waitsBefore', { waitsBefore: fail }],
    ['advisedPorts', { advisedPorts: fail }],
    ['writes', { writes: fail }],
    ['writes that are no object', { writes: () => undefined }],
    ['references', { references: fail }],
    ['references that are no list', { references: () => ({}) }],
    ['check', { check: fail }],
    ['check without an answer', { check: () => undefined }],
    ['check with what is no problem', { check: () => [null] }],
    ['check with a problem without its place', { check: () => [{ code: 'X', severity: 'error', message: 'x', hint: 'x' }] }],
    ['writes of what is no list', { writes: () => ({ next: null }) }],
    ['shapes', { shapes: fail }],
    ['shapes of what is no list', { shapes: () => ({ '$context.a': null }) }],
    ['ports that are no list', { ports: () => 'next' }],
    ['ports that are nothing', { ports: () => undefined }],
    ['ports that are no texts', { ports: () => [null] }],
    ['ports that are there twice', { ports: () => ['next', 'next'] }],
    ['optional ports that are ports', { optionalPorts: () => ['next'] }],
    ['optional ports that are a text', { optionalPorts: () => 'next' }],
    ['waitsBefore that are no texts', { waitsBefore: () => [null] }],
    ['keywords', { entry: { kind: 'message', match: () => undefined, keywords: fail } }],
    ['match', { entry: { kind: 'message', match: fail } }],
    ['interrupts', { entry: { kind: 'message', match: () => undefined, interrupts: fail } }],
  ])('is a problem at the data of the node: %s', (_name, own) => {
    const problems = check(own);
    expect(problems.filter(({ code }) => code !== 'PORT_WITHOUT_EDGE')).toMatchObject([
      { code: 'INVALID_CONFIG', severity: 'error', nodeId: 'mine', pointer: '/nodes/1/data' },
    ]);
    expect(problems[0]?.message).toMatch(/^The definition of node type "own" failed on this data: ./);
    const nodes = [...smallNodes, { ...sound, ...own }];
    expect(describeCanvas(canvas, { nodes, resolve: () => true }).problems).toEqual(problems);
  });

  it('is none when nothing throws', () => expect(check({})).toEqual([]));
});
