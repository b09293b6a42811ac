// Reads the texts in which states and histories are kept.
import {
  type ExecutionState,
  executionStatuses,
  type HistoryEntry,
  type Json,
  type JsonObject,
  type Settled,
  type Write,
} from '@hilo/engine/contract';
import { RowError, unseal } from './row-text.ts';
import { type Advance, events, type Named, names, scopes } from './row-writer.ts';
import { words } from './row-words.ts';

type List = readonly Json[];
type Input = Extract<Advance['event'], { readonly type: 'execution.accepted' }>['input'];
type Identity = Omit<Input, 'variables' | 'defaults'>;

/**
 * Reads what a `RowWriter` wrote, text by text in the same order.
 *
 * @throws {RowError} in every method, for text that none wrote: a disk changed it, a bug or a later release
 */
export class RowReader {
  readonly #named: Named;
  #input: Input | undefined;
  #atMs: number | undefined;
  #brought: readonly Write[] | undefined;
  #effect: { readonly nodeId: string; readonly type: string; readonly key: string; readonly request: Json } | undefined;
  readonly #writes: Write[] = [];
  readonly #nodes: string[] = [];

  constructor(named: Named) {
    this.#named = named;
  }

  history(text: string): readonly Advance[] {
    return unseal(text).map((item) => {
      const line = listOf(item);
      const first = line[1];
      const event = isList(first) ? this.#event(first) : standing<Advance['event']>(first);
      this.#atMs = event.atMs;
      const entries: HistoryEntry[] = [];
      for (let at = 2; at < line.length; at += 1) entries.push(this.#entry(line[at], event.atMs));
      return { revision: numberOf(line[0]), event, entries };
    });
  }

  state(text: string): ExecutionState {
    const items = unseal(text);
    const [status, identity, visit, pending, wait, visits, visitsInAll, visitsSinceWait, historySize, memos, resumedOnce, isCaught] = items;
    if (items.length === 1) return stateOf(standing<ExecutionState>(status));
    const openVisit = visit === 0 ? undefined : isList(visit) ? this.#visit(visit) : standing<NonNullable<ExecutionState['visit']>>(visit);
    const [variables, variablesSize, ending, more] = [items[12], items[13], items[14], items[15]];
    const { said, answered, keptRequests } = more === undefined ? nothing : standing<typeof nothing>(more);
    return stateOf({
      ...(identity === 0 ? this.#begun() : this.#identity(identity, undefined)),
      status: wordOf(status) as ExecutionState['status'],
      visit: openVisit,
      pending: pending === 0 ? undefined : this.#pending(pending),
      wait: wait === 0 ? undefined : waitOf(wait, openVisit?.atMs),
      visits: isList(visits) ? this.#visits(visits) : standing<ExecutionState['visits']>(visits),
      visitsInAll: numberOf(visitsInAll),
      visitsSinceWait: numberOf(visitsSinceWait),
      historySize: numberOf(historySize),
      memos: memos === 0 ? {} : standing<ExecutionState['memos']>(memos),
      ...(said !== undefined && { said }),
      ...(answered !== undefined && { answered }),
      resumedOnce: resumedOnce === 0 ? [] : (listOf(resumedOnce) as readonly string[]),
      ...(keptRequests !== undefined && { keptRequests }),
      isCaught: isCaught === 1,
      variables: this.#scopes(variables, this.#input?.variables),
      variablesSize: numberOf(variablesSize),
      ending: ending === 0 ? undefined : standing<NonNullable<ExecutionState['ending']>>(ending),
    });
  }

  #event([kind, at, first, second, third, fourth]: List): Advance['event'] {
    const atMs = this.#instant(at);
    switch (kind) {
      case events.accepted:
        this.#input = { ...this.#identity(first, atMs), variables: this.#scopes(second, undefined), defaults: standing<JsonObject>(third) };
        return { type: 'execution.accepted', atMs, input: this.#input };
      case events.started:
        return { type: 'execution.started', entry: textOf(first), trigger: { kind: 'webhook', writes: this.#bring(second) }, atMs };
      case events.webhook:
        return {
          type: 'webhook.received',
          waitId: textOf(first),
          via: textOf(second),
          once: third === true,
          writes: this.#bring(fourth),
          atMs,
        };
      case events.settled: {
        const key = first === 0 ? textOf(this.#effect?.key) : this.#key(first);
        return { type: 'effect.settled', key, settled: standing<Settled>(second), atMs };
      }
      default:
        throw new RowError('it has an event of a kind that this release does not know');
    }
  }

  #instant(item: Json | undefined): number {
    return numberOf(item === null ? this.#atMs : item);
  }

  #bring(item: Json | undefined): readonly Write[] {
    return (this.#brought = this.#writesOf(item));
  }

  #identity(item: Json | undefined, atMs: number | undefined): Identity {
    const [id, root, origin, depth, seed, startedAtMs, canvasHash] = listOf(item);
    const executionId = id === 0 ? this.#named.executionId : textOf(id);
    return {
      executionId,
      rootId: root === 0 ? executionId : textOf(root),
      origin: isList(origin) ? this.#origin(origin) : standing<Identity['origin']>(origin),
      depth: numberOf(depth),
      seed: textOf(seed),
      startedAtMs: numberOf(startedAtMs === null ? atMs : startedAtMs),
      canvasHash: textOf(canvasHash),
    };
  }

  #begun(): Identity {
    if (this.#input === undefined) throw new RowError('its state refers to a beginning that it does not have');
    const { variables: _variables, defaults: _defaults, ...identity } = this.#input;
    return identity;
  }

  #origin([route, botId, userId, channel]: List): Identity['origin'] {
    const { companyId } = this.#named;
    const [to, by] = [wordOf(route) as Identity['origin']['route'], wordOf(channel) as NonNullable<Identity['origin']['channel']>];
    return { companyId, botId: textOf(botId), userId: textOf(userId), channel: by, route: to };
  }

  #entry(item: Json | undefined, at: number): HistoryEntry {
    const entry = isList(item) ? this.#listed(item, at) : standing<HistoryEntry>(item);
    const { nodeId, visitNumber } = entry;
    if (visitNumber === 1 && this.#nodes.at(-1) !== nodeId) this.#nodes.push(nodeId);
    return entry;
  }

  #listed(item: List, at: number): HistoryEntry {
    const [id, number, kind, first, second, third] = item;
    const nodeId = textOf(id);
    const visitNumber = numberOf(number);
    const type = wordOf(kind);
    switch (item.length) {
      case 3:
        return { at, nodeId, visitNumber, type };
      case 4:
        return { at, nodeId, visitNumber, type, port: wordOf(first) };
      case 5:
        return {
          at,
          nodeId,
          visitNumber,
          type,
          port: wordOf(first),
          writes: second === 0 ? (this.#brought ?? []) : this.#writesOf(second),
        };
      case 6: {
        const wait = {
          kind: wordOf(first) as NonNullable<HistoryEntry['wait']>['kind'],
          dueAtMs: second === null ? null : numberOf(second),
        };
        return { at, nodeId, visitNumber, type, wait };
      }
      case 7: {
        const effect = { type: wordOf(first), key: this.#key(second), request: third ?? null };
        this.#effect = { nodeId, ...effect };
        return { at, nodeId, visitNumber, type, effect };
      }
      default:
        throw new RowError('it has an entry of a kind that this release does not know');
    }
  }

  #key(item: Json | undefined): string {
    return isList(item) ? `${this.#named.executionId}${textOf(item[0])}` : textOf(item);
  }

  #writesOf(item: Json | undefined): readonly Write[] {
    const items = listOf(item);
    const writes: Write[] = [];
    for (let at = 0; at < items.length; at += 1) {
      const scope = items[at];
      if (typeof scope === 'object') writes.push(standing<Write>(scope));
      else {
        const name = items[at + 1];
        const path = [wordOf(scope), typeof name === 'number' ? name : textOf(name)];
        const write: Write = { path, value: this.#value(items[at + 2]) };
        this.#writes.push(write);
        writes.push(write);
        at += 2;
      }
    }
    return writes;
  }

  #value(item: Json | undefined): Json {
    if (item === undefined) throw new RowError('a value is missing');
    if (!isList(item)) return item;
    const [body = null, headers = null, query = null, method = null, mode = null, id, isNewExecution = null] = item;
    if (item.length === 1) return body;
    const executionId = id === 0 ? this.#named.executionId : textOf(id);
    return { body, headers, query, method, mode, executionId, isNewExecution };
  }

  #scopes(item: Json | undefined, before: JsonObject | undefined): JsonObject {
    if (!isList(item)) return standing<JsonObject>(item);
    const variables: { [scope: string]: Json } = {};
    for (let at = 0; at < item.length; at += 2) {
      const scope = nameOf(wordOf(item[at]));
      variables[scope] = this.#scope(scope, item[at + 1], before);
    }
    return variables;
  }

  #scope(scope: string, item: Json | undefined, before: JsonObject | undefined): Json {
    if (item === scopes.asItBegan) return this.#value(before?.[scope]);
    if (item === scopes.noError) return { cause: null, message: null, nodeId: null, attempt: null };
    const list = listOf(item);
    if (scope === '$context' || scope === '$webhook') return this.#names(list);
    const [id = null, names = null] = list;
    return list.length === 2 ? { id, names, phone: id, phoneNumber: id } : id;
  }

  #names(items: List): Json {
    if (items[0] === names.asItStands) return items[1] ?? null;
    const variables: { [name: string]: Json } = {};
    for (let at = 0; at < items.length; at += 1) {
      const item = items[at];
      if (item === names.ownId) variables['executionId'] = this.#named.executionId;
      else if (typeof item === 'number') {
        const { path, value } = this.#writes[item] ?? {};
        variables[nameOf(path?.[1])] = this.#written(value);
      } else variables[nameOf(item)] = this.#value(items[(at += 1)]);
    }
    return variables;
  }

  #written(value: Json | undefined): Json {
    if (value === undefined) throw new RowError('it refers to a write that it does not have');
    return value;
  }

  #visits(counts: List): ExecutionState['visits'] {
    const visits: { [nodeId: string]: number } = {};
    for (const [index, count] of counts.entries()) visits[nameOf(this.#nodes[index])] = numberOf(count);
    return visits;
  }

  #visit([nodeId, number, attempt, at, ...results]: List): NonNullable<ExecutionState['visit']> {
    return {
      nodeId: textOf(nodeId),
      number: numberOf(number),
      attempt: numberOf(attempt),
      atMs: this.#instant(at),
      results: results.map((one) => standing<Settled>(one)),
      contextUpdates: [],
    };
  }

  #pending(item: Json | undefined): NonNullable<ExecutionState['pending']> {
    type Pending = NonNullable<ExecutionState['pending']>;
    if (!isList(item)) return standing<Pending>(item);
    const [attempt, limitMs, limitCause] = item;
    if (this.#effect === undefined) throw new RowError('it refers to an effect that it does not have');
    const { key, nodeId, type, request } = this.#effect;
    const limit = { limitMs: numberOf(limitMs), limitCause: standing<Pending['limitCause']>(limitCause) };
    return { key, nodeId, attempt: numberOf(attempt), type, request, ...limit };
  }
}

type OpenWait = NonNullable<ExecutionState['wait']>;

function waitOf(item: Json | undefined, visitAtMs: number | undefined): OpenWait {
  if (!isList(item)) return standing<OpenWait>(item);
  const [id, kind, nodeId, openedAtMs, dueAtMs, onDue, takesReply] = item;
  return {
    id: textOf(id),
    kind: wordOf(kind) as OpenWait['kind'],
    nodeId: textOf(nodeId),
    openedAtMs: numberOf(openedAtMs === null ? visitAtMs : openedAtMs),
    dueAtMs: dueAtMs === null ? null : numberOf(dueAtMs),
    onDue: wordOf(onDue) as OpenWait['onDue'],
    takesReply: takesReply === true,
  };
}

const nothing: Pick<ExecutionState, 'said' | 'answered' | 'keptRequests'> = {};

/** The state as far as it can be checked here. */
function stateOf(state: ExecutionState): ExecutionState {
  if (!executionStatuses.includes(state.status)) throw new RowError('it has no status');
  return state;
}

const isList = (item: Json | undefined): item is List => Array.isArray(item);

function listOf(item: Json | undefined): List {
  if (!isList(item)) throw new RowError('a list is missing');
  return item;
}

function textOf(item: Json | undefined): string {
  if (typeof item !== 'string') throw new RowError('a text is missing');
  return item;
}

function numberOf(item: Json | undefined): number {
  if (typeof item !== 'number') throw new RowError('a number is missing');
  return item;
}

const wordOf = (item: Json | undefined): string => textOf(typeof item === 'number' ? words[item] : item);

/** A name under which a value can be set. */
function nameOf(item: Json | undefined): string {
  if (item === '__proto__') throw new RowError('it has a name that is none');
  return textOf(item);
}

/** An object as the engine gave it: it has more or less than the shape that has a list, and the checksum says that nobody changed it. */
function standing<Value extends object>(item: Json | undefined): Value {
  if (typeof item !== 'object' || item === null || isList(item)) throw new RowError('an object is missing');
  return item as unknown as Value;
}
