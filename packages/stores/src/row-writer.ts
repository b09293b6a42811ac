import type { ExecutionInput, ExecutionState, HistoryEntry, HistoryRecord, Json, JsonObject, Origin, Write } from '@hilo/engine/contract';
import { seal } from './row-text.ts';
import { shorten } from './row-words.ts';

/** The owner of an execution, which is beside the texts of its rows. */
export interface Named {
  readonly companyId: string;
  readonly executionId: string;
}

/** What a row says of an advance: its columns name the execution. */
export type Advance = Pick<HistoryRecord, 'revision' | 'event' | 'entries'>;

type Identity = Omit<ExecutionInput, 'variables' | 'defaults'>;

/** So many writes are remembered: a search among more would take longer than writing a value again. */
const mostWrites = 64;

/** The first item of an event that is a list. Rows of every store ever written have these numbers. */
export const events = { accepted: 0, started: 1, webhook: 2, settled: 3 } as const;

/** What stands for a scope, instead of its value. */
export const scopes = { asItBegan: 0, noError: 1 } as const;

/** What stands for a variable, instead of its name and value. From 0 on it is the number of the write that has both. */
export const names = { ownId: -1, asItStands: -2 } as const;

/**
 * Writes the texts of rows: lists without names for the shapes that nearly every execution has, and JSON as it stands for all others. A
 * shape counts its fields, so that one which gets another field is no longer that shape: nothing is lost.
 *
 * The state of a new execution is written after its history by the same writer, and says only what differs from it. `RowReader` reads
 * texts in the same order.
 */
export class RowWriter {
  readonly #named: Named;
  #isAfterBegun = false;
  #input: ExecutionInput | undefined;
  #atMs: number | undefined;
  #brought: readonly Write[] | undefined;
  #effect: HistoryEntry | undefined;
  readonly #writes: Write[] = [];
  readonly #nodes: string[] = [];

  constructor(named: Named) {
    this.#named = named;
  }

  /** The records of one commit. */
  history(records: readonly Advance[]): string {
    this.#isAfterBegun = true;
    const lines: unknown[] = [];
    for (const { revision, event, entries } of records) {
      const line: unknown[] = [revision, this.#eventItem(event)];
      this.#atMs = event.atMs;
      for (const entry of entries) line.push(this.#entryItem(entry, event.atMs));
      lines.push(line);
    }
    return seal(lines);
  }

  state(state: ExecutionState): string {
    const { visit, pending, wait, memos, resumedOnce, ending, said, answered, keptRequests } = state;
    const optional = [visit, pending, wait, ending, said, answered, keptRequests];
    let size = 17;
    for (const one of optional) if (one !== undefined) size += 1;
    if (sizeOf(state) !== size) return seal([state], this.#isAfterBegun);
    const items: unknown[] = [
      shorten(state.status),
      this.#isAsBegun(state) ? 0 : this.#identityItem(state, undefined),
      visit === undefined ? 0 : this.#visitItem(visit),
      pending === undefined ? 0 : this.#pendingItem(pending),
      wait === undefined ? 0 : waitItem(wait, visit?.atMs),
      this.#visitsItem(state.visits),
      state.visitsInAll,
      state.visitsSinceWait,
      state.historySize,
      isEmpty(memos) ? 0 : memos,
      resumedOnce.length === 0 ? 0 : resumedOnce,
      state.isCaught ? 1 : 0,
      this.#scopesItem(state.variables, this.#input?.variables),
      state.variablesSize,
      ending ?? 0,
    ];
    if (said !== undefined || answered !== undefined || keptRequests !== undefined) items.push({ said, answered, keptRequests });
    return seal(items, this.#isAfterBegun);
  }

  #eventItem(event: Advance['event']): unknown {
    const size = sizeOf(event);
    switch (event.type) {
      case 'execution.accepted': {
        const { atMs, input } = event;
        if (size !== 3 || sizeOf(input) !== 9) return event;
        this.#input = input;
        return [events.accepted, atMs, this.#identityItem(input, atMs), this.#scopesItem(input.variables, undefined), input.defaults];
      }
      case 'execution.started': {
        const { atMs, entry, trigger } = event;
        if (size !== 4 || trigger.kind !== 'webhook' || sizeOf(trigger) !== 2) return event;
        return [events.started, this.#instantItem(atMs), entry, this.#bring(trigger.writes)];
      }
      case 'webhook.received': {
        const { atMs, waitId, via, once, writes } = event;
        return size === 6 ? [events.webhook, this.#instantItem(atMs), waitId, via, once, this.#bring(writes)] : event;
      }
      case 'effect.settled': {
        const { atMs, key, settled } = event;
        if (size !== 4) return event;
        return [events.settled, this.#instantItem(atMs), this.#effect?.effect?.key === key ? 0 : this.#keyItem(key), settled];
      }
      default:
        return event;
    }
  }

  /** Nearly everything happens at the instant of the event before it. */
  #instantItem(atMs: number): number | null {
    return atMs === this.#atMs ? null : atMs;
  }

  /** The writes that an event brought: nearly always the node that they enter makes the same. */
  #bring(writes: readonly Write[]): unknown {
    this.#brought = writes;
    return this.#writesItem(writes);
  }

  #identityItem({ executionId, rootId, origin, depth, seed, startedAtMs, canvasHash }: Identity, atMs: number | undefined): unknown {
    return [
      executionId === this.#named.executionId ? 0 : executionId,
      rootId === executionId ? 0 : rootId,
      this.#originItem(origin),
      depth,
      seed,
      startedAtMs === atMs ? null : startedAtMs,
      canvasHash,
    ];
  }

  #isAsBegun({ executionId, rootId, origin, depth, seed, startedAtMs, canvasHash }: Identity): boolean {
    const input = this.#input;
    return (
      input?.origin === origin &&
      input.seed === seed &&
      input.canvasHash === canvasHash &&
      input.executionId === executionId &&
      input.rootId === rootId &&
      input.depth === depth &&
      input.startedAtMs === startedAtMs
    );
  }

  #originItem(origin: Origin): unknown {
    const { companyId, botId, userId, channel, route } = origin;
    if (companyId !== this.#named.companyId || botId === undefined || userId === undefined || channel === undefined) return origin;
    return sizeOf(origin) === 5 ? [shorten(route), botId, userId, shorten(channel)] : origin;
  }

  /** The kind of an entry is told by the length of its list. */
  #entryItem(entry: HistoryEntry, atMs: number): unknown {
    const { at, nodeId, visitNumber, type, port, writes, effect, wait } = entry;
    if (visitNumber === 1 && this.#nodes.at(-1) !== nodeId) this.#nodes.push(nodeId);
    if (at !== atMs) return entry;
    const size = sizeOf(entry);
    if (size === 4) return [nodeId, visitNumber, shorten(type)];
    if (port !== undefined) {
      if (size === 5) return [nodeId, visitNumber, shorten(type), shorten(port)];
      if (size !== 6 || writes === undefined) return entry;
      return [nodeId, visitNumber, shorten(type), shorten(port), writes === this.#brought ? 0 : this.#writesItem(writes)];
    }
    if (size !== 5) return entry;
    if (wait !== undefined && sizeOf(wait) === 2) return [nodeId, visitNumber, shorten(type), shorten(wait.kind), wait.dueAtMs, 0];
    if (effect?.request === undefined || sizeOf(effect) !== 3) return entry;
    this.#effect = entry;
    return [nodeId, visitNumber, shorten(type), shorten(effect.type), this.#keyItem(effect.key), effect.request, 0];
  }

  /** The key of an effect begins with its execution. */
  #keyItem(key: string): unknown {
    const { executionId } = this.#named;
    return key.startsWith(executionId) ? [key.slice(executionId.length)] : key;
  }

  #writesItem(writes: readonly Write[]): unknown {
    const items: unknown[] = [];
    for (const write of writes) {
      const { path, value } = write;
      const [scope, name] = path;
      if (path.length !== 2 || typeof scope !== 'string' || value === undefined || sizeOf(write) !== 2) items.push(write);
      else {
        items.push(shorten(scope), name, this.#valueItem(value));
        if (this.#writes.length < mostWrites) this.#writes.push(write);
      }
    }
    return items;
  }

  #valueItem(value: Json): unknown {
    if (Array.isArray(value)) return [value];
    if (!isFields(value)) return value;
    const { body, headers, query, method, mode, executionId, isNewExecution } = value;
    if (typeof executionId !== 'string' || !hasNames(value, requestNames)) return value;
    return [body, headers, query, method, mode, executionId === this.#named.executionId ? 0 : executionId, isNewExecution];
  }

  /** Each scope and what it holds, or all of it as it stands. */
  #scopesItem(variables: JsonObject, before: JsonObject | undefined): unknown {
    const items: unknown[] = [];
    for (const scope in variables) {
      const value = variables[scope];
      if (value === undefined) continue;
      if (scope === '__proto__') return variables; // the reader makes no such name
      items.push(shorten(scope), before?.[scope] === value ? scopes.asItBegan : this.#scopeItem(scope, value));
    }
    return items;
  }

  #scopeItem(scope: string, value: Json): unknown {
    const fields = isFields(value) ? value : undefined;
    switch (scope) {
      case '$error':
        return isNoError(fields) ? scopes.noError : [value];
      case '$user':
        return isKnownByPhone(fields) ? [fields['id'], fields['names']] : [value];
      case '$context':
      case '$webhook':
        return fields === undefined ? [names.asItStands, value] : this.#namesItem(scope, fields);
      default:
        return [value];
    }
  }

  /** The variables of a scope, nearly all of which the history has just written. */
  #namesItem(scope: string, variables: JsonObject): unknown {
    const items: unknown[] = [];
    for (const name in variables) {
      const value = variables[name];
      if (value === undefined) continue;
      if (name === '__proto__') return [names.asItStands, variables];
      const written = this.#findWrite(scope, name, value);
      if (name === 'executionId' && value === this.#named.executionId) items.push(names.ownId);
      else if (written >= 0) items.push(written);
      else items.push(name, this.#valueItem(value));
    }
    return items;
  }

  #findWrite(scope: string, name: string, value: Json): number {
    for (let at = this.#writes.length - 1; at >= 0; at -= 1) {
      const write = this.#writes[at];
      if (write?.path[1] === name && write.path[0] === scope) return write.value === value ? at : -1;
    }
    return -1;
  }

  /** Counts alone, where they are of the nodes of the history in their order. */
  #visitsItem(visits: ExecutionState['visits']): unknown {
    const counts: unknown[] = [];
    for (const nodeId in visits) {
      if (this.#nodes[counts.length] !== nodeId || nodeId === '__proto__') return visits;
      counts.push(visits[nodeId]);
    }
    return counts;
  }

  #visitItem(visit: NonNullable<ExecutionState['visit']>): unknown {
    const { nodeId, number, attempt, atMs, results, contextUpdates } = visit;
    if (sizeOf(visit) !== 6 || contextUpdates.length > 0) return visit;
    return [nodeId, number, attempt, this.#instantItem(atMs), ...results];
  }

  /** The effect that the history ends with. */
  #pendingItem(pending: NonNullable<ExecutionState['pending']>): unknown {
    const { key, nodeId, attempt, type, request, limitMs, limitCause } = pending;
    const last = this.#effect;
    const isLast = last?.nodeId === nodeId && last.effect?.key === key && last.effect.type === type && last.effect.request === request;
    return isLast && sizeOf(pending) === 7 ? [attempt, limitMs, limitCause] : pending;
  }
}

function waitItem(wait: NonNullable<ExecutionState['wait']>, visitAtMs: number | undefined): unknown {
  const { id, kind, nodeId, openedAtMs, dueAtMs, onDue, takesReply } = wait;
  if (sizeOf(wait) !== 7) return wait;
  return [id, shorten(kind), nodeId, openedAtMs === visitAtMs ? null : openedAtMs, dueAtMs, shorten(onDue), takesReply];
}

const requestNames = ['body', 'headers', 'query', 'method', 'mode', 'executionId', 'isNewExecution'];
const errorNames = ['cause', 'message', 'nodeId', 'attempt'];
const userNames = ['id', 'names', 'phone', 'phoneNumber'];

const isFields = (value: Json): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether nothing has failed. */
const isNoError = (error: JsonObject | undefined): boolean =>
  error !== undefined &&
  hasNames(error, errorNames) &&
  error['cause'] === null &&
  error['message'] === null &&
  error['nodeId'] === null &&
  error['attempt'] === null;

/** Whether a user's id is their phone. */
const isKnownByPhone = (user: JsonObject | undefined): user is JsonObject =>
  user !== undefined && hasNames(user, userNames) && user['id'] === user['phone'] && user['id'] === user['phoneNumber'];

/** Whether an object has these names, in this order, and no others. */
function hasNames(value: JsonObject, expected: readonly string[]): boolean {
  let count = 0;
  for (const name in value) {
    if (name !== expected[count] || value[name] === undefined) return false;
    count += 1;
  }
  return count === expected.length;
}

/** How many fields have a value: one without has no place in JSON. */
function sizeOf(value: object): number {
  let size = 0;
  for (const name in value) if ((value as { readonly [name: string]: unknown })[name] !== undefined) size += 1;
  return size;
}

function isEmpty(value: object): boolean {
  for (const _name in value) return false;
  return true;
}
