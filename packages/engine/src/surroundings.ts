import type { Contact, ExecutionState, Origin } from './contract/execution.ts';
import type { JsonObject, Json } from './contract/json.ts';
import type { ContactChange } from './contract/store.ts';
import { userVariables } from './contract/user-variables.ts';
import type { Write } from './contract/variables.ts';
import type { Kernel } from './kernel.ts';
import { getPath } from './variables/path.ts';

/** What surrounds an execution at an instant: the scopes that live longer than it. */
export async function surroundings(kernel: Kernel, { companyId, botId, userId, channel }: Origin, nowMs: number): Promise<JsonObject> {
  const company = kernel.directory.company(companyId);
  const bot = botId === undefined ? undefined : kernel.directory.bot(companyId, botId);
  const contact = botId === undefined || userId === undefined ? undefined : await kernel.store.contact(companyId, botId, [userId]);
  const [$company, $bot] = [isPromise(company) ? await company : company, isPromise(bot) ? await bot : bot];
  return {
    ...($company === undefined ? {} : { $company }),
    ...($bot === undefined ? {} : { $bot }),
    ...(userId === undefined ? {} : { $user: userVariables(userId, contact, channel), $memory: remembered(contact, nowMs) }),
  };
}

/** The scopes that changed since the execution saw them last. */
export const changesSince = ({ variables }: ExecutionState, now: JsonObject): readonly Write[] =>
  Object.entries(now).flatMap(([scope, value]) => (sameJson(variables[scope], value) ? [] : [{ path: [scope], value }]));

/** What an execution's outward writes make known of its user. */
export function contactChanges(
  { origin: { companyId, botId, userId }, variables }: ExecutionState,
  outward: readonly Write[],
  nowMs: number,
): readonly ContactChange[] {
  if (outward.length === 0 || botId === undefined || userId === undefined) return [];
  const memory: Record<string, { readonly value: Json; readonly expiresAtMs: number | null } | null> = {};
  let windowUntilMs: number | undefined;
  for (const { path, value: written, ttlMs } of outward) {
    const [scope, name = ''] = path;
    const value = getPath(variables, [scope ?? '', name]) ?? written;
    if (scope === '$memory')
      memory[String(name)] = value === undefined ? null : { value, expiresAtMs: ttlMs === undefined ? null : nowMs + ttlMs };
    else if (name === 'windowUntilMs' && typeof value === 'number') windowUntilMs = value;
  }
  return [{ companyId, botId, userId, memory, ...(windowUntilMs === undefined ? {} : { windowUntilMs }) }];
}

const remembered = (contact: Contact | undefined, nowMs: number): JsonObject =>
  Object.fromEntries(
    Object.entries(contact?.memory ?? {}).flatMap(([name, { value, expiresAtMs }]) =>
      expiresAtMs !== null && expiresAtMs <= nowMs ? [] : [[name, value] as const],
    ),
  );

const isPromise = <Value>(value: Value | Promise<Value>): value is Promise<Value> => value instanceof Promise;

const sameJson = (a: Json | undefined, b: Json): boolean => a === b || (a !== undefined && JSON.stringify(a) === JSON.stringify(b));
