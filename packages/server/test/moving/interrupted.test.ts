import type { DurableStore } from '@hilo/stores';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { releaseDue, unclaimed } from '../../src/campaigns/sql.ts';
import { bytesOf, contents, fill, fillings, leave, withMoves } from './companies.ts';
import { sqliteFile, type TestDatabase } from './databases.ts';
import { fewRuns, placesOf } from '../../../../scripts/vitest/part-of.ts';

const [mine, others] = fc.sample(fillings, { numRuns: 2, seed: 16 });
if (mine === undefined || others === undefined) throw new Error('There are two samples');

/** At which writes a process dies. */
const { first, step } = placesOf(4);

class Died extends Error {}

function unlessDied(error: unknown): void {
  if (!(error instanceof Died)) throw error;
}

/** A process that dies at its n-th write, before or after that is durable, and does nothing more. */
function dyingAt(n: number, when: 'before' | 'after') {
  let writes = 0;
  const around = (store: DurableStore): DurableStore => ({
    ...store,
    runner: {
      ...store.runner,
      async write(calls) {
        writes += 1;
        if (writes > n || (writes === n && when === 'before')) throw new Died();
        const written = await store.runner.write(calls);
        if (writes === n) throw new Died();
        return written;
      },
    },
  });
  return { around, hasDied: () => writes >= n };
}

async function withTwo(test: (a: TestDatabase, b: TestDatabase) => Promise<void>): Promise<void> {
  const [a, b] = [await sqliteFile(), await sqliteFile()];
  try {
    await test(a, b);
  } finally {
    await a.remove();
    await b.remove();
  }
}

const isEmpty = async (database: TestDatabase, companyId: string): Promise<boolean> =>
  Object.values(await contents(database, companyId)).every((rows) => rows.length === 0);

describe.each(['before', 'after'] as const)('a process that dies %s a write is durable', (when) => {
  it('while a company leaves: it is repeated, and nothing is lost', { timeout: 240_000 }, async () => {
    for (let n = 1 + first, died = true; died; n += step)
      await withTwo(async (a, b) => {
        await fill(a, '1', mine);
        const whole = await contents(a, '1');
        const { around, hasDied } = dyingAt(n, when);
        await withMoves(a, (moves) => moves.leave('1'), { around }).catch(unlessDied);
        died = hasDied();
        const file = await leave(a, '1');
        await withMoves(b, (moves) => moves.arrive(bytesOf(file)));
        expect(await contents(b, '1')).toEqual(whole);
      });
  });

  it('while it arrives: nothing of it is visible or all of it is, and the same import is repeated', { timeout: 240_000 }, async () => {
    for (let n = 1 + first, died = true; died; n += step)
      await withTwo(async (a, b) => {
        await fill(a, '1', mine);
        await fill(b, '7', others);
        const [whole, there, nothing] = [await contents(a, '1'), await contents(b, '7'), await contents(b, '1')];
        const file = await leave(a, '1');
        const { around, hasDied } = dyingAt(n, when);
        await withMoves(b, (moves) => moves.arrive(bytesOf(file)), { around }).catch(unlessDied);
        died = hasDied();
        const seen = await contents(b, '1');
        expect([nothing, whole]).toContainEqual(seen);
        for (const wasHere of [seen['companies']?.length === 1, true])
          expect(await withMoves(b, (moves) => moves.arrive(bytesOf(file)))).toMatchObject({ wasHere });
        expect(await contents(b, '1')).toEqual(whole);
        expect(await contents(b, '7')).toEqual(there);
        expect(await b.rows('company_move_rows')).toEqual([]);
      });
  });
});

describe('a company whose process died', () => {
  it('while it left is served again where the move is called off', { timeout: 240_000 }, async () => {
    for (let n = 1 + first, died = true; died; n += step)
      await withTwo(async (a) => {
        await fill(a, '1', mine);
        const whole = await contents(a, '1');
        const { around, hasDied } = dyingAt(n, 'after');
        await withMoves(a, (moves) => moves.leave('1'), { around }).catch(unlessDied);
        died = hasDied();
        const begun = (await withMoves(a, (moves) => moves.list())).length > 0;
        if (begun) await withMoves(a, (moves) => moves.cancel('1'));
        expect(await contents(a, '1')).toEqual(whole);
        await a.insert('tags', { company_id: '1', id: 99, name: 'n', color: '', text_color: '', language: '', teams: '', channels: '' });
      });
  });
});

describe('a file', () => {
  it('that was cut or changed anywhere is refused, and nothing of it stays', { timeout: 240_000 }, async () => {
    await withTwo(async (a, b) => {
      await fill(a, '1', mine);
      const file = (await leave(a, '1')).join('');
      await withMoves(b, async (moves) => {
        const lines = file.trimEnd().split('\n');
        const refused = async (text: string): Promise<void> => {
          expect(text).not.toBe(file); // else a change that has become none would look like a file that is taken wrongly
          await expect(moves.arrive(bytesOf([text]))).rejects.toMatchObject({
            name: 'HttpError',
            status: 400,
          });
          expect(await isEmpty(b, '1')).toBe(true);
          expect([...(await b.rows('company_moves')), ...(await b.rows('company_move_rows'))]).toEqual([]);
        };
        const place = fc.nat({ max: file.length - 2 });
        await fc.assert(
          fc.asyncProperty(place, async (at) => refused(file.slice(0, at))),
          { ...fewRuns(30), endOnFailure: true },
        );
        await fc.assert(
          fc.asyncProperty(place, fc.constantFrom('7', 'x', '"', '\n', ',', ''), async (at, put) => {
            fc.pre(file[at] !== put && !(put === '' && /\s/.test(file[at] ?? '')));
            await refused(file.slice(0, at) + put + file.slice(at + 1));
          }),
          { ...fewRuns(60), endOnFailure: true },
        );
        await refused([...lines.slice(0, 3), ...lines.slice(4)].join('\n') + '\n');
        await refused([lines[0], lines[2], lines[1], ...lines.slice(3)].join('\n') + '\n');
        await refused(`${file}${lines[1]}\n`);
        await refused(file.replace(/"format":\d+/, '"format":999'));
        await refused(file.replace('"bot_id"', '"robot_id"'));
        await refused('');
        await refused('{"companies":[]}\n');
        await moves.arrive(bytesOf([file]));
      });
    });
  });
});

describe('a move is refused', () => {
  it('where it cannot be made, in words', { timeout: 120_000 }, async () => {
    await withTwo(async (a, b) => {
      await fill(a, '1', mine);
      await fill(b, '1', others);
      const [whole, there] = [await contents(a, '1'), await contents(b, '1')];
      await expect(withMoves(a, (moves) => moves.leave('2'))).rejects.toThrow('There is no company 2');
      await expect(withMoves(a, (moves) => moves.file('1'))).rejects.toThrow('Company 1 has not left from here');
      for (const ask of ['cancel', 'forget'] as const)
        await expect(withMoves(a, (moves) => moves[ask]('1'))).rejects.toThrow('Company 1 has not left from here');
      const file = await leave(a, '1');
      await expect(withMoves(b, (moves) => moves.arrive(bytesOf(file)))).rejects.toThrow('Company 1 is here already: nothing was imported');
      expect(await contents(b, '1')).toEqual(there);

      await withMoves(a, (moves) => moves.redirect('1', { cell: 'b', url: 'https://b.bots.example' }));
      await expect(withMoves(a, (moves) => moves.cancel('1'))).rejects.toThrow(
        'Company 1 is at https://b.bots.example: move it back from there',
      );
      await withMoves(a, (moves) => moves.arrive(bytesOf(file)));
      expect(await contents(a, '1')).toEqual(whole);

      const later = await leave(a, '1');
      await expect(withMoves(a, (moves) => moves.arrive(bytesOf(file)))).rejects.toThrow('of an earlier move of company 1');
      await withMoves(a, (moves) => moves.forget('1'));
      for (const old of [file, later])
        await expect(withMoves(a, (moves) => moves.arrive(bytesOf(old)))).rejects.toThrow('of an earlier move of company 1');
    });
  });

  it('where another company has what is its own, or its secrets cannot be read', { timeout: 120_000 }, async () => {
    await withTwo(async (a, b) => {
      await fill(a, '1', mine);
      await a.insert('clients', { client_id: 'shared', company_id: '1', secret_hash: '' });
      await a.insert('secrets', { company_id: '1', secret_id: 's', sealed: 'x' });
      const file = await leave(a, '1');
      await b.insert('clients', { client_id: 'shared', company_id: '7', secret_hash: '' });
      await expect(withMoves(b, (moves) => moves.arrive(bytesOf(file)))).rejects.toThrow('Another company has "shared" in clients');
      await expect(withMoves(b, (moves) => moves.arrive(bytesOf(file)), { opens: () => false })).rejects.toThrow(
        'the same HILO_SECRET_KEY',
      );
      expect([...(await b.rows('company_moves')), ...(await b.rows('company_move_rows'))]).toEqual([]);
      expect(await b.rows('companies')).toEqual([]);
    });
  });
});

describe('campaigns of a company whose process died while it left', () => {
  it('hold up no campaign of another company', { timeout: 240_000 }, async () => {
    const campaign = (companyId: string) => ({
      company_id: companyId,
      id: `due-${companyId}`,
      name: 'Due',
      element_name: 'hello',
      template_id: 'hello',
      bot_id: 'bot',
      status: 'SCHEDULED',
      scheduled_at_ms: 1,
      created_at_ms: 1,
      total_messages: 0,
      delivered_messages: 0,
      failed_messages: 0,
    });
    for (let n = 1 + first, died = true; died; n += step)
      await withTwo(async (a) => {
        for (const companyId of ['1', '2']) {
          await fill(a, companyId, { ...mine, campaigns: [] });
          await a.insert('campaigns', campaign(companyId));
        }
        const { around, hasDied } = dyingAt(n, 'after');
        await withMoves(a, (moves) => moves.leave('1'), { around }).catch(unlessDied);
        died = hasDied();
        const store = await a.open();
        await store.runner.write([releaseDue({ nowMs: 2 })]);
        const found = await store.runner.read(unclaimed({ nowMs: 2, limit: 10 }));
        await store.close();
        expect(found.map(({ id }) => id)).toContain('due-2');
        // As long as nothing refuses the rows of the other company, it is served as well.
        const moves = await a.rows('company_moves');
        expect(found.map(({ id }) => id).includes('due-1')).toBe(moves.every(({ state }) => state === 'closing'));
      });
  });
});
