import type { Contact, Origin } from '../contract/execution.ts';
import type { Json, JsonObject } from '../contract/json.ts';
import { userVariables } from '../contract/user-variables.ts';
import { isEmpty } from '../variables/declared.ts';
import type { EngineContext } from './context.ts';
import type { KnownContact } from './perform-effect.ts';

/**
 * Reads the scopes that live longer than an execution: `$company`, `$bot`, `$user`, `$memory`. No promise when all answers are synchronous.
 *
 * @param known - the user, when read just now
 */
export function readExternalScopes(
  { directory, store }: Pick<EngineContext, 'directory' | 'store'>,
  origin: Origin,
  nowMs: number,
  known?: KnownContact,
): JsonObject | Promise<JsonObject> {
  const { companyId, botId, userId, route } = origin;
  const company = directory.company(companyId, route);
  const bot = botId === undefined ? undefined : directory.bot(companyId, botId);
  const isAnonymous = botId === undefined || userId === undefined;
  const contact = known === undefined ? (isAnonymous ? undefined : store.contact(companyId, botId, [userId])) : known.contact;
  if (company instanceof Promise || bot instanceof Promise || contact instanceof Promise)
    return Promise.all([company, bot, contact]).then((read) => buildScopes(origin, nowMs, ...read));
  return buildScopes(origin, nowMs, company, bot, contact);
}

function buildScopes(
  { userId, channel }: Origin,
  nowMs: number,
  $company: JsonObject | undefined,
  $bot: JsonObject | undefined,
  contact: Contact | undefined,
): JsonObject {
  const scopes: { [scope: string]: Json } = {};
  if ($company !== undefined) scopes['$company'] = $company;
  if ($bot !== undefined) scopes['$bot'] = $bot;
  if (userId === undefined) return scopes;
  scopes['$user'] = userVariables(userId, contact, channel);
  scopes['$memory'] = readMemory(contact, nowMs);
  return scopes;
}

const noMemory: JsonObject = Object.freeze({});

function readMemory(contact: Contact | undefined, nowMs: number): JsonObject {
  if (contact === undefined || isEmpty(contact.memory)) return noMemory;
  return Object.fromEntries(
    Object.entries(contact.memory).flatMap(([name, { value, expiresAtMs }]) =>
      expiresAtMs !== null && expiresAtMs <= nowMs ? [] : [[name, value] as const],
    ),
  );
}
