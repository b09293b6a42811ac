// Reads what a provider says of a user: a part that is malformed is left out, since it must not cost the user's message.
import { Locale, tidyName, TimeZone } from '@hilo/engine/contract';
import type { ChannelUser } from './channel-event.ts';

/** A user as an adapter gives them: each part may be anything. */
type GivenUser = { readonly [Name in keyof ChannelUser]: unknown } & Pick<ChannelUser, 'id'>;

/** The user without malformed parts. A locale may be written as platforms write it, such as `es_MX`. */
export function tidyUser(given: GivenUser): ChannelUser {
  const [phone, bsuid, address] = [given.phone, given.bsuid, given.address].map(readText);
  const names = readText(tidyName(readText(given.names) ?? ''));
  const timeZone = TimeZone.safeParse(given.timeZone).data;
  const locale = Locale.safeParse(readText(given.locale)?.replaceAll('_', '-')).data;
  return {
    id: given.id,
    ...(phone !== undefined && { phone }),
    ...(bsuid !== undefined && { bsuid }),
    ...(names !== undefined && { names }),
    ...(timeZone !== undefined && { timeZone }),
    ...(locale !== undefined && { locale }),
    ...(address !== undefined && { address }),
  };
}

const readText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' && value.isWellFormed() && !value.includes('\0') ? value : undefined;
