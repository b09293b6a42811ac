import { describe, expect, it } from 'vitest';
import { portKey } from '../canvas/canvas-json.ts';
import { countsOf, versionsOf } from './counts.ts';

const wait = (nodeId: string) => ({ kind: 'reply', nodeId, openedAt: '2031-03-03T09:00:00Z', dueAt: null });

describe('what several executions did', () => {
  it('is counted by visit, by port and by where they wait', () => {
    const asks = [
      { nodeId: 'start', visitNumber: 1, port: 'next' },
      { nodeId: 'ask', visitNumber: 1 },
      { nodeId: 'ask', visitNumber: 1, port: 'other' },
      { nodeId: 'ask', visitNumber: 2 },
    ];
    const { left, nodes } = countsOf([
      { execution: { wait: wait('ask') }, entries: asks },
      { execution: { wait: null }, entries: [...asks, { nodeId: 'ask', visitNumber: 2, port: 'yes' }] },
    ]);
    expect(left).toEqual({ [portKey('start', 'next')]: 2, [portKey('ask', 'other')]: 2, [portKey('ask', 'yes')]: 1 });
    expect(Object.fromEntries(nodes)).toEqual({ start: { visits: 2, waiting: 0 }, ask: { visits: 4, waiting: 1 } });
  });

  it('is nothing of no executions, and counts names of an object’s own as names', () => {
    expect(countsOf([])).toEqual({ left: {}, nodes: new Map() });
    const { left } = countsOf([{ execution: { wait: null }, entries: [{ nodeId: '', visitNumber: 1, port: '__proto__' }] }]);
    expect(Object.values(left)).toEqual([1]);
  });
});

it('versions are listed once each, the newest first and the draft last', () => {
  const of = (...versions: readonly (number | 'draft')[]) => versionsOf(versions.map((version) => ({ version })));
  expect(of(9, 'draft', 10, 9, 1)).toEqual([10, 9, 1, 'draft']);
  expect(of()).toEqual([]);
});
