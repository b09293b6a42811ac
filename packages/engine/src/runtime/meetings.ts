// The first events of a person who is not known yet: one after the other, so that they lead to one contact (UID-06, UID-07).
import { isHiloError } from '../contract/errors.ts';
import type { Contact } from '../contract/execution.ts';
import { canonicalSpelling } from '../contract/phone-spellings.ts';
import type { Awaitable, ExecutionStore } from '../contract/store.ts';
import { rescue } from './retry.ts';

/** Where a person is met, and the ids by which an event names them. */
interface Named {
  readonly companyId: string;
  readonly botId: string;
  readonly ids: readonly string[];
}

export interface Meetings {
  /**
   * Takes an event of a person. While others that share one of its ids are being taken, of a person whom nobody knew, it waits for their
   * commits, and the person is looked up again. A person who is known waits for nobody.
   *
   * @param take - commits the event, with the contact where there is none. `onMet` is called once that is done, where more follows; else it
   *   is done with the answer
   */
  meet<Answer>(named: Named, take: (contact: Contact | undefined, onMet: () => void) => Awaitable<Answer>): Awaitable<Answer>;
}

export function createMeetings(store: Pick<ExecutionStore, 'contact'>): Meetings {
  /** When the last event that names an id is done. */
  const latest = new Map<string, Promise<undefined>>();
  const find = ({ companyId, botId, ids }: Named): Awaitable<Contact | undefined> => store.contact(companyId, botId, ids);

  return {
    meet(named, take) {
      const found = find(named);
      if (found !== undefined && !(found instanceof Promise)) return take(found, () => undefined);
      const { companyId, botId, ids } = named;
      const keys = [...new Set(ids.map((id) => JSON.stringify([companyId, botId, canonicalSpelling(id)])))];
      // Entered in the turn of the lookup: whoever has left the list before had committed before it.
      const earlier = keys.flatMap((key) => latest.get(key) ?? []);
      const { promise: done, resolve } = Promise.withResolvers<undefined>();
      for (const key of keys) latest.set(key, done);
      const leave = (): void => {
        resolve(undefined);
        for (const key of keys) if (latest.get(key) === done) latest.delete(key);
      };
      const takeInTurn = async () => {
        try {
          const known = await found;
          if (earlier.length > 0 && known === undefined) await Promise.all(earlier);
          const contact = known ?? (earlier.length === 0 ? undefined : await find(named));
          if (contact !== undefined) leave();
          return await rescue(
            () => take(contact, leave),
            async (error) => {
              // Another process has met the same person by another id.
              const met = contact === undefined && isHiloError(error, 'STORE_CONFLICT') ? await find(named) : undefined;
              if (met === undefined) throw error;
              return take(met, leave);
            },
          );
        } finally {
          leave();
        }
      };
      return takeInTurn();
    },
  };
}
