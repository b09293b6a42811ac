// The people whom a start is for, page by page, and the bot by which each is reached.
import { setImmediate as turn } from 'node:timers/promises';
import { type Channel, JsonObject, parseJsonText, phoneNumberChannels } from '@hilo/engine/contract';
import { type Audience, dateDueMs, datesAround, type DateRule } from '@hilo/nodes';
import type { DurableStore } from '@hilo/stores';
import { type BotContact, readContactsOf } from '../platform/database/people.ts';
import { lastOfWindow } from '../contacts/contacts.ts';
import { type FindingParts, findPeoplePage } from '../segments/segments.ts';
import type { Bot, Companies } from '../tenants/companies.ts';
import { type Addressee, datedPage } from './sql.ts';

/** One execution that is to begin: for whom, by which bot. */
export interface Recipient {
  /** Ours where the person has one: what the start is recognised by. */
  readonly key: string;
  /** Undefined for whom no bot of the company reaches. */
  readonly by: { readonly botId: string; readonly channel: Channel; readonly userId: string } | undefined;
  /** When it fell due for this person. */
  readonly dueAtMs: number;
}

/** A page of people. */
export interface RecipientPage {
  readonly recipients: readonly Recipient[];
  /** Where the next page begins; null where all have been read. */
  readonly next: string | null;
}

interface AudienceParts {
  readonly store: Pick<DurableStore, 'runner'>;
  readonly companies: Pick<Companies, 'company' | 'bots'>;
}

/** What is asked for. */
export interface AudienceQuery {
  readonly companyId: string;
  /** The channels of the canvas; all, when undefined. */
  readonly channels: readonly Channel[] | undefined;
  readonly after: string;
  readonly size: number;
}

/** A page of the people of a group, or whom a segment fits as of the due instant. @throws {HttpError} 404, 422 as `findPeoplePage` */
export async function readSetPage(
  parts: FindingParts,
  query: AudienceQuery,
  { of, dueAtMs }: { readonly of: Exclude<Audience, 'company'>; readonly dueAtMs: number },
): Promise<RecipientPage> {
  const { companyId, after, size } = query;
  const page = await findPeoplePage(parts, companyId, of, { after, limit: size, nowMs: dueAtMs });
  const reached = await chooseBots(parts, query, page.people);
  return {
    recipients: page.people.map((person, index) => ({ key: person.id ?? person.personKey, by: reached[index]?.by, dueAtMs })),
    next: page.next ?? null,
  };
}

/** Rows of people that one statement looks through for a date. */
const windowRows = 500;
/** So many such statements a page, where few people have the date. */
const maxWindows = 40;

/** A page of the people for whom a date falls due after one instant and up to another. A page may be empty, and go on. */
export async function readDatedPage(
  parts: AudienceParts,
  query: AudienceQuery,
  { rule, afterMs, upToMs }: { readonly rule: DateRule; readonly afterMs: number; readonly upToMs: number },
): Promise<RecipientPage> {
  const { companyId, size } = query;
  const { runner } = parts.store;
  const beginning = commonBeginning(datesAround(rule, afterMs, upToMs));
  const found: Recipient[] = [];
  let after = query.after;
  for (let windows = 0; windows < maxWindows && found.length < size; windows += 1) {
    const people = await runner.read(datedPage(companyId, rule.field, beginning, after, windowRows));
    const reached = await chooseBots(parts, query, people);
    for (const [index, person] of people.entries()) {
      const { by, timeZone } = reached[index] ?? { by: undefined, timeZone: undefined };
      const zone = timeZone ?? person.timeZone ?? parts.companies.company(companyId)?.timeZone ?? 'UTC';
      const dueAtMs = dateDueMs(rule, readField(person, rule.field), zone);
      if (dueAtMs !== undefined && dueAtMs > afterMs && dueAtMs <= upToMs) found.push({ key: person.id ?? person.personKey, by, dueAtMs });
    }
    const end = await runner.readOne(lastOfWindow({ companyId, after, rows: windowRows }));
    if (end === undefined) return { recipients: found, next: null };
    after = end.personKey;
    await turn();
  }
  return { recipients: found, next: after };
}

function readField({ fields }: Addressee, name: string): string {
  const value = JsonObject.parse(parseJsonText(fields ?? '{}'))[name];
  return typeof value === 'string' ? value : '';
}

/** What all dates begin with. */
function commonBeginning(dates: readonly string[]): string {
  const [first = '', ...others] = dates;
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
}

interface Reached {
  readonly by: Recipient['by'];
  readonly timeZone: string | undefined;
}

/** The bot of each person: the one they wrote to last; else, for a telephone number, the newest bot that writes to numbers. */
async function chooseBots(
  { store, companies }: AudienceParts,
  { companyId, channels }: AudienceQuery,
  people: readonly Pick<Addressee, 'personKey' | 'userId' | 'phone'>[],
): Promise<readonly Reached[]> {
  const bots = companies.bots(companyId).filter(({ channel }) => channels === undefined || channels.includes(channel));
  const byNumber = newest(bots.filter(({ channel }) => phoneNumberChannels.has(channel)));
  const contactsOf = await readContactsOf(
    store.runner,
    people.map(({ personKey, userId }) => ({ companyId, personKey, userId })),
  );
  return people.map((person, index) => {
    const known = (contactsOf[index] ?? []).flatMap((contact) => {
      const bot = bots.find(({ id }) => id === contact.botId);
      return bot === undefined ? [] : [{ contact, bot }];
    });
    const last = known.toSorted((a, b) => heardAtMs(b.contact) - heardAtMs(a.contact) || (a.bot.id < b.bot.id ? -1 : 1))[0];
    if (last !== undefined) {
      const { contact, bot } = last;
      return { by: { botId: bot.id, channel: bot.channel, userId: contact.userId }, timeZone: contact.timeZone ?? undefined };
    }
    const isNumber = person.phone !== undefined && byNumber !== undefined;
    return { by: isNumber ? { botId: byNumber.id, channel: byNumber.channel, userId: person.userId } : undefined, timeZone: undefined };
  });
}

const heardAtMs = ({ windowUntilMs }: BotContact): number => windowUntilMs ?? 0;

const newest = (bots: readonly Bot[]): Bot | undefined =>
  bots.toSorted((a, b) => b.connectedAtMs - a.connectedAtMs || (a.id < b.id ? 1 : -1))[0];
