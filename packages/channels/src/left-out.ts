import { getPath, isJsonObject, type Json } from '@hilo/engine/contract';
import type { AccountNews } from './account-news.ts';
import type { AccountError, Received } from './channel-adapter.ts';
import type { ChannelEvent, NoticeKind } from './channel-event.ts';
import { meaningOf } from './private-message.ts';

/** A part of a delivery that cannot be processed: it is counted and reported to operators, and the rest of the delivery is processed. */
export interface LeftOut {
  readonly kind: 'leftOut';
  /** What it is and lacks, in fixed words: these are logged, so they hold nothing of a user. */
  readonly what: string;
  /** The account that it is for, where that is another one than the bot's: a bot of that account may take it. */
  readonly account?: string;
}

/** Leaves a part of a delivery out, for a reason in fixed words. */
export const leftOut = (what: string, account?: string): LeftOut => ({ kind: 'leftOut', what, ...(account !== undefined && { account }) });

/** A part of a delivery that is for another account of the same app, and says nothing that is missed where no bot has that account. */
export interface Elsewhere {
  readonly kind: 'elsewhere';
  readonly account: string;
}

/**
 * The entries of the list of a name that are no objects, or what is there in place of a list: none can be read.
 *
 * @param what - what an entry should be, in one word
 */
export function leftOutOfList(value: Json | undefined, name: string, what: string): readonly LeftOut[] {
  const list = getPath(value, [name]);
  if (list === undefined || list === null) return [];
  const entries = Array.isArray(list) ? (list as readonly Json[]) : [list];
  return entries.filter((entry) => !isJsonObject(entry)).map(() => leftOut(`${what} that is no object`));
}

/** A part of a delivery that is no message and concerns no known user: it is counted, and that is all there is to it. */
export interface Noted {
  readonly kind: 'noted';
  readonly what: NoticeKind;
}

/** Notes a part by its type, as the table of the provider has it; what the table calls a message is not understood here. */
export function noted(provider: string, type: string): Noted {
  const meaning = meaningOf(provider, type);
  return { kind: 'noted', what: meaning === 'message' || meaning === 'opening' ? 'unsupported' : meaning };
}

/** The events of a delivery, in their order, what it says of the account, and how many parts were left out for each reason, or noted. */
export function collectParts(
  parts: readonly (ChannelEvent | LeftOut | Noted | Elsewhere | AccountNews)[],
): Extract<Received, { readonly kind: 'events' }> {
  const events: ChannelEvent[] = [];
  const elsewhere = new Map<string, Record<string, number>>();
  const leftOut: Record<string, number> = {};
  const counts: { [what in NoticeKind]?: number } = {};
  const accountErrors: AccountError[] = [];
  for (const part of parts) {
    if ((part.kind === 'leftOut' || part.kind === 'elsewhere') && part.account !== undefined) {
      const missed = elsewhere.get(part.account) ?? {};
      elsewhere.set(part.account, missed);
      if (part.kind === 'leftOut') missed[part.what] = (missed[part.what] ?? 0) + 1;
    }
    if (part.kind === 'elsewhere') continue;
    if (part.kind === 'leftOut') leftOut[part.what] = (leftOut[part.what] ?? 0) + 1;
    else if (part.kind === 'account') accountErrors.push({ code: part.code, message: part.message });
    else if (part.kind === 'noted') counts[part.what] = (counts[part.what] ?? 0) + 1;
    else events.push(part);
  }
  return {
    kind: 'events',
    events,
    ...(Object.keys(leftOut).length > 0 && { leftOut }),
    ...(Object.keys(counts).length > 0 && { noted: counts }),
    ...(accountErrors.length > 0 && { accountErrors }),
    ...(elsewhere.size > 0 && { elsewhere: Object.fromEntries(elsewhere) }),
  };
}
