// Records of executions, for tests of stores.
import fc from 'fast-check';
import type {
  Commit,
  Committed,
  ContactChange,
  ExecutionRecord,
  ExecutionState,
  ExecutionStore,
  HistoryRecord,
  InboxItem,
  JsonObject,
  OpenWait,
  PendingEffect,
} from '@hilo/engine/contract';
import { initialState } from '@hilo/engine/debug';

/** What matters of an execution in a test of a store. */
export interface RecordParts {
  readonly id?: string;
  readonly companyId?: string;
  readonly workflowId?: string;
  readonly version?: number | 'draft';
  readonly botId?: string;
  readonly userId?: string;
  readonly revision?: number;
  readonly lane?: string;
  readonly status?: ExecutionState['status'];
  readonly createdAtMs?: number;
  readonly variables?: JsonObject;
  readonly parent?: ExecutionRecord['parent'] & {};
  readonly wait?: Partial<OpenWait>;
  readonly pending?: Partial<PendingEffect>;
}

/** An execution as the engine would save it. */
export function executionRecord({
  id = 'e1',
  companyId = 'c1',
  workflowId = 'w1',
  version = 1,
  revision = 1,
  createdAtMs = 1_000,
  ...parts
}: RecordParts = {}): ExecutionRecord {
  const { botId = 'b1', userId = 'u1', wait, pending, variables = {}, parent } = parts;
  const state = initialState({
    executionId: id,
    rootId: id,
    origin: { companyId, botId, userId, channel: 'whatsapp', route: 'production' },
    depth: 0,
    seed: '00',
    startedAtMs: createdAtMs,
    canvasHash: 'hash',
    variables,
    defaults: {},
  });
  return {
    executionId: id,
    companyId,
    workflowId,
    version,
    revision,
    lane: parts.lane ?? `${companyId}/user/${botId}/${userId}`,
    createdAtMs,
    updatedAtMs: createdAtMs + revision,
    ...(parent !== undefined && { parent }),
    state: {
      ...state,
      status: parts.status ?? (wait === undefined ? 'running' : 'waiting'),
      ...(wait !== undefined && { wait: openWait(id, wait) }),
      ...(pending !== undefined && { pending: pendingEffect(id, pending) }),
    },
  };
}

/** A wait for a reply without a deadline, by default. */
const openWait = (executionId: string, parts: Partial<OpenWait> = {}): OpenWait => ({
  id: `${executionId}#wait`,
  kind: 'reply',
  nodeId: 'n1',
  openedAtMs: 1_000,
  dueAtMs: null,
  onDue: 'timeout',
  takesReply: parts.kind === undefined || parts.kind === 'reply',
  ...parts,
});

const pendingEffect = (executionId: string, parts: Partial<PendingEffect>): PendingEffect => ({
  key: `${executionId}#effect`,
  nodeId: 'n1',
  attempt: 1,
  type: 'http.request',
  request: { url: 'https://api.example' },
  limitMs: 60_000,
  limitCause: { cause: 'TIMEOUT', message: 'No answer' },
  ...parts,
});

/** Something accepted for an execution. */
export const accepted = (executionId: string, companyId = 'c1'): Omit<InboxItem, 'seq'> => ({
  companyId,
  lane: `${companyId}/user/b1/u1`,
  acceptedAtMs: 1_000,
  accepted: { kind: 'child.ended', executionId, waitId: 'w', result: {} },
});

/** What users wrote is after what comes from the family of executions itself. */
export const acceptedMessage = (text: string, companyId = 'c1'): Omit<InboxItem, 'seq'> => ({
  ...accepted('', companyId),
  accepted: { kind: 'message', botId: 'b1', userId: 'u1', message: { type: 'text', text } },
});

/** A line of the history of an execution. */
export const advance = (executionId: string, revision: number, note = '', companyId = 'c1'): HistoryRecord => ({
  companyId,
  executionId,
  revision,
  event: { type: 'execution.cancelled', reason: note, atMs: revision },
  entries: [
    { at: revision, nodeId: 'n1', visitNumber: revision, type: 'set', port: 'next', writes: [{ path: ['$context', 'note'], value: note }] },
  ],
});

/** A change of a contact of bot `b1` of company `c1`, by default. */
export const contactChange = (change: Partial<ContactChange> & { readonly userId: string }): ContactChange => ({
  companyId: 'c1',
  botId: 'b1',
  ...change,
});

/** Commits the given parts, with all others empty. */
export const commit = async (store: ExecutionStore, parts: Partial<Commit>): Promise<Committed> =>
  store.commit({ saves: [], history: [], contacts: [], enqueue: [], dequeue: [], ...parts });

/** Commits something that must succeed. */
export async function commitAll(store: ExecutionStore, parts: Partial<Commit>): Promise<readonly number[]> {
  const committed = await commit(store, parts);
  if (committed.kind !== 'committed') throw new Error(`The commit was answered "${committed.kind}"`);
  return committed.seqs;
}

/** Items of a lane, as a commit names those of which it is the consequence. */
export const queuedItems = (seqs: readonly number[], lane = accepted('').lane): Commit['dequeue'] => seqs.map((seq) => ({ lane, seq }));

/** The items of a lane in queue order, each dequeued. */
export async function takeQueued(store: ExecutionStore, lane = accepted('').lane): Promise<readonly InboxItem[]> {
  const taken: InboxItem[] = [];
  for (;;) {
    const next = await store.nextQueued(lane);
    if (next === undefined) return taken;
    taken.push(next);
    await commitAll(store, { dequeue: [next] });
  }
}

/** How much is queued, in all lanes together. */
export const queuedInAll = async (store: ExecutionStore): Promise<number> =>
  (await store.unfinished('', 1_000)).reduce((sum, { queued }) => sum + queued, 0);

/** Saves executions one after the other. */
export async function saveAll(store: ExecutionStore, ...records: readonly ExecutionRecord[]): Promise<void> {
  for (const record of records) await commitAll(store, { saves: [record] });
}

/** A store under test, and how to let go of it. */
export interface Opened<Store> {
  readonly store: Store;
  close(): Promise<void>;
}

/** Opens a new, empty store. */
export type Open<Store> = () => Promise<Opened<Store>>;

/** How often a property opens a store: 20 times, unless fast-check is configured otherwise. Each takes a disk some milliseconds. */
export const storeRuns = (): { readonly numRuns: number } => ({ numRuns: fc.readConfigureGlobal().numRuns ?? 20 });

/** A test body with a store of its own. */
export const withStore =
  <Store>(open: Open<Store>, test: (store: Store) => Promise<void>) =>
  async (): Promise<void> => {
    const { store, close } = await open();
    try {
      await test(store);
    } finally {
      await close();
    }
  };
