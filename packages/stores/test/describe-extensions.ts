import { describe, expect, it } from 'vitest';
import { executionRecord, saveAll } from '../../testing/src/contracts/execution-records.ts';
import type { DurableStore, Extension } from '../src/index.ts';
import { commitOf } from './commit-of.ts';
import { note, notes, readNote } from './extension-tables.ts';

/** A place where stores are opened again and again. */
export interface Reopened {
  open(extensions: readonly Extension[]): Promise<DurableStore>;
  /** Removes it. */
  remove(): Promise<void>;
}

/** What holds of tables of others in the store's database, whichever it is. */
export function describeExtensions(name: string, place: () => Promise<Reopened>): void {
  const withPlace = (test: (place: Reopened) => Promise<void>) => async (): Promise<void> => {
    const reopened = await place();
    try {
      await test(reopened);
    } finally {
      await reopened.remove();
    }
  };

  describe(`tables of others in ${name}`, () => {
    it(
      'are made in a store that is there already, and carried on from where they are (P36)',
      withPlace(async ({ open }) => {
        const bare = await open([]);
        await saveAll(bare.executions, executionRecord());
        await bare.close();
        const first = await open([{ ...notes, migrations: notes.migrations.slice(0, 1) }]);
        await first.close();
        const second = await open([notes]);
        await second.runner.write([note('n1')]);
        await second.close();
        const third = await open([notes]);
        expect(await third.runner.readOne(readNote('n1'))).toEqual({ body: 'text' });
        expect(await third.executions.load('c1', 'e1')).toEqual(executionRecord());
        await third.close();
      }),
    );

    it(
      'are refused when a newer release made them, and left as they are',
      withPlace(async ({ open }) => {
        await (await open([notes])).close();
        await expect(open([{ name: 'notes', migrations: notes.migrations.slice(0, 1) }])).rejects.toMatchObject({
          code: 'STORE_NEWER',
          details: { schema: 2, known: 1 },
        });
        await (await open([])).close();
      }),
    );

    it(
      'are made whole with their number or not at all',
      withPlace(async ({ open }) => {
        const broken = { name: 'notes', migrations: [...notes.migrations, () => ['create table more (id text)', 'create nonsense']] };
        await expect(open([broken])).rejects.toThrow(/nonsense/);
        const store = await open([{ ...notes, migrations: [...notes.migrations, () => ['create table more (id text)']] }]);
        await store.close();
      }),
    );

    it(
      'are written with a commit or not at all (P3)',
      withPlace(async ({ open }) => {
        const store = await open([notes]);
        const first = commitOf({ saves: [executionRecord()] });
        expect(await store.commitWith(first, [note('with')])).toMatchObject({ kind: 'committed' });
        expect(await store.commitWith(first, [note('without')])).toEqual({ kind: 'conflict' });
        const second = commitOf({ saves: [executionRecord({ id: 'e2' })] });
        await expect(store.commitWith(second, [note('with')])).rejects.toThrow(/unique/i);
        expect(await store.runner.readOne(readNote('with'))).toEqual({ body: 'text' });
        expect(await store.runner.readOne(readNote('without'))).toBeUndefined();
        expect(await store.executions.load('c1', 'e2')).toBeUndefined();
        await store.close();
      }),
    );
  });
}
