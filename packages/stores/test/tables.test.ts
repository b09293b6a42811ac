import { describe, expect, it } from 'vitest';
import {
  type Columns,
  counted,
  defineTable,
  flag,
  integer,
  internal,
  json,
  key,
  keyOf,
  oneOf,
  optional,
  plain,
  type TableOptions,
  text,
} from '../src/index.ts';
import { describeTables } from './describe-tables.ts';

const kept = { moves: 'copied' } as const;

/** A column of each kind. */
const parcels = defineTable(
  'parcels',
  {
    companyId: key(text()),
    userKey: key(keyOf('userId')),
    number: key(integer()),
    userId: text(),
    label: optional(text()),
    country: plain(),
    state: oneOf(['packed', 'sent']),
    weightGrams: optional(integer()),
    isFragile: flag(),
    contents: json<unknown>(),
    attempts: counted(0),
    claimedBy: internal(optional(plain())),
  },
  { ...kept, indexes: { byState: { on: ['companyId', 'state', 'number desc'], where: "state = 'packed'" }, byLabel: { on: ['label'] } } },
);

/** A table whose key is the same for all companies. */
const addresses = defineTable(
  'addresses',
  { addressId: key(plain()), companyId: text(), street: text() },
  { ...kept, foundBy: 'others', bytewise: ['addressId'] },
);

/** A table that is nothing but its key. */
const followers = defineTable('followers', { companyId: key(text()), followerId: key(integer()) }, kept);

const made = [parcels, addresses, followers] as const;
describeTables(made, { name: 'parcels', migrations: [(dialect) => made.flatMap((table) => table.ddl(dialect))] });

describe('a statement of a table', () => {
  const ofState = parcels.read(['number', 'label'], { state: parcels.columns.state }, (rows, { state }) => rows.where('state', '=', state));
  const send = parcels.change({ label: text() }, (rows, { label }) => rows.set({ state: 'sent' }).where('label', '=', label));

  it('has its company and its parameters as columns hold them', () => {
    expect(ofState({ companyId: '"1', state: 'sent' }).values).toEqual({ company_id: '"\\"1"', state: 'sent' });
    expect(send({ companyId: '1', label: '\0' }).values).toEqual({ company_id: '1', label: '"\\u0000"' });
  });

  it('gives the properties that it reads', () => {
    expect(ofState({ companyId: '1', state: 'sent' }).decode?.({ number: 7, label: null })).toEqual({ number: 7, label: undefined });
  });
});

describe('a table', () => {
  const own = { companyId: key(text()), id: key(integer()) };
  const define =
    (columns: Columns, options: Partial<TableOptions> = {}, name = 'parcels') =>
    () =>
      defineTable(name, columns, { ...kept, ...options });

  it.each([
    ['a name that SQL reserves', define(own, {}, 'order'), 'Table "order": SQL reserves its name'],
    ['a name of capitals', define(own, {}, 'Parcels'), 'Table "Parcels": its name is 1 to 40 lower-case letters'],
    ['a name of 41 letters', define(own, {}, 'a'.repeat(41)), 'its name is 1 to 40 lower-case letters'],
    ['a column that SQL reserves', define({ ...own, user: text() }), 'Table "parcels", column "user": SQL reserves its name'],
    ['a repeated column', define({ ...own, aB: text(), a_b: text() }), 'column "a_b": a column before it is "a_b" in SQL too'],
    ['a column that is no camelCase', define({ ...own, a_b: text() }), 'column "a_b": its name is camelCase'],
    ['a nullable key', define({ ...own, name: key(optional(text())) }), 'column "name": a key is never nullable'],
    ['no key', define({ companyId: text(), id: integer() }), 'Table "parcels": it needs a key'],
    ['a company that may be absent', define({ ...own, companyId: plain() }), 'it needs the column "companyId"'],
    ['the key of nothing', define({ ...own, userKey: keyOf('userId') }), 'column "userKey": it is the key of "userId", which is no column'],
    [
      'an index of no column',
      define(own, { indexes: { byName: { on: ['name desc'] } } }),
      'column "name": an index names it, and there is none',
    ],
  ])('is refused with %s, at the place', (_what, defining, message) => {
    expect(defining).toThrow(RangeError);
    expect(defining).toThrow(message);
  });

  it('may have a name of 40 letters', () => {
    expect(define(own, {}, 'a'.repeat(40))).not.toThrow();
  });
});
