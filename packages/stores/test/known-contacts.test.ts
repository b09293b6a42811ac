import type { ContactChange } from '@hilo/engine/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createExecutionStore } from '../src/execution-store.ts';
import { openSqliteStore } from '../src/index.ts';
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
const look = fc.record({ companyId: fc.constantFrom('1', '2'), id: fc.constantFrom(...ids) });

it('gives the user as the last commit that was answered left them, whatever was read before and is written meanwhile', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({ changes: fc.array(change, { maxLength: 3 }), areReadMeanwhile: fc.boolean(), looks: fc.array(look, { maxLength: 3 }) }),
      ),
      async (steps) => {
        const store = await openSqliteStore({ path: ':memory:' });
        const forgetful = createExecutionStore(store.runner);
        try {
          for (const { changes, areReadMeanwhile, looks } of steps) {
            const committed = store.executions.commit(commitOf({ contacts: changes }));
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
