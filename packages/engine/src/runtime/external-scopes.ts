import type { Contact, Origin } from '../contract/execution.ts';
import type { Json, JsonObject } from '../contract/json.ts';
import { userVariables } from '../contract/user-variables.ts';
import type { EngineContext } from './context.ts';
import type { KnownContact } from './perform-effect.ts';

/**
 * What surrounds an execution at an instant: the scopes that live longer than it.
 *
 * @param known - the user, where they were read a moment ago
 */
export async function readExternalScopes(
  context: EngineContext,
  { companyId, botId, userId, channel }: Origin,
  nowMs: number,
  known?: KnownContact,
): Promise<JsonObject> {
  const company = context.directory.company(companyId);
  const bot = botId === undefined ? undefined : context.directory.bot(companyId, botId);
  const isAnonymous = botId === undefined || userId === undefined;
  const { contact } = known ?? { contact: isAnonymous ? undefined : await context.store.contact(companyId, botId, [userId]) };
  const scopes: { [scope: string]: Json } = {};
  const $company = isPromise(company) ? await company : company;
  const $bot = isPromise(bot) ? await bot : bot;
  if ($company !== undefined) scopes['$company'] = $company;
  if ($bot !== undefined) scopes['$bot'] = $bot;
  if (userId === undefined) return scopes;
  scopes['$user'] = userVariables(userId, contact, channel);
  scopes['$memory'] = remembered(contact, nowMs);
  return scopes;
}

const noMemory: JsonObject = Object.freeze({});

function remembered(contact: Contact | undefined, nowMs: number): JsonObject {
  const entries = contact === undefined ? [] : Object.entries(contact.memory);
  if (entries.length === 0) return noMemory;
  return Object.fromEntries(
    entries.flatMap(([name, { value, expiresAtMs }]) => (expiresAtMs !== null && expiresAtMs <= nowMs ? [] : [[name, value] as const])),
  );
}

const isPromise = <Value>(value: Value | Promise<Value>): value is Promise<Value> => value instanceof Promise;
