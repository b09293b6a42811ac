import type { Contact, ExecutionState, Origin } from '../contract/execution.ts';
import type { Json, JsonObject } from '../contract/json.ts';
import type { ContactChange } from '../contract/store.ts';
import { userVariables } from '../contract/user-variables.ts';
import type { Write } from '../contract/variables.ts';
import { getPath } from '../variables/path.ts';
import type { EngineContext } from './context.ts';

/** What surrounds an execution at an instant: the scopes that live longer than it. */
export async function readExternalScopes(
  context: EngineContext,
  { companyId, botId, userId, channel }: Origin,
  nowMs: number,
): Promise<JsonObject> {
  const company = context.directory.company(companyId);
  const bot = botId === undefined ? undefined : context.directory.bot(companyId, botId);
  const contact = botId === undefined || userId === undefined ? undefined : await context.store.contact(companyId, botId, [userId]);
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

/** The scopes that changed since the execution saw them last. */
export function scopeChanges({ variables }: ExecutionState, now: JsonObject): readonly Write[] {
  const changes: Write[] = [];
  for (const scope of Object.keys(now)) {
    const value = now[scope];
    if (value !== undefined && !sameJson(variables[scope], value)) changes.push({ path: [scope], value });
  }
  return changes;
}

/** What an execution's persistentWrites writes make known of its user. */
export function contactChanges(
  { origin: { companyId, botId, userId }, variables }: ExecutionState,
  persistentWrites: readonly Write[],
  nowMs: number,
): readonly ContactChange[] {
  if (persistentWrites.length === 0 || botId === undefined || userId === undefined) return [];
  const memory: Record<string, { readonly value: Json; readonly expiresAtMs: number | null } | null> = {};
  let windowUntilMs: number | undefined;
  for (const { path, value: written, ttlMs } of persistentWrites) {
    const [scope, name = ''] = path;
    const value = getPath(variables, [scope ?? '', name]) ?? written;
    if (scope === '$memory')
      memory[String(name)] = value === undefined ? null : { value, expiresAtMs: ttlMs === undefined ? null : nowMs + ttlMs };
    else if (name === 'windowUntilMs' && typeof value === 'number') windowUntilMs = value;
  }
  return [{ companyId, botId, userId, memory, ...(windowUntilMs === undefined ? {} : { windowUntilMs }) }];
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

const sameJson = (a: Json | undefined, b: Json): boolean => a === b || (a !== undefined && JSON.stringify(a) === JSON.stringify(b));
