import { describe, inject } from 'vitest';
import { type Place, withPlace } from '../data/open-for-test.ts';
import { openDatabase } from '../data/runtime.ts';

/** Runs a test with a place of its own on one database. */
export type OnStore = (test: (place: Place) => Promise<void>) => () => Promise<void>;

/** Describes the same over SQLite and, where all is taken, over a real PostgreSQL, with a new database for each test. */
export function describeOverEachStore(name: string, tests: (on: OnStore) => void): void {
  const stores: { readonly [store: string]: OnStore } = {
    SQLite: (test) => withPlace(test),
    ...(inject('takesAll') && { PostgreSQL: (test) => withPlace(test, openDatabase) }),
  };
  for (const [store, on] of Object.entries(stores))
    describe(`${name}, on ${store}`, () => {
      tests(on);
    });
}
