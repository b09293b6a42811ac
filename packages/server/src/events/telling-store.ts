// A store whose writes also tell of what they do: for each subscription that hears an event, its delivery is a row of the same transaction.
import type { Commit, Committed, ContactChange, Random } from '@hilo/engine/contract';
import { type Call, createRunner, decodeText, type DurableStore, encodeKey, insertVersion, personKeyOf, type Runner } from '@hilo/stores';
import { people } from '../platform/tables/companies.ts';
import { eventDeliveries, type Subscription } from '../platform/tables/events.ts';
import { eventsOfCommit } from '../platform/events/commit-events.ts';
import { covers } from '../platform/events/event-types.ts';
import { type Hearing, type ToldEvent, toldBy } from '../platform/events/telling.ts';

/** Writes events beside what they tell of. */
export interface Telling extends Hearing {
  /** Around the writes of a store, before it is used. */
  around(runner: Runner): Runner;
  /** Around its commits. */
  over(store: DurableStore): DurableStore;
  /** Says who listens, and who is to be woken after a write; nobody, before. */
  follow(subscriptions: (companyId: string) => readonly Subscription[], wake: () => void): void;
}

const nobody: readonly Subscription[] = [];

/** Tells nobody until it is told who listens. */
export function createTelling({ random, now }: { readonly random: Random; readonly now: () => number }): Telling {
  let subscriptions: (companyId: string) => readonly Subscription[] = () => nobody;
  let wake = (): void => {};

  const listeners = (companyId: string, type: string): readonly Subscription[] => {
    const all = subscriptions(companyId);
    return all.length === 0 ? all : all.filter(({ events }) => events.some((pattern) => covers(pattern, type)));
  };
  const wants: Telling['wants'] = (companyId, type) => listeners(companyId, type).length > 0;

  const write = ({ companyId, type, atMs, about, data }: ToldEvent): readonly Call[] => {
    const heard = listeners(companyId, type);
    if (heard.length === 0) return [];
    const given = {
      companyId,
      eventId: `evt_${Buffer.from(random.bytes(16)).toString('hex')}`,
      type,
      atMs,
      subjectKey: 'userId' in about ? personKeyOf(about.userId) : encodeKey(`thing ${about.thing}`),
      data: JSON.stringify(data),
      state: 'pending' as const,
      attempts: 0,
      dueAtMs: 0,
      sinceMs: now(),
    };
    return heard.map(({ id }) => eventDeliveries.insertOne({ ...given, subscriptionId: id }));
  };

  const told = (calls: readonly Call[]): readonly Call[] =>
    calls.flatMap((one) => {
      if (one.statement === insertVersion) return write(publication(one, now()));
      const tells = toldBy(one);
      return tells === undefined ? [] : [tells()].flat().flatMap(write);
    });

  const waking = async <Outcome>(work: Promise<Outcome>): Promise<Outcome> => {
    const outcome = await work;
    wake();
    return outcome;
  };

  return {
    wants,
    around(runner) {
      return createRunner({
        readEach: runner.readEach,
        write(calls) {
          const also = told(calls);
          return also.length === 0 ? runner.write(calls) : waking(runner.write([...calls, ...also]));
        },
      });
    },
    over(store) {
      const commitPlainly = async (commit: Commit, calls: readonly Call[]): Promise<Committed> =>
        calls.length === 0 ? store.executions.commit(commit) : store.commitWith(commit, calls);
      const commitTelling: typeof commitPlainly = async (commit, calls) => {
        const arrived = await readNewcomers(store, commit, wants, now);
        const also = [...[...arrived, ...eventsOfCommit(commit, wants, now)].flatMap(write), ...told(calls)];
        return also.length === 0 ? await commitPlainly(commit, calls) : await waking(store.commitWith(commit, [...calls, ...also]));
      };
      const isHeard = ({ companyId }: { readonly companyId: string }): boolean => subscriptions(companyId).length > 0;
      // Where nobody listens, a commit costs no more than to find that out.
      const commitWith: DurableStore['commitWith'] = (commit, calls) =>
        commit.saves.some(isHeard) || commit.enqueue.some(isHeard) || commit.contacts.some(isHeard) || calls.some((one) => toldBy(one))
          ? commitTelling(commit, calls)
          : commitPlainly(commit, calls);
      return { ...store, commitWith, executions: { ...store.executions, commit: (commit) => commitWith(commit, []) } };
    },
    follow(of, onWritten) {
      subscriptions = of;
      wake = onWritten;
    },
  };
}

/** People of a commit whom nobody knew: read before it, since only then they are not there. */
async function readNewcomers(
  { runner, executions }: DurableStore,
  { contacts }: Commit,
  wants: Hearing['wants'],
  now: () => number,
): Promise<readonly ToldEvent[]> {
  // Somebody may become a contact of several bots at once, and is one person.
  const byPerson = new Map(contacts.toReversed().map((one) => [JSON.stringify([one.companyId, personKeyOf(one.userId)]), one]));
  const asked = [...byPerson.values()].filter(({ companyId }) => wants(companyId, 'contact.created')).toReversed();
  const isKnown = async ({ companyId, botId, userId }: ContactChange): Promise<boolean> => {
    // The bot's contact has just been read for the commit, and is kept: who is a contact is a person.
    const contact = await executions.contact(companyId, botId, [userId]);
    if (contact !== undefined && personKeyOf(contact.userId) === personKeyOf(userId)) return true;
    return (await runner.readOne(people.find({ companyId, personKey: userId }))) !== undefined;
  };
  const found = await Promise.all(asked.map(async (one) => ((await isKnown(one)) ? [] : [one])));
  return found.flat().map(({ companyId, botId, userId }) => ({
    type: 'contact.created',
    companyId,
    atMs: now(),
    about: { userId },
    data: { botId, userId },
  }));
}

/** The event of a version that is published. */
function publication({ values }: Call, atMs: number): ToldEvent {
  const text = (name: string): string => decodeText(String(values[name] ?? ''));
  const workflowId = text('workflowId');
  const data = { workflowId, version: Number(values['version']) };
  return { type: 'workflow.published', companyId: text('companyId'), atMs, about: { thing: `workflow ${workflowId}` }, data };
}
