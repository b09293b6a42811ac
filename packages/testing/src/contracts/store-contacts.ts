import type { ContactChange, ExecutionStore } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { commitAll, contactChange, type Open, withStore } from './execution-records.ts';

const learn = (store: ExecutionStore, ...contacts: readonly (Partial<ContactChange> & { readonly userId: string })[]) =>
  commitAll(store, { contacts: contacts.map(contactChange) });

/** Contacts, which each of their ids identifies. */
export function describeContacts(open: Open<ExecutionStore>): void {
  describe('contact', () => {
    describeFieldsOfContacts(open);

    describeIdsOfContacts(open);

    describeSpellingsOfNumbers(open);

    it(
      'moves the end of the window forward only (WIN-01)',
      withStore(open, async (store) => {
        const until = async () => (await store.contact('c1', 'b1', ['u1']))?.windowUntilMs;
        await learn(store, { userId: 'u1', windowUntilMs: 5_000 });
        await learn(store, { userId: 'u1', windowUntilMs: 4_000 });
        expect(await until()).toBe(5_000);
        await learn(store, { userId: 'u1', windowUntilMs: 6_000 }, { userId: 'u1', windowUntilMs: 5_500 });
        expect(await until()).toBe(6_000);
      }),
    );

    it(
      'remembers and forgets by name',
      withStore(open, async (store) => {
        const memory = async () => (await store.contact('c1', 'b1', ['u1']))?.memory;
        await learn(store, {
          userId: 'u1',
          memory: { a: { value: 1, expiresAtMs: 5_000 }, b: { value: { list: [null] }, expiresAtMs: null } },
        });
        await learn(store, { userId: 'u1', memory: { a: null, c: { value: null, expiresAtMs: null }, unknown: null } });
        expect(await memory()).toEqual({ b: { value: { list: [null] }, expiresAtMs: null }, c: { value: null, expiresAtMs: null } });
      }),
    );

    it(
      'keeps companies and bots apart',
      withStore(open, async (store) => {
        await learn(
          store,
          { userId: 'u1', names: 'Ana', phone: '521' },
          { userId: 'u1', companyId: 'c2', names: 'Eva' },
          { userId: 'u1', botId: 'b2', names: 'Luz' },
        );
        const readNames = async (companyId: string, botId: string, id: string) => (await store.contact(companyId, botId, [id]))?.names;
        expect(await readNames('c1', 'b1', 'u1')).toBe('Ana');
        expect(await readNames('c2', 'b1', 'u1')).toBe('Eva');
        expect(await readNames('c1', 'b2', 'u1')).toBe('Luz');
        expect(await readNames('c2', 'b1', '521')).toBeUndefined();
        expect(await readNames('c1', 'b2', '521')).toBeUndefined();
      }),
    );
  });
}

/** What is known of a contact. */
function describeFieldsOfContacts(open: Open<ExecutionStore>): void {
  it(
    'has only the id of a user at first',
    withStore(open, async (store) => {
      expect(await store.contact('c1', 'b1', ['u1'])).toBeUndefined();
      await learn(store, { userId: 'u1' });
      expect(await store.contact('c1', 'b1', ['u1'])).toEqual({
        botId: 'b1',
        userId: 'u1',
        names: null,
        phone: null,
        bsuid: null,
        timeZone: null,
        locale: null,
        windowUntilMs: null,
        memory: {},
      });
    }),
  );

  it(
    'has the fields and the consent of its person at every bot, under every spelling of its number',
    withStore(open, async (store) => {
      await learn(store, { userId: '5215512345678' }, { userId: '525512345678', botId: 'b2' });
      const at = async (botId: string, userId: string) => {
        const { fields, marketing } = (await store.contact('c1', botId, [userId])) ?? {};
        return { fields, marketing };
      };
      expect(await at('b1', '5215512345678')).toEqual({});
      await learn(store, { userId: '5215512345678', fields: { city: 'Lima', likes: ['tea'], age: 41, text: 'a\0b' } });
      await learn(store, {
        userId: '525512345678',
        botId: 'b2',
        fields: { age: null, vip: true, text: null },
        consent: { marketing: 'revoked', atMs: 7, source: 'keyword', evidence: 'm1' },
      });
      const known = { fields: { city: 'Lima', likes: ['tea'], vip: true }, marketing: 'revoked' };
      expect(await at('b1', '5215512345678')).toEqual(known);
      expect(await at('b2', '525512345678')).toEqual(known);
      await learn(store, { userId: '5215512345678', consent: { marketing: 'granted', atMs: 8, source: 'api' } });
      expect(await at('b2', '525512345678')).toEqual({ ...known, marketing: 'granted' });
      expect(await store.contact('c2', 'b1', ['5215512345678'])).toBeUndefined();
      const personIn = async (companyId: string) => store.person?.(companyId, '525512345678');
      expect([undefined, { ...known, marketing: 'granted' }]).toContainEqual(await personIn('c1')); // a store may go without
      expect([undefined, {}]).toContainEqual(await personIn('c2'));
    }),
  );

  it(
    'keeps what a change leaves out',
    withStore(open, async (store) => {
      await learn(store, {
        userId: 'u1',
        names: 'Ana',
        phone: '521',
        bsuid: 'MX.a',
        timeZone: 'America/Lima',
        locale: 'es-PE',
        windowUntilMs: 5_000,
        memory: { city: { value: 'Lima', expiresAtMs: null } },
      });
      await learn(store, { userId: 'u1', names: 'Ana María' });
      expect(await store.contact('c1', 'b1', ['u1'])).toEqual({
        botId: 'b1',
        userId: 'u1',
        names: 'Ana María',
        phone: '521',
        bsuid: 'MX.a',
        timeZone: 'America/Lima',
        locale: 'es-PE',
        windowUntilMs: 5_000,
        memory: { city: { value: 'Lima', expiresAtMs: null } },
      });
    }),
  );
}

/** Each id of a contact finds that contact. */
function describeIdsOfContacts(open: Open<ExecutionStore>): void {
  it(
    'finds a user by phone and by business-scoped id too (UID-04, UID-06)',
    withStore(open, async (store) => {
      await learn(store, { userId: 'MX.a', bsuid: 'MX.a' });
      expect(await store.contact('c1', 'b1', ['521'])).toBeUndefined();
      await learn(store, { userId: 'MX.a', phone: '521' });
      const known = await store.contact('c1', 'b1', ['521']);
      expect(known).toMatchObject({ userId: 'MX.a', phone: '521', bsuid: 'MX.a' });
      expect(await store.contact('c1', 'b1', ['MX.a'])).toEqual(known);
      expect(await store.contact('c1', 'b1', ['unknown', '521'])).toEqual(known);
    }),
  );

  it(
    'returns the same contact by every id, after each change',
    withStore(open, async (store) => {
      await learn(store, { userId: 'MX.a', bsuid: 'MX.a', phone: '521' });
      await learn(store, { userId: 'MX.a', windowUntilMs: 8_000, memory: { step: { value: 3, expiresAtMs: 9_000 } } });
      expect(await store.contact('c1', 'b1', ['521'])).toEqual(await store.contact('c1', 'b1', ['MX.a']));
      expect(await store.contact('c1', 'b1', ['521'])).toMatchObject({ windowUntilMs: 8_000 });
    }),
  );

  it(
    'never returns a contact under a phone number that it no longer has',
    withStore(open, async (store) => {
      await learn(store, { userId: 'MX.a', phone: '521' });
      await learn(store, { userId: 'MX.a', phone: '522', names: 'Ana' });
      const byOldPhone = await store.contact('c1', 'b1', ['521']);
      expect([undefined, 'Ana']).toContain(byOldPhone?.names);
      expect(await store.contact('c1', 'b1', ['522'])).toMatchObject({ userId: 'MX.a', names: 'Ana' });
    }),
  );

  it(
    'never merges two users who are each known already (UID-06)',
    withStore(open, async (store) => {
      await learn(store, { userId: '521', phone: '521', names: 'Ana' }, { userId: 'MX.a', bsuid: 'MX.a', names: 'Luz' });
      await learn(store, { userId: 'MX.a', phone: '521' });
      expect(await store.contact('c1', 'b1', ['521'])).toMatchObject({ userId: '521', names: 'Ana' });
      expect(await store.contact('c1', 'b1', ['MX.a'])).toMatchObject({ userId: 'MX.a', names: 'Luz' });
    }),
  );

  it(
    'never returns another contact in place of the user whose own id it is',
    withStore(open, async (store) => {
      await learn(store, { userId: '521', names: 'Ana' });
      await learn(store, { userId: 'MX.a', phone: '521', names: 'Luz' });
      expect(await store.contact('c1', 'b1', ['521'])).toMatchObject({ userId: '521', names: 'Ana' });
      expect(await store.contact('c1', 'b1', ['MX.a'])).toMatchObject({ userId: 'MX.a', names: 'Luz' });
    }),
  );
}

/** A phone number is one number, however it is spelt. */
function describeSpellingsOfNumbers(open: Open<ExecutionStore>): void {
  it(
    'finds a user by each spelling of the phone number, and each user by their own first (UID-07)',
    withStore(open, async (store) => {
      const [mexican, brazilian] = ['5215512345678', '551188887777'];
      await learn(store, { userId: mexican, phone: mexican }, { userId: 'BR.a', bsuid: 'BR.a', phone: brazilian });
      const find = async (...ids: readonly string[]) => (await store.contact('c1', 'b1', ids))?.userId;
      expect(await find('525512345678')).toBe(mexican);
      expect(await find('5511988887777')).toBe('BR.a');
      expect(await find('unknown', '5511988887777', '525512345678')).toBe('BR.a');
      expect(await find('525512345678', 'BR.a')).toBe('BR.a'); // before another spelling comes what was given
      expect(await find('525512345679')).toBeUndefined();
      await learn(store, { userId: '525512345678', phone: '525512345678' });
      expect(await find('525512345678')).toBe('525512345678');
      expect(await find(mexican)).toBe(mexican);
    }),
  );

  it(
    'finds nobody by another spelling of an id that is no phone number, or no longer theirs (UID-07)',
    withStore(open, async (store) => {
      await learn(store, { userId: '5215512345678' }, { userId: '551188887777', phone: '44700900123' });
      expect(await store.contact('c1', 'b1', ['525512345678'])).toBeUndefined();
      expect(await store.contact('c1', 'b1', ['5511988887777'])).toBeUndefined();
    }),
  );
}
