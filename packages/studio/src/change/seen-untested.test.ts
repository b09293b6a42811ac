import { expect, it } from 'vitest';
import { seenUntested } from './seen-untested.ts';

const port = (name: string, count: number) => ({ port: name, count, p50Ms: null, p95Ms: null });

it('ports that users take and no test does come in the order of their traffic; what nobody took or a test takes is left out', () => {
  const nodes = [
    { nodeId: 'look', ports: [port('error', 37), port('success', 500), port('timeout', 0)] },
    { nodeId: 'ask.again', ports: [port('no', 37), port('yes', 40)] },
    { nodeId: 'end' },
  ];
  const never = ['look.error', 'look.timeout', 'ask.again.yes', 'ask.again.no', 'gone.port'];
  expect(seenUntested(nodes, never).map(({ nodeId, port: name, count }) => `${nodeId}.${name} ${count}`)).toEqual([
    'ask.again.yes 40',
    'ask.again.no 37',
    'look.error 37',
  ]);
  expect(seenUntested(nodes, [])).toEqual([]);
});
