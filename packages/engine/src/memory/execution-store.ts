// Executions in memory, the model for every other store.
import { type Contact, keepsLane, nodeOfWait } from '../contract/execution.ts';
import { hasPhone, otherSpellings, personOf } from '../contract/phone-spellings.ts';
import type { Json } from '../contract/json.ts';
import type {
  Commit,
  Committed,
  ContactChange,
  DueWait,
  ExecutionRecord,
  ExecutionStore,
  HeldSignal,
  HistoryRecord,
  InboxItem,
  StandingExecution,
  UnfinishedLane,
} from '../contract/store.ts';
import { createPacker, type PackedRecord, unpack } from './packed-history.ts';
import { isInternal } from '../contract/event.ts';

/** Rows by company, then by id. A combined key would have to be built and hashed at every look-up. */
type Table<Row> = Map<string, Map<string, Row>>;

function put<Row>(table: Table<Row>, companyId: string, id: string, row: Row): void {
  const rows = table.get(companyId);
  if (rows === undefined) table.set(companyId, new Map([[id, row]]));
  else rows.set(id, row);
}

/** Contacts of a bot. */
interface Users {
  readonly contacts: Map<string, Contact>;
  /** Users by their phone number and their BSUID. */
  readonly aliases: Map<string, string>;
}

/** An execution and its history. */
interface ExecutionRow {
  record: ExecutionRecord;
  /** The record of its history that was committed last. */
  history: PackedRecord | undefined;
}

/** All tables of the store. */
const createTables = () => ({
  executions: new Map() as Table<ExecutionRow>,
  /** By company and bot. */
  users: new Map() as Table<Users>,
  people: new Map<string, Person>(),
  queue: createMemoryQueue(),
  /** Executions that block their lane: those with a pending effect. */
  unsettled: new Set<ExecutionRow>(),
  crashCounts: new Map<string, number>(),
  held: new Map<string, HeldSignal>(),
  seen: new Map<string, { readonly untilMs: number; readonly answer: Json }>(),
  /** Executions in an open wait with a due time, and those that accept a reply, so that no look-up scans all. */
  dated: new Map<string, ExecutionRecord>(),
  listening: new Map<string, Map<string, ExecutionRecord>>(),
});
type Tables = ReturnType<typeof createTables>;

/** The in-memory {@link ExecutionStore}: the model for every other, a method each. Keeps all of it until the process ends. */
export function createMemoryStore(): ExecutionStore {
  const tables = createTables();
  const pack = createPacker();

  /** The row read last: an advance reads it repeatedly, and a look-up in a large table misses the processor's caches. */
  let last: ExecutionRow | undefined;
  const findRow = ({ companyId, executionId }: Pick<ExecutionRecord, 'companyId' | 'executionId'>): ExecutionRow | undefined => {
    if (last?.record.executionId === executionId && last.record.companyId === companyId) return last;
    return (last = tables.executions.get(companyId)?.get(executionId));
  };

  const commit = ({ saves, history, contacts, enqueue, dequeue, hold = none, seen, claims }: Commit): Committed => {
    for (const key of seen?.keys ?? []) {
      const repeated = tables.seen.get(key);
      if (repeated !== undefined) return { kind: 'duplicate', answer: repeated.answer };
    }
    if (claims?.keys.some((key) => tables.seen.has(key)) === true) return { kind: 'conflict' };
    const rows = saves.map(findRow);
    for (let index = 0; index < saves.length; index += 1)
      if ((rows[index]?.record.revision ?? 0) + 1 !== saves[index]?.revision) return { kind: 'conflict' };
    for (const { seq } of dequeue) if (!tables.queue.has(seq)) return { kind: 'conflict' };

    for (let index = 0; index < saves.length; index += 1) last = save(tables, saves[index] as ExecutionRecord, rows[index]);
    for (let index = 0; index < history.length; index += 1) {
      const record = history[index] as HistoryRecord;
      const row = findRow(record);
      if (row !== undefined) row.history = pack(record, row.history);
    }
    for (const change of contacts) changeContact(tables, change);
    for (const { seq } of dequeue) tables.queue.delete(seq);
    for (const one of hold) tables.held.set(rowKey(one.companyId, one.id), one);
    for (const key of seen?.keys ?? []) tables.seen.set(key, { untilMs: seen?.untilMs ?? 0, answer: seen?.answer ?? null });
    for (const key of claims?.keys ?? []) tables.seen.set(key, { untilMs: claims?.untilMs ?? 0, answer: null });
    return { kind: 'committed', seqs: enqueue.length === 0 ? none : enqueue.map(tables.queue.add) };
  };

  return {
    commit,
    load: (companyId, executionId) => findRow({ companyId, executionId })?.record,
    history: async (companyId, executionId) => {
      const whose = { companyId, executionId };
      return unpack(whose, findRow(whose)?.history);
    },
    ...createLists(tables),
    ...createContactReads(tables),
    ...createSignalReads(tables),
    ...createReplyReads(tables),
    ...createTimerReads(tables),
    ...createLaneReads(tables),
  };
}

/** Executions of a company, page by page. */
const createLists = (tables: Tables): Pick<ExecutionStore, 'list' | 'standing'> => ({
  async list(companyId, { workflowId, status, userId, limit, cursor }) {
    const fits = [...(tables.executions.get(companyId)?.values() ?? [])]
      .reverse()
      .map(({ record }) => record)
      .filter(
        (record) =>
          (workflowId === undefined || record.workflowId === workflowId) &&
          (status === undefined || record.state.status === status) &&
          (userId === undefined || record.state.origin.userId === userId),
      );
    const from = cursor === undefined ? 0 : fits.findIndex(({ executionId }) => executionId === cursor) + 1;
    const results = fits.slice(from, from + limit);
    return { results, nextCursor: from + limit < fits.length ? (results.at(-1)?.executionId ?? null) : null };
  },
  async standing(companyId, workflowId, limit, after = '0') {
    const results: StandingExecution[] = [];
    let place = 0; // among all of the company, which stays what it is
    for (const { record } of tables.executions.get(companyId)?.values() ?? []) {
      place += 1;
      if (place <= Number(after) || record.workflowId !== workflowId || !openStatuses.has(record.state.status)) continue;
      if (results.length === limit) return { results, nextCursor: String(place - 1) };
      results.push(standingOf(record));
    }
    return { results, nextCursor: null };
  },
});

/** What is known of users, by any of their ids. */
const createContactReads = (tables: Tables): Pick<ExecutionStore, 'contact' | 'person'> => ({
  contact(companyId, botId, ids) {
    const users = tables.users.get(companyId)?.get(botId);
    if (users === undefined) return undefined;
    for (const id of ids) {
      const contact = findContact(users, id);
      if (contact !== undefined) return addPerson(tables, companyId, contact);
    }
    for (const id of ids.flatMap(otherSpellings)) {
      const contact = findContact(users, id);
      if (contact !== undefined && ids.some((named) => hasPhone(contact, named))) return addPerson(tables, companyId, contact);
    }
    return undefined;
  },
  person: (companyId, userId) => tables.people.get(rowKey(companyId, personOf(userId))) ?? {},
});

/** Signals that came before anything awaited them, and executions that await one. */
const createSignalReads = (
  tables: Tables,
): Pick<ExecutionStore, 'heldSignals' | 'countHeldSignals' | 'awaitedSignals' | 'dropHeldSignal' | 'awaitingSignal'> => ({
  heldSignals: async (companyId, name, correlation) =>
    [...tables.held.values()]
      .filter((one) => one.companyId === companyId && one.name === name && one.correlation === correlation)
      .sort((a, b) => a.heldAtMs - b.heldAtMs || (a.id < b.id ? -1 : 1)),
  countHeldSignals: async (companyId, atMs) =>
    [...tables.held.values()].filter((one) => one.companyId === companyId && one.untilMs > atMs).length,
  async awaitedSignals() {
    const isAwaited = ({ companyId, name, correlation }: HeldSignal): boolean =>
      [...(tables.executions.get(companyId)?.values() ?? [])].some(
        ({ record: { state } }) =>
          state.status === 'waiting' && state.wait?.correlation?.name === name && state.wait.correlation.value === correlation,
      );
    return [...tables.held.values()].filter(isAwaited);
  },
  async dropHeldSignal(companyId, id) {
    tables.held.delete(rowKey(companyId, id));
  },
  awaitingSignal: async (companyId, name, value) =>
    [...(tables.executions.get(companyId)?.values() ?? [])]
      .map(({ record }) => record)
      .filter(
        ({ state: { status, wait } }) => status === 'waiting' && wait?.correlation?.name === name && wait.correlation.value === value,
      ),
});

/** Executions that accept a reply of a user. */
const createReplyReads = (tables: Tables): Pick<ExecutionStore, 'awaitingReply' | 'awaitingReplies'> => ({
  async awaitingReply(companyId, botId, userId) {
    let latest: ExecutionRecord | undefined;
    for (const record of tables.listening.get(rowKey(companyId, botId, userId))?.values() ?? []) {
      if ((record.state.wait?.openedAtMs ?? 0) >= (latest?.state.wait?.openedAtMs ?? 0)) latest = record;
    }
    return latest;
  },
  async awaitingReplies(companyId, botId, userId) {
    const open = [...(tables.listening.get(rowKey(companyId, botId, userId))?.values() ?? [])].reverse(); // the last commit first
    return open.sort((a, b) => (b.state.wait?.openedAtMs ?? 0) - (a.state.wait?.openedAtMs ?? 0)).slice(0, 50);
  },
});

/** Open waits that have a due time. */
const createTimerReads = (tables: Tables): Pick<ExecutionStore, 'due' | 'companiesWithTimers' | 'nextDueMs'> => ({
  async due(atMs, limit, fromMs = 0, ofCompany) {
    const waits = [...tables.dated.values()].flatMap(({ companyId, executionId, lane, state: { wait } }): readonly DueWait[] =>
      wait === undefined || wait.dueAtMs === null || wait.dueAtMs > atMs || wait.dueAtMs < fromMs || (ofCompany ?? companyId) !== companyId
        ? []
        : [{ companyId, executionId, lane, waitId: wait.id, dueAtMs: wait.dueAtMs }],
    );
    return waits.sort((a, b) => a.dueAtMs - b.dueAtMs).slice(0, limit);
  },
  async companiesWithTimers(atMs, after, limit) {
    const companies = new Map<string, boolean>();
    for (const { companyId, state } of tables.dated.values())
      if (companyId > after)
        companies.set(companyId, companies.get(companyId) === true || (state.wait?.dueAtMs ?? Number.POSITIVE_INFINITY) <= atMs);
    return Array.from(companies, ([companyId, isDue]) => ({ companyId, isDue }))
      .sort((a, b) => (a.companyId < b.companyId ? -1 : 1))
      .slice(0, limit);
  },
  async nextDueMs(fromMs = 0) {
    let earliest: number | undefined;
    for (const { state } of tables.dated.values()) {
      const dueAtMs = state.wait?.dueAtMs ?? undefined;
      if (dueAtMs !== undefined && dueAtMs >= fromMs && (earliest === undefined || dueAtMs < earliest)) earliest = dueAtMs;
    }
    return earliest;
  },
});

/** What lanes have left to do, and how often each has ended its process. */
const createLaneReads = (
  tables: Tables,
): Pick<
  ExecutionStore,
  'nextQueued' | 'unfinished' | 'unfinishedIn' | 'seenAnswer' | 'crashCounts' | 'countCrashes' | 'clearCrashCounts'
> => ({
  nextQueued: async (lane, filter) => tables.queue.next(lane, filter),
  async unfinished(after, limit) {
    const ofUnsettled = Array.from(tables.unsettled, ({ record }) => record.lane);
    const lanes = new Set([...ofUnsettled, ...tables.queue.lanes()].filter((lane) => lane > after));
    return [...lanes]
      .sort()
      .slice(0, limit)
      .map((lane) => unfinishedIn(tables, lane));
  },
  unfinishedIn: async (lane) => unfinishedIn(tables, lane),
  async seenAnswer(keys) {
    const row = keys.map((key) => tables.seen.get(key)).find((found) => found !== undefined);
    return row === undefined ? undefined : { answer: row.answer };
  },
  crashCounts: async (lanes) =>
    new Map(lanes.flatMap((lane) => (tables.crashCounts.has(lane) ? [[lane, tables.crashCounts.get(lane) ?? 0] as const] : []))),
  async countCrashes(lanes) {
    for (const lane of lanes) tables.crashCounts.set(lane, (tables.crashCounts.get(lane) ?? 0) + 1);
  },
  async clearCrashCounts(lanes) {
    for (const lane of lanes) tables.crashCounts.delete(lane);
  },
});

const openStatuses: ReadonlySet<ExecutionRecord['state']['status']> = new Set(['running', 'waiting', 'quarantined'] as const);

/** What the row of an execution says of where it stands. */
export const standingOf = ({ executionId, lane, version, updatedAtMs, state: { status, wait } }: ExecutionRecord): StandingExecution => ({
  executionId,
  lane,
  version,
  status,
  waitNodeId: status === 'waiting' && wait !== undefined ? nodeOfWait(wait.id) : null,
  sinceMs: updatedAtMs,
});

const none: readonly never[] = [];

/** Ids hold no NUL, so that parts never run into each other. */
const rowKey = (...parts: readonly string[]): string => parts.join('\0');

function unfinishedIn({ executions, unsettled, queue }: Tables, lane: string): UnfinishedLane {
  const records = Array.from(unsettled, ({ record }) => record).filter((record) => record.lane === lane);
  return { lane, unsettled: records.length < 2 ? records : sortByAcceptance(executions, records), queued: queue.count(lane) };
}

/** Sorts by the order in which executions were first saved, which is that of the table. */
function sortByAcceptance(executions: Tables['executions'], records: readonly ExecutionRecord[]): readonly ExecutionRecord[] {
  const ids = new Set(records.map(({ executionId }) => executionId));
  const company = executions.get(records[0]?.companyId ?? '')?.keys() ?? [];
  const order = [...company].filter((id) => ids.has(id));
  return records.toSorted((a, b) => order.indexOf(a.executionId) - order.indexOf(b.executionId));
}

/** @param found - the row of the execution, if there is one */
function save(tables: Tables, record: ExecutionRecord, found: ExecutionRow | undefined): ExecutionRow {
  const row = found ?? { record, history: undefined };
  const before = found?.record.state;
  if (found === undefined) put(tables.executions, record.companyId, record.executionId, row);
  else found.record = record;
  if (keepsLane(record.state)) tables.unsettled.add(row);
  else tables.unsettled.delete(row);
  // An execution that neither waits nor waited is in no index of waits.
  if (record.state.wait !== undefined || before?.wait !== undefined) indexWaits(tables, record);
  return row;
}

function indexWaits(tables: Tables, record: ExecutionRecord): void {
  const key = rowKey(record.companyId, record.executionId);
  const { wait, origin } = record.state;
  if (wait?.dueAtMs === undefined || wait.dueAtMs === null || record.state.status !== 'waiting') tables.dated.delete(key);
  else tables.dated.set(key, record);
  const { botId, userId } = origin;
  if (botId === undefined || userId === undefined) return;
  const user = rowKey(record.companyId, botId, userId);
  const listening = tables.listening.get(user);
  if (wait?.takesReply === true && record.state.status === 'waiting') {
    listening?.delete(key); // the wait that was committed last comes last
    if (listening === undefined) tables.listening.set(user, new Map([[key, record]]));
    else listening.set(key, record);
  } else if (listening?.delete(key) === true && listening.size === 0) tables.listening.delete(user);
}

/** A contact with its change applied. @param known - of one who is new to the bot, what is said of the person for every bot */
export function applyContactChange(known: Partial<Contact> | undefined, change: ContactChange): Contact {
  const { botId, userId, names, phone, bsuid, timeZone, locale, windowUntilMs, memory } = change;
  const remembered = { ...known?.memory };
  for (const [name, entry] of Object.entries(memory ?? {})) {
    if (entry === null) delete remembered[name];
    else remembered[name] = entry;
  }
  return {
    botId,
    userId,
    names: names ?? known?.names ?? null,
    phone: phone ?? known?.phone ?? null,
    bsuid: bsuid ?? known?.bsuid ?? null,
    timeZone: timeZone ?? known?.timeZone ?? null,
    locale: locale ?? known?.locale ?? null,
    windowUntilMs: windowUntilMs === undefined ? (known?.windowUntilMs ?? null) : Math.max(windowUntilMs, known?.windowUntilMs ?? 0),
    memory: remembered,
    ...applyPersonChange(known ?? {}, change),
  };
}

/** What is known of a person, for every bot. */
type Person = Pick<Contact, 'fields' | 'marketing'>;

const addPerson = ({ people }: Tables, companyId: string, contact: Contact): Contact => {
  const person = people.size === 0 ? undefined : people.get(rowKey(companyId, personOf(contact.userId)));
  return person === undefined ? contact : { ...contact, ...person };
};

const findContact = ({ contacts, aliases }: Users, id: string): Contact | undefined =>
  contacts.get(id) ?? contacts.get(aliases.get(id) ?? '');

function changePerson({ people }: Tables, change: ContactChange): void {
  if (change.fields === undefined && change.consent === undefined) return;
  const key = rowKey(change.companyId, personOf(change.userId));
  people.set(key, applyPersonChange(people.get(key) ?? {}, change));
}

/** What is known of a person, with a change applied: `null` removes a field. */
function applyPersonChange(known: Person, { fields, consent }: Pick<ContactChange, 'fields' | 'consent'>): Person {
  const after = Object.entries({ ...known.fields, ...fields }).filter(([, value]) => value !== null);
  const marketing = consent?.marketing ?? known.marketing;
  return { ...(after.length > 0 && { fields: Object.fromEntries(after) }), ...(marketing !== undefined && { marketing }) };
}

/** Applies a change; every id of the user leads to the same contact (UID-04, UID-06). */
function changeContact(tables: Tables, change: ContactChange): void {
  const { companyId, botId, userId } = change;
  const users = tables.users.get(companyId)?.get(botId) ?? { contacts: new Map<string, Contact>(), aliases: new Map<string, string>() };
  put(tables.users, companyId, botId, users);
  const known = users.contacts.get(userId);
  const { fields: _fields, consent: _consent, ...ofBot } = change;
  const contact = applyContactChange(known, ofBot);
  changePerson(tables, change);
  users.contacts.set(userId, contact);
  for (const [before, now] of [
    [known?.phone, contact.phone],
    [known?.bsuid, contact.bsuid],
  ]) {
    if (before !== now && users.aliases.get(before ?? '') === userId) users.aliases.delete(before ?? '');
    if (typeof now === 'string' && !users.aliases.has(now)) users.aliases.set(now, userId);
  }
}

/** Accepted items without a consequence yet, by lane. */
function createMemoryQueue() {
  /** Of each lane two queues, each in order: internal items come first. */
  const lanes = new Map<string, Record<'internal' | 'others', Map<number, InboxItem>>>();
  const laneBySeq = new Map<number, string>();
  let lastSeq = 0;
  return {
    /** @returns its number */
    add(queued: Omit<InboxItem, 'seq'>): number {
      lastSeq += 1;
      const { lane } = queued;
      const lines = lanes.get(lane) ?? { internal: new Map<number, InboxItem>(), others: new Map<number, InboxItem>() };
      lanes.set(lane, lines);
      laneBySeq.set(lastSeq, lane);
      (isInternal(queued) ? lines.internal : lines.others).set(lastSeq, { ...queued, seq: lastSeq });
      return lastSeq;
    },
    has: (seq: number): boolean => laneBySeq.has(seq),
    delete(seq: number): void {
      const lane = laneBySeq.get(seq) ?? '';
      const lines = lanes.get(lane);
      if (lines === undefined) return;
      laneBySeq.delete(seq);
      lines.internal.delete(seq);
      lines.others.delete(seq);
      if (lines.internal.size + lines.others.size === 0) lanes.delete(lane);
    },
    next(lane: string, filter?: { readonly isInternal: true }): InboxItem | undefined {
      const { internal, others } = lanes.get(lane) ?? {};
      const [first] = internal?.values() ?? [];
      if (first !== undefined || filter !== undefined) return first;
      const [other] = others?.values() ?? [];
      return other;
    },
    count(lane: string): number {
      const { internal, others } = lanes.get(lane) ?? {};
      return (internal?.size ?? 0) + (others?.size ?? 0);
    },
    lanes: (): Iterable<string> => lanes.keys(),
  };
}
