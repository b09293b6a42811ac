/** What a workspace names is compared with what is kept in parts, so that others are served in between, whatever it has many of (P20). */
import { channelAdapters } from '@hilo/channels';
import { expect, it } from 'vitest';
import { checkExisting } from './checks.ts';
import { parseShape } from './problems.ts';
import { workspaceSchema } from './schema.ts';

const many = 1_000;
const list = <Item>(make: (number: number) => Item): Item[] => Array.from({ length: many }, (_, number) => make(number));
const company = { id: 1, name: 'Acme', plan: 'free' };

it.each([
  ['companies', list((number) => ({ ...company, id: number + 1 }))],
  ['clients', [{ ...company, clients: list((number) => ({ clientId: `c${number}` })) }]],
  ['API keys', [{ ...company, apiKeys: list((number) => ({ id: `k${number}` })) }]],
  ['credentials', [{ ...company, credentials: list((number) => ({ id: `c${number}`, kind: 'basic', username: 'u' })) }]],
])('a thousand %s', async (_what, companies) => {
  const { value } = parseShape(workspaceSchema(channelAdapters), { companies });
  if (value === undefined) throw new Error('The workspace has no shape');
  let reads = 0;
  let [longest, sinceTurn, isOver] = [0, 0, false];
  const count = <Result>(result: Result): Promise<Result> => {
    reads += 1;
    longest = Math.max(longest, (sinceTurn += 1));
    return Promise.resolve(result);
  };
  const turn = (): void => {
    sinceTurn = 0;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await checkExisting({ read: () => count([]), readOne: () => count(undefined) }, value, { namedBots: () => [] });
  isOver = true;
  expect(reads).toBeGreaterThanOrEqual(many);
  expect(longest).toBeLessThanOrEqual(200);
});
