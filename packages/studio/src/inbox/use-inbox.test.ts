import { expect, it } from 'vitest';
import { queryOf } from './use-inbox.ts';

it('a filter of an address is a query, and what it does not say is everything', () => {
  expect(queryOf('mine', 10)).toEqual({ whose: 'operator', operatorId: 10 });
  expect(queryOf('mine', undefined)).toBeUndefined(); // nothing is one's own
  expect(queryOf('unassigned', undefined)).toEqual({ whose: 'unassigned' });
  expect(queryOf('operator:11', 10)).toEqual({ whose: 'operator', operatorId: 11 });
  expect(queryOf('team:A:B', 10)).toEqual({ whose: 'team', teamName: 'A:B' });
  for (const whose of ['all', '', 'operator:', 'operator:x', 'team:', 'what'])
    expect([whose, queryOf(whose, 10)]).toEqual([whose, { whose: 'all' }]);
});
