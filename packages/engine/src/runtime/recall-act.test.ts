import { expect, it } from 'vitest';
import { verdictOf } from './recall-act.ts';

const migrated = { type: 'execution.migrated', canvasHash: 'b', version: 2, from: { canvasHash: 'a', version: 1 }, atMs: 1 } as const;

it.each([
  ['same', { ...migrated, isProved: true }],
  ['changed', migrated],
  ['changed', { ...migrated, writes: [{ path: ['$context', 'brand'], value: 'Acme' }] }],
  ['enters', { ...migrated, enter: 'node' }],
  ['cancels', { type: 'execution.cancelled', reason: 'over', atMs: 1 }],
  [undefined, { type: 'execution.released', atMs: 1 }],
  [undefined, undefined],
] as const)('a job that is done again counts %s for %j', (verdict, event) => {
  expect(verdictOf(event)).toBe(verdict);
});
