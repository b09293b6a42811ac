import { anyText, jsonValue } from '../../testing/src/arbitraries/json-values.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call, DurableStore, Extension, TableFacts, TableRows } from '../src/index.ts';
import { tablePlaces, type TablePlace } from './table-places.ts';
import { drawn, fewRuns } from '../../../scripts/vitest/part-of.ts';

/** Any table value: the suite knows its columns from it. */
export type AnyTable = TableFacts & TableRows<object, object, object>;
type Item = { readonly [property: string]: unknown };
type NamedColumn = TableFacts['named'][number];

/** A text that is written as it is. */
const plainText = anyText.map((given) => given.toWellFormed().replaceAll('\0', ''));

/** Values of a column, as programs have them. Of a key few, so that rows meet. */
function arbitraryValue({ of }: NamedColumn): fc.Arbitrary<unknown> {
  if (of.choices !== undefined) return fc.constantFrom(...of.choices);
  switch (of.holds) {
    case 'text':
    case 'lookup':
      return of.isKey ? fc.constantFrom('a', '"', '\0', '\ud800b') : anyText;
    case 'plain':
      return of.isKey ? fc.constantFrom('a', 'b', '7') : plainText;
    case 'integer':
    case 'number':
      return of.isKey ? fc.integer({ min: 1, max: 3 }) : fc.maxSafeInteger();
    case 'flag':
      return fc.boolean();
    case 'json':
      return jsonValue;
  }
}

/** Items of a table, each of one of two companies: `0` or `1` until they are given ids. */
const arbitraryItems = ({ named }: TableFacts, companies: readonly string[] = ['0', '1']): fc.Arbitrary<readonly Item[]> =>
  fc.array(
    fc.record(
      Object.fromEntries(
        named
          .filter(({ of }) => of.role === 'item')
          .map((column) => {
            if (column.property === 'companyId') return [column.property, fc.constantFrom(...companies)];
            const value = arbitraryValue(column);
            return [column.property, column.of.isNullable ? fc.option(value, { nil: undefined }) : value];
          }),
      ),
    ),
    { maxLength: 8 },
  );

/** What identifies a row in the whole table, and what names it to its company. */
const keyOf = ({ named }: TableFacts, item: Item): string =>
  JSON.stringify(named.filter(({ of }) => of.isKey).map(({ property, of }) => item[of.of ?? property]));
const findOf = ({ named }: TableFacts, item: Item): Item =>
  Object.fromEntries(
    named.filter(({ property, of }) => of.isKey || property === 'companyId').map(({ property, of }) => [property, item[of.of ?? property]]),
  );

const isNumbered = ({ named }: TableFacts): boolean => named.some(({ of }) => of.holds === 'number');

/** Texts that no two rows may share, whatever else they say: those that an item has and a unique index ends with. */
const uniqueProperties = ({ named, options: { unique, indexes = {} } }: TableFacts): readonly string[] =>
  [unique ?? [], Object.values(indexes).flatMap(({ on, isUnique }) => (isUnique === true ? on.slice(-1) : []))]
    .flat()
    .filter((property) => named.some((one) => one.property === property && one.of.role === 'item'));

const byText = (items: readonly object[]): readonly string[] =>
  items.map((item) => JSON.stringify(Object.entries(item).toSorted(([left], [right]) => (left < right ? -1 : 1)))).toSorted();

/**
 * The promises of every table, on a real file and on PostgreSQL: what is written is read, again is the same as once, and no statement
 * reaches a row of another company.
 *
 * @param extension - its migrations make the tables
 * @param ofStore - names of those that the store itself makes
 */
export function describeTables(tables: readonly AnyTable[], extension: Extension, ofStore: readonly string[] = []): void {
  /** On PostgreSQL `npm test` writes to every fourth table, from one that the seed draws. */
  const onPostgres = new Set(drawn(tables));
  const isDrawn = (placeName: string, table: AnyTable): boolean => placeName !== 'PostgreSQL' || onPostgres.has(table);
  describe.each(Object.entries(tablePlaces))('tables of %s', (placeName, begin) => {
    let place: TablePlace;
    let computed: TablePlace;
    let companies = 0;
    /** Runs with companies that nothing was written of, and removes what was. */
    const withCompanies = async (
      table: AnyTable,
      given: readonly Item[],
      test: (mine: string, others: string, items: readonly Item[]) => Promise<void>,
    ): Promise<void> => {
      const [mine, others] = [`${(companies += 1)}`, `${(companies += 1)}`];
      const items = given.map((item, index) => ({
        ...item,
        companyId: item['companyId'] === '0' ? mine : others,
        ...Object.fromEntries(uniqueProperties(table).map((property) => [property, `${mine}-${index}`])),
      }));
      try {
        await test(mine, others, items);
      } finally {
        for (const companyId of isNumbered(table) ? [] : [mine, others])
          for (const item of items) await place.store.runner.write([table.remove({ ...findOf(table, item), companyId })]);
      }
    };
    beforeAll(async () => {
      place = await begin(extension);
      computed = await begin({
        name: 'computed',
        migrations: [(dialect) => tables.filter(({ name }) => !ofStore.includes(name)).flatMap((table) => table.ddl(dialect))],
      });
    });
    afterAll(async () => {
      await place.remove();
      await computed.remove();
    });
    const readAll = (store: DurableStore, table: AnyTable, companyId: string) => store.runner.read(table.all(companyId));
    const write = (store: DurableStore, calls: readonly Call[]) => store.runner.write(calls);

    describe.each(tables.map((table) => [table.name, table] as const))('%s', (_table, table) => {
      it('is what the migrations add up to', async () => {
        expect(await place.describe(table.name)).toEqual(await computed.describe(table.name));
      });

      if (!isDrawn(placeName, table)) return;

      it.each(isNumbered(table) ? [table.name] : [])(
        'gives back what was inserted into %s, in order, to its own company alone, and finds no row by what it says',
        () =>
          fc.assert(
            fc.asyncProperty(arbitraryItems(table), (given) =>
              withCompanies(table, given, async (mine, others, items) => {
                const { store } = place;
                await write(store, table.insert(items));
                for (const companyId of [mine, others])
                  expect(await readAll(store, table, companyId)).toEqual(items.filter((item) => item['companyId'] === companyId));
                for (const refused of [() => table.upsert(items), () => table.insertMissing(items)])
                  expect(refused).toThrow(`Table "${table.name}" numbers its rows: insert them`);
              }),
            ),
            fewRuns(10),
          ),
      );
      if (isNumbered(table)) return;

      it('gives back what was written, to its own company alone, and the same again changes nothing', async () => {
        const { store } = place;
        await fc.assert(
          fc.asyncProperty(arbitraryItems(table), (given) =>
            withCompanies(table, given, async (mine, others, items) => {
              // The last of a key is written.
              const last = new Map(items.map((item) => [keyOf(table, item), item]));
              await write(store, table.upsert(items));
              for (const companyId of [mine, others])
                expect(byText(await readAll(store, table, companyId))).toEqual(
                  byText([...last.values()].filter((item) => item['companyId'] === companyId)),
                );

              const rows = [...last.values()];
              expect(await table.changed(store.runner, rows)).toEqual([]);
              expect(await table.missing(store.runner, rows)).toEqual([]);
              const again = [...table.upsert(rows), ...table.insertMissing(rows)];
              const { rowsOf } = await write(store, again);
              expect(again.flatMap((one) => rowsOf(one))).toEqual([]);
              expect((await write(store, table.insert(rows))).failed === undefined).toBe(rows.length === 0);

              for (const item of rows) {
                expect(await store.runner.readOne(table.find(findOf(table, item)))).toEqual(item);
                const stranger = { ...item, companyId: item['companyId'] === mine ? others : mine };
                if (last.get(keyOf(table, stranger))?.['companyId'] === stranger.companyId) continue;
                expect(await store.runner.readOne(table.find(findOf(table, stranger)))).toBeUndefined();
                expect(await store.runner.writeOne(table.remove(findOf(table, stranger)))).toBeUndefined();
              }
              for (const item of rows) expect(await store.runner.writeOne(table.remove(findOf(table, item)))).toBeDefined();
              expect([...(await readAll(store, table, mine)), ...(await readAll(store, table, others))]).toEqual([]);
            }),
          ),
          fewRuns(25),
        );
      });

      it('never lets a company write over a row of another', async () => {
        const { store } = place;
        await fc.assert(
          fc.asyncProperty(arbitraryItems(table, ['0']), (given) =>
            withCompanies(table, given, async (mine, others, items) => {
              const first = [...new Map(items.map((item) => [keyOf(table, item), item])).values()];
              await write(store, table.upsert(first));
              const before = byText(await readAll(store, table, mine));
              await write(store, table.upsert(first.map((item): Item => ({ ...item, companyId: others, ...renew(table, item) }))));
              expect(byText(await readAll(store, table, mine))).toEqual(before);
            }),
          ),
          fewRuns(10),
        );
      });
    });
  });
}

/** Another value for what is unique across companies, unless it is the key: that is what two companies may claim. */
function renew({ named, options: { unique } }: TableFacts, item: Item): Item {
  const column = named.find(({ property }) => property === unique);
  return column === undefined || column.of.isKey ? {} : { [column.property]: `${String(item[column.property])} too` };
}
