// Two first events of one new person at the same instant make one contact, on each database.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createEngine } from '@hilo/engine';
import { describe, expect, inject, it } from 'vitest';
import { openSqliteStore } from '../src/index.ts';
import { openPostgresStore } from '../../postgres/src/index.ts';
import { createDatabase } from './shared-postgres.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const openings = {
  async SQLite() {
    const directory = await temporaryDirectory();
    const store = await openSqliteStore({ path: join(directory, 'hilo.db') });
    return { store, remove: () => rm(directory, { recursive: true }) };
  },
  ...(inject('takesAll') && {
    async PostgreSQL() {
      return { store: await openPostgresStore({ url: await createDatabase() }), remove: () => Promise.resolve() };
    },
  }),
};

interface Named {
  readonly id: string;
  readonly phone?: string;
  readonly bsuid?: string;
}

/** Ways in which a provider names one person in two events, each with a digit of its own at the end. */
const pairs: readonly (readonly [how: string, one: Named, other: Named])[] = [
  ['by two spellings of a number', { id: '521551234567' }, { id: '52551234567' }],
  ['by a number and by the id that has it', { id: '51987654' }, { id: 'PE.ana', bsuid: 'PE.ana', phone: '51987654' }],
  ['by an id, once with their number', { id: 'PE.eva', bsuid: 'PE.eva' }, { id: 'PE.eva', bsuid: 'PE.eva', phone: '51987655' }],
  ['by their number with an id, and by the id', { id: '51987656', phone: '51987656', bsuid: 'PE.luz' }, { id: 'PE.luz', bsuid: 'PE.luz' }],
  ['by one id', { id: '51987657' }, { id: '51987657' }],
];

describe.each(Object.entries(openings))('two first events at once, on %s', (_store, open) => {
  it.each(pairs)('that name a person %s make one contact', async (_how, ...named) => {
    const { store, remove } = await open();
    const directory = { company: () => undefined, bot: () => ({ channel: 'whatsapp' }) };
    const engine = createEngine({ nodes: [], store: { executions: store.executions, canvases: store.canvases }, directory });
    for (let round = 0; round < 8; round += 1) {
      const users = (round % 2 === 0 ? named : named.toReversed()).map(({ id, ...more }) => ({
        id: `${id}${round}`,
        ...Object.fromEntries(Object.entries(more).map(([field, value]) => [field, `${value}${round}`])),
      }));
      await Promise.all(
        users.map((user, index) =>
          engine.receiveMessage({ companyId: '1', botId: 'b', eventId: `${round} ${index}`, user, message: { type: 'text', text: 'Hi' } }),
        ),
      );
      const ids = users.flatMap((user) => Object.values(user));
      const found = await Promise.all(ids.map(async (id) => (await store.executions.contact('1', 'b', [id]))?.userId));
      expect([ids, new Set(found)]).toEqual([ids, new Set([users[0]?.id])]);
    }
    await engine.whenIdle();
    await store.close();
    await remove();
  });
});
