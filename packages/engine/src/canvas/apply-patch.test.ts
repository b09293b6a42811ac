import type { PatchOperation } from '../contract/problem.ts';
import { describe, expect, it } from 'vitest';
import { applyPatch } from './apply-patch.ts';

const before = { nodes: [{ id: 'a', data: { 'x/y': 1 } }], edges: [] };

describe('JSON patches of fixes', () => {
  it.each<[string, readonly PatchOperation[], unknown]>([
    ['adds to the end of a list', [{ op: 'add', path: '/edges/-', value: 1 }], { ...before, edges: [1] }],
    ['adds a field', [{ op: 'add', path: '/variables', value: {} }], { ...before, variables: {} }],
    [
      'replaces a field whose name has a slash',
      [{ op: 'replace', path: '/nodes/0/data/x~1y', value: 2 }],
      { ...before, nodes: [{ id: 'a', data: { 'x/y': 2 } }] },
    ],
    ['takes an item away', [{ op: 'remove', path: '/nodes/0' }], { ...before, nodes: [] }],
  ])('%s', (_name, patch, after) => {
    expect(applyPatch(before, patch)).toEqual(after);
    expect(before).toEqual({ nodes: [{ id: 'a', data: { 'x/y': 1 } }], edges: [] });
  });

  it.each<readonly PatchOperation[]>([
    [{ op: 'replace', path: '/nodes/1/id', value: 'b' }],
    [{ op: 'replace', path: '/nothing', value: 'b' }],
    [{ op: 'remove', path: '' }],
    [{ op: 'add', path: '/nodes/7', value: 'b' }],
    [{ op: 'remove', path: '/nodes/00' }],
    [{ op: 'add', path: '/__proto__/polluted', value: true }],
    [
      { op: 'remove', path: '/edges' },
      { op: 'remove', path: '/edges' },
    ],
  ])('what does not fit changes nothing: %j', (...patch) => {
    expect(applyPatch(before, patch)).toBeUndefined();
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
