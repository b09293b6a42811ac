// Puts on record that one contact has another id: another spelling of their number, or another number.
import { otherSpellings } from '@hilo/engine/contract';
import type { Call } from '@hilo/stores';
import { createBoundedMap } from '../platform/bounded-map.ts';
import { onceForEach } from '../platform/once-for-each.ts';
import type { Platform } from '../platform/platform.ts';
import { people } from '../platform/tables/companies.ts';
import type { Bot } from '../tenants/companies.ts';
import { noteOf, noteOnce } from './notes.ts';

type Parts = Pick<Platform, 'store' | 'engine' | 'clock'>;
type Merging = Pick<Bot, 'companyId' | 'id' | 'provider'>;

/** Users who were looked up for {@link noteSpelling} by each engine; the one that was quiet for longest is looked up again. */
const spelledUsers = onceForEach((_engine: Platform['engine']) => createBoundedMap<true>(10_000));

/** Puts on record that a person who is known under another spelling of their number writes under this one. */
export async function noteSpelling(
  { store, engine, clock }: Parts,
  { companyId, id: botId, provider }: Merging,
  userId: string,
): Promise<void> {
  if (otherSpellings(userId).length === 0) return;
  const known = spelledUsers(engine);
  const name = JSON.stringify([companyId, botId, userId]);
  if (known.get(name) === true) return;
  known.set(name, true);
  const contact = await store.executions.contact(companyId, botId, [userId]);
  if (contact === undefined || contact.userId === userId) return;
  await noteMerge(store.runner, { companyId, provider }, contact.userId, userId, clock.now());
}

/** Puts on record that one contact has another id from now on. */
export async function noteMerge(
  runner: Pick<Parts['store']['runner'], 'readOne' | 'write'>,
  bot: Omit<Merging, 'id'>,
  userId: string,
  otherId: string,
  atMs: number,
): Promise<void> {
  await noteOnce(runner, ...(await merged(runner, bot, userId, otherId)), atMs);
}

/** The same as a row, for the transaction in which the contact gets the other id. */
export async function rowOfMerge(
  runner: Pick<Parts['store']['runner'], 'readOne'>,
  bot: Omit<Merging, 'id'>,
  userId: string,
  otherId: string,
  atMs: number,
): Promise<Call> {
  return noteOf(...(await merged(runner, bot, userId, otherId)), atMs);
}

async function merged(
  runner: Pick<Parts['store']['runner'], 'readOne'>,
  { companyId, provider }: Omit<Merging, 'id'>,
  userId: string,
  otherId: string,
) {
  const person = await runner.readOne(idOfPerson({ companyId, userId }));
  const what = { name: ['merge', companyId, userId, otherId], actor: `provider ${provider.kind}`, action: 'mergeContact' };
  return [what, { companyId, kind: 'contact', id: person?.id ?? 'unknown' }] as const;
}

const idOfPerson = people.read(['id'], { userId: people.columns.personKey }, (rows, { userId }) => rows.where('person_key', '=', userId));
