import type { ContactChange } from '@hilo/engine/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createExecutionStore } from '../src/execution-store.ts';
import { changePerson, openSqliteStore } from '../src/index.ts';
import { commitOf } from './commit-of.ts';

const ids = ['ana', 'bea', '51999', 'user.51999'];
const change: fc.Arbitrary<ContactChange> = fc.record(
  {
    companyId: fc.constantFrom('1', '2'),
    botId: fc.constant('bot'),
    userId: fc.constantFrom(...ids),
    names: fc.constantFrom('Ana', 'Bea'),
    phone: fc.constantFrom('51999', '51888'),
    bsuid: fc.constantFrom('bea', 'user.51999'),
    windowUntilMs: fc.integer({ min: 1, max: 9 }),
    memory: fc.dictionary(fc.constantFrom('a', 'b'), fc.option(fc.record({ value: fc.nat(9), expiresAtMs: fc.constant(null) })), {
      maxKeys: 2,
    }),
  },
  { requiredKeys: ['companyId', 'botId', 'userId'] },
);
/** As of each message of a user who is known. */
const window: fc.Arbitrary<ContactChange> = fc.record({
  companyId: fc.constantFrom('1', '2'),
  botId: fc.constant('bot'),
  userId: fc.constantFrom(...ids),
  windowUntilMs: fc.integer({ min: 1, max: 9 }),
});
/** As an import, or an operator, writes what is said of a person: beside what bots know of them. */
const said: fc.Arbitrary<Pick<ContactChange, 'companyId' | 'userId' | 'fields' | 'consent'>> = fc.record(
  {
    companyId: fc.constantFrom('1', '2'),
    userId: fc.constantFrom(...ids),
    fields: fc.dictionary(fc.constantFrom('city', 'note'), fc.constantFrom('Lima', 'x'.repeat(600), null), { minKeys: 1 }),
    consent: fc.record({
      marketing: fc.constantFrom('granted' as const, 'revoked' as const),
      atMs: fc.nat(9),
      source: fc.constant('import' as const),
    }),
  },
  { requiredKeys: ['companyId', 'userId'] },
);
const look = fc.record({ companyId: fc.constantFrom('1', '2'), id: fc.constantFrom(...ids) });

it('gives the user as the last commit that was answered left them, whatever was read before and is written meanwhile', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          changes: fc.oneof(fc.array(change, { maxLength: 3 }), fc.tuple(window)),
          people: fc.array(said, { maxLength: 2 }),
          isOneCommit: fc.boolean(),
          areReadMeanwhile: fc.boolean(),
          looks: fc.array(look, { maxLength: 3 }),
        }),
      ),
      async (steps) => {
        const store = await openSqliteStore({ path: ':memory:' });
        const forgetful = createExecutionStore(store.runner);
        try {
          for (const { changes, people, isOneCommit, areReadMeanwhile, looks } of steps) {
            const calls = people.flatMap(changePerson);
            const committed = isOneCommit
              ? store.commitWith(commitOf({ contacts: changes }), calls)
              : Promise.all([store.executions.commit(commitOf({ contacts: changes })), store.runner.write(calls)]);
            if (areReadMeanwhile) for (const { companyId, id } of looks) await store.executions.contact(companyId, 'bot', [id]);
            await committed;
            for (const { companyId, id } of looks)
              expect(await store.executions.contact(companyId, 'bot', [id])).toEqual(await forgetful.contact(companyId, 'bot', [id]));
          }
        } finally {
          await store.close();
        }
      },
    ),
  ));

it('gives the user so too where several commits are under way, some of which are refused', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.record({ one: fc.oneof(change, window), isRepeated: fc.boolean() }), { minLength: 1, maxLength: 4 })),
      async (groups) => {
        const store = await openSqliteStore({ path: ':memory:' });
        const forgetful = createExecutionStore(store.runner);
        const seen = { keys: ['key'], untilMs: 9, answer: null };
        try {
          await store.executions.commit(commitOf({ seen }));
          for (const group of groups) {
            const looks = group.map(async ({ one: { companyId, userId } }) => store.executions.contact(companyId, 'bot', [userId]));
            await Promise.all([
              ...looks,
              ...group.map(({ one, isRepeated }) => store.executions.commit(commitOf({ contacts: [one], ...(isRepeated && { seen }) }))),
            ]);
            for (const { one } of group)
              expect(await store.executions.contact(one.companyId, 'bot', [one.userId])).toEqual(
                await forgetful.contact(one.companyId, 'bot', [one.userId]),
              );
          }
        } finally {
          await store.close();
        }
      },
    ),
    { numRuns: 50 },
  ));
