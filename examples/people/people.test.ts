// The program of this folder does what its pages say.
import { expect, it } from 'vitest';
import { workADay } from './main.ts';

it('gives access, imports, finds, refuses, is silent and forgets', async () => {
  const lines: string[] = [];
  await workADay((line) => lines.push(line));
  expect(lines).toEqual([
    'access: its own company 200, another one 404',
    'import: 3 people',
    'segment lima: 2 people',
    'template promo: PENDING, a campaign 400',
    'takeover: app, 1 unread',
    'export: Carla',
    'erasure: 404',
  ]);
});
