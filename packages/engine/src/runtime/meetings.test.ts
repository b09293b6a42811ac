// Events of one new person at once have one contact, whatever ids they name and whenever the store answers.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Contact } from '../contract/execution.ts';
import { hasPhone } from '../contract/phone-spellings.ts';
import { createMeetings } from './meetings.ts';

const contactOf = (ids: readonly string[]): Contact => ({
  botId: 'b',
  userId: ids[0] ?? '',
  names: null,
  phone: ids.find((id) => /^\d+$/.test(id)) ?? null,
  bsuid: ids.find((id) => id.startsWith('PE.')) ?? null,
  timeZone: null,
  locale: null,
  windowUntilMs: null,
  memory: {},
});

describe('the first events of a person', () => {
  /** Every way to name one person by a phone number in two spellings and a business-scoped id. */
  const ids = fc.subarray(['5215512345678', '525512345678', 'PE.ana'], { minLength: 1 });

  it('that name it alike, or by two ids of which an event before named both, lead to one contact in any order of answers', () =>
    fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(ids, { minLength: 1, maxLength: 5 }), async (scheduler, later) => {
        const contacts: Contact[] = [];
        const isOf = (contact: Contact, id: string) => contact.userId === id || contact.bsuid === id || hasPhone(contact, id);
        // What a lookup finds is decided when it begins, what a commit wrote is seen when it has ended; both answer later.
        const meetings = createMeetings({
          contact: (_company, _bot, named) => {
            const found = contacts.find((contact) => named.some((id) => isOf(contact, id)));
            return scheduler.schedule(Promise.resolve(found));
          },
        });
        const take = (named: readonly string[]) =>
          meetings.meet({ companyId: '1', botId: 'b', ids: named }, async (contact) => {
            await scheduler.schedule(Promise.resolve());
            if (contact === undefined) contacts.push(contactOf(named));
          });
        const taken = [['5215512345678', 'PE.ana'], ...later].map(take);
        await scheduler.waitFor(Promise.all(taken.map(async (one) => one)));
        expect(contacts).toHaveLength(1);
      }),
    ));

  it('that fail are waited for no longer, and others wait for none', async () => {
    const found: (Contact | undefined)[] = [];
    const meetings = createMeetings({ contact: () => undefined });
    const named = { companyId: '1', botId: 'b', ids: ['ana'] };
    const { promise, reject } = Promise.withResolvers<never>();
    const failing = Promise.resolve(meetings.meet(named, () => promise)).catch((error: unknown) => error);
    const waiting = Promise.resolve(meetings.meet(named, (contact) => void found.push(contact)));
    await meetings.meet({ ...named, botId: 'other' }, (contact) => void found.push(contact));
    await meetings.meet({ ...named, companyId: '2' }, (contact) => void found.push(contact));
    expect(found).toHaveLength(2);
    reject(new Error('The disk is full'));
    expect(await failing).toBeInstanceOf(Error);
    await waiting;
    expect(found).toHaveLength(3);
  });

  it('are no matter of a person who is known', () => {
    const ana = contactOf(['ana']);
    const meetings = createMeetings({ contact: () => ana });
    expect(meetings.meet({ companyId: '1', botId: 'b', ids: ['ana'] }, (contact) => contact)).toBe(ana);
  });
});
