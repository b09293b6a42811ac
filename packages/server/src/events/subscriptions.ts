// Subscriptions to events: made, changed and removed with their secrets, each in one transaction with the revision by which every process
// reads them anew.
import { checkDestination, isDialerError, readAllowList, readUrl } from '@hilo/drivers';
import type { Clock, Random } from '@hilo/engine/contract';
import { asCondition, type Call, type DurableStore, type ItemOf, type KeyOf } from '@hilo/stores';
import { growRevision, holdRevision, readRevision } from '../platform/database/revision.ts';
import { full, type HttpError, invalidFields, notFound, unavailable } from '../platform/http/errors.ts';
import type { Vault } from '../platform/secrets/vault.ts';
import { secrets } from '../platform/tables/companies.ts';
import { type DeliveryState, deliveryStates, type eventDeliveries, eventSubscriptions } from '../platform/tables/events.ts';
import { subscriptionSecretId } from '../tenants/bots.ts';
import { countDeliveries, deleteDeliveries, forgetBreak, listDeliveries, replaySince } from './sql.ts';
import { drawSecret } from '../platform/events/webhook-signature.ts';

/** So many subscriptions a company has at most. */
const maxSubscriptions = 20;

const tooMany = (holder: string): HttpError =>
  full(
    { name: 'event-subscriptions', holder },
    'TOO_MANY_SUBSCRIPTIONS',
    `A company has at most ${maxSubscriptions} event subscriptions: remove one first`,
  );

/** A subscription as its row has it. */
export type StoredSubscription = ItemOf<typeof eventSubscriptions.columns>;

/** A delivery as its row has it. */
export type StoredDelivery = ItemOf<typeof eventDeliveries.columns> & KeyOf<typeof eventDeliveries.columns>;

/** What a subscription is to be: what is left out of a change stays. */
export interface SubscriptionChange {
  readonly url?: string | undefined;
  readonly events?: readonly string[] | undefined;
  readonly secret?: string | undefined;
  readonly paused?: boolean | undefined;
}

/** Subscriptions of companies, and what is on its way to them. */
export interface Subscriptions {
  all(companyId: string): Promise<readonly StoredSubscription[]>;
  /** @throws {HttpError} 404 */
  find(companyId: string, id: string): Promise<StoredSubscription>;
  /** How many deliveries wait, and how many were given up. */
  count(companyId: string, id: string): Promise<{ readonly pending: number; readonly parked: number }>;
  /** @returns the secret too, where it was drawn. @throws {HttpError} 409 at the limit, 422 for an address that is never called */
  add(companyId: string, given: SubscriptionChange & { readonly url: string; readonly events: readonly string[] }): Promise<Added>;
  /** @throws {HttpError} 404, 422 */
  change(companyId: string, id: string, change: SubscriptionChange): Promise<StoredSubscription>;
  /** Removes it with its secret and all that is on its way. @throws {HttpError} 404 */
  remove(companyId: string, id: string): Promise<void>;
  /** A page of what was to be told, the newest first. */
  deliveries(
    companyId: string,
    id: string,
    filter: { readonly state?: DeliveryState | undefined; readonly below?: number | undefined; readonly limit: number },
  ): Promise<readonly StoredDelivery[]>;
  /** Sends again what happened since an instant, to one or all of a company. @returns how many events */
  replay(companyId: string, id: string | undefined, fromMs: number): Promise<number>;
}

export interface Added {
  readonly subscription: StoredSubscription;
  readonly drawn: string | undefined;
}

interface SubscriptionParts {
  readonly store: Pick<DurableStore, 'runner'>;
  readonly vault: Vault;
  readonly random: Random;
  readonly clock: Pick<Clock, 'now'>;
  readonly egressAllow: readonly string[];
  /** Whether an address is the service's own. */
  readonly isOwn: (url: string) => boolean;
  /** Reads anew what this process keeps in memory. */
  readonly refresh: () => Promise<void>;
  /** Something may be due. */
  readonly wake: () => void;
}

/** How often a change is tried again after another change of the configuration. */
const maxTries = 20;

/** Subscriptions over a store. */
export function createSubscriptions(parts: SubscriptionParts): Subscriptions {
  const { store, vault, random, clock, wake } = parts;
  const { runner } = store;
  const writeOver = createWriteOver(parts);

  const find: Subscriptions['find'] = async (companyId, id) => {
    const found = await runner.readOne(eventSubscriptions.find({ companyId, id }));
    if (found === undefined) throw notFound('SUBSCRIPTION_NOT_FOUND', `Company ${companyId} has no event subscription "${id}"`);
    return found;
  };
  const seal = (companyId: string, id: string, secret: string): readonly Call[] => {
    const secretId = subscriptionSecretId(id);
    return secrets.upsert([{ companyId, secretId, sealed: vault.seal(companyId, secretId, secret) }]);
  };
  const all: Subscriptions['all'] = (companyId) => runner.read(eventSubscriptions.all(companyId));

  return {
    all,
    find,
    async count(companyId, id) {
      const count = async (state: 'pending' | 'parked'): Promise<number> =>
        (await runner.readOne(countDeliveries[state]({ companyId, subscriptionId: id })))?.count ?? 0;
      return { pending: await count('pending'), parked: await count('parked') };
    },
    async add(companyId, { url, events, secret, paused = false }) {
      refuseAddress(parts, url);
      const drawn = secret === undefined ? drawSecret(random) : undefined;
      const id = `sub_${Buffer.from(random.bytes(12)).toString('hex')}`;
      const subscription = { companyId, id, url, events, isPaused: paused, createdAtMs: clock.now() };
      return writeOver(async () => {
        if ((await all(companyId)).length >= maxSubscriptions) throw tooMany(companyId);
        const calls = [...eventSubscriptions.insert([subscription]), ...seal(companyId, id, secret ?? drawn ?? '')];
        return { calls, answer: { subscription, drawn } };
      });
    },
    change(companyId, id, { url, events, secret, paused }) {
      if (url !== undefined) refuseAddress(parts, url);
      return writeOver(async () => {
        const before = await find(companyId, id);
        const after = { ...before, url: url ?? before.url, events: events ?? before.events, isPaused: paused ?? before.isPaused };
        const again = forgetBreak({ companyId, subscriptionId: id });
        return {
          calls: [...eventSubscriptions.upsert([after]), again, ...(secret === undefined ? [] : seal(companyId, id, secret))],
          answer: after,
        };
      });
    },
    remove: (companyId, id) =>
      writeOver(async () => {
        await find(companyId, id);
        const calls = [
          asCondition(eventSubscriptions.remove({ companyId, id })),
          secrets.remove({ companyId, secretId: subscriptionSecretId(id) }),
          ...deleteDeliveries.map((each) => each({ companyId, subscriptionId: id })),
        ];
        return { calls, answer: undefined };
      }),
    async deliveries(companyId, id, { state, below = Number.MAX_SAFE_INTEGER, limit }) {
      await find(companyId, id);
      const page = { companyId, subscriptionId: id, below, limit };
      const found = await runner.readEach((state === undefined ? deliveryStates : [state]).map((each) => listDeliveries[each](page)));
      return found
        .flat()
        .toSorted((left, right) => right.seq - left.seq)
        .slice(0, limit);
    },
    async replay(companyId, id, fromMs) {
      if (id !== undefined) await find(companyId, id);
      const of = { companyId, subscriptionId: id ?? '' };
      // Those that wait first: the others wait from then on.
      const replaying = replaySince.map((each) => each({ ...of, fromMs, nowMs: clock.now() }));
      const { rowsOf } = await runner.write([...replaying, forgetBreak(of)]);
      wake();
      return replaying.reduce((total, each) => total + rowsOf(each).length, 0);
    },
  };
}

/** Writes over what was just read, or reads again: of two changes at once, neither takes the other back. */
const createWriteOver =
  ({ store: { runner }, refresh, wake }: Pick<SubscriptionParts, 'store' | 'refresh' | 'wake'>) =>
  async <Answer>(decide: () => Promise<{ readonly calls: readonly Call[]; readonly answer: Answer }>): Promise<Answer> => {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const revision = await readRevision(runner);
      const { calls, answer } = await decide();
      const { failed } = await runner.write([holdRevision(revision), ...calls, growRevision()]);
      if (failed !== undefined) continue;
      await refresh();
      wake();
      return answer;
    }
    throw unavailable('Many requests change the configuration at once; send this again in a moment');
  };

/** @throws {HttpError} 422 for an address that is never called, with the reason */
function refuseAddress({ egressAllow, isOwn }: Pick<SubscriptionParts, 'egressAllow' | 'isOwn'>, text: string): void {
  const refuse = (why: string): HttpError => invalidFields({ url: [why] });
  if (isOwn(text)) throw refuse('This is the address of the service itself: it would hear of what it does by hearing');
  try {
    checkDestination(readUrl(text), readAllowList(egressAllow));
  } catch (error) {
    throw isDialerError(error) ? refuse(error.message) : error;
  }
}

/** Whether an address leads to the service itself, as far as its own address tells. */
export const isAddressOf = (own: string, text: string): boolean => {
  const [url, base] = [URL.parse(text), URL.parse(own)];
  return url !== null && base !== null && url.host === base.host;
};

/** Pauses a subscription whose address has answered that it is gone: an operator may resume it. */
export async function pauseGone(
  { store, refresh }: Pick<SubscriptionParts, 'store' | 'refresh'>,
  { companyId, id }: { readonly companyId: string; readonly id: string },
): Promise<void> {
  await store.runner.write([pauseOne({ companyId, id }), growRevision()]);
  await refresh();
}

const pauseOne = eventSubscriptions.change({ id: eventSubscriptions.columns.id }, (rows, { id }) =>
  rows.set({ is_paused: 1 }).where('id', '=', id),
);
