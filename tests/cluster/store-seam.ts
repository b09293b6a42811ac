import { type CanvasStore, type Commit, type ExecutionStore, HiloError, type Leases } from '@hilo/engine/contract';
import type { Faults } from './faults.ts';
import type { Arrival, Gate } from './gate.ts';
import type { RareState } from './rare-states.ts';
import type { SharedExecutionStore } from './shared-store.ts';

/** How long a process waits for a store that does not answer. */
const patienceMs = 5_000;

/** What changes something, and thus needs room on the disk. */
const writes: ReadonlySet<string> = new Set(['commit', 'countCrashes', 'clearCrashCounts', 'saveDraft', 'publish', 'join', 'post']);

/** Between a process and its stores. */
export interface StoreSeam {
  readonly gate: Gate;
  readonly faults: Faults;
  /** Whether the disk is full at this instant. */
  readonly isDiskFull: () => boolean;
  /** Called before the process learns that it was declared dead. */
  readonly onLost: () => void;
  /** Told before the process is that lanes are its own. */
  readonly onGained: () => void;
  readonly onRare: (state: RareState) => void;
}

/** The store as a process reaches it across the seam: at times slow, failing, or never answering. */
export function executionStoreAcross(seam: StoreSeam, store: SharedExecutionStore): ExecutionStore {
  const { leases, me, ...calls } = store;
  const across = acrossSeam(seam, calls);
  const commit = (one: Commit) => across.commit(one, me?.());
  return { ...across, commit, ...(leases !== undefined && { leases: leasesAcross(seam, leases) }) };
}

/** The store of canvases as a process has it across the seam. */
export const canvasStoreAcross = (seam: StoreSeam, store: CanvasStore): CanvasStore => acrossSeam(seam, store);

/** Local knowledge about lanes needs no call. */
function leasesAcross(seam: StoreSeam, leases: Leases): Leases {
  const { join, post } = acrossSeam(seam, { join: leases.join, post: leases.post });
  return {
    ...leases,
    post,
    join: (listener) =>
      join({
        ...listener,
        onGained(lanes) {
          seam.onGained(); // it may again do what it did before another owned the lane
          listener.onGained(lanes);
        },
        onLost() {
          seam.onLost();
          listener.onLost();
        },
      }),
  };
}

type Call = (...args: readonly unknown[]) => Promise<unknown>;

/** The same object, each of its functions a call across the seam. */
function acrossSeam<Store extends object>(seam: StoreSeam, store: Store): Store {
  const calls = Object.entries(store).map(([name, call]: [string, Call]) => [
    name,
    (...args: readonly unknown[]) =>
      seam.gate.cross(labelOf(name, args), () => arrive(seam, name, async () => Reflect.apply(call, store, args))),
  ]);
  return Object.fromEntries(calls) as Store; // every function of the store in its place, with its own arguments and answer
}

async function arrive<Result>(
  { gate, faults, isDiskFull, onRare }: StoreSeam,
  name: string,
  perform: () => Promise<Result>,
): Promise<Arrival<Result>> {
  if (faults.strikes('store error before')) return unavailable(`The store was told to fail at "${name}"`);
  if (writes.has(name) && isDiskFull()) {
    onRare('write on a full disk refused');
    return unavailable(`The disk is full, says "${name}"`);
  }
  try {
    const value = await perform();
    if (gate.isShut() && name === 'commit') onRare('commit of a dead process took place');
    if (faults.strikes('store error after')) return unavailable(`The store was told to fail after "${name}"`);
    if (faults.strikes('lost reply')) {
      if (name === 'commit') onRare('answer of a commit lost');
      return unavailable(`The store did not answer to "${name}"`, patienceMs);
    }
    const delayMs = faults.strikes('slow store') ? faults.dice('slow store').between(1, 2_000) : 0;
    return { kind: 'answer', value, delayMs };
  } catch (error) {
    return { kind: 'failure', error };
  }
}

const unavailable = (reason: string, delayMs = 0): Arrival<never> => ({
  kind: 'failure',
  error: new HiloError('STORE_UNAVAILABLE', { reason }),
  delayMs,
});

/** Short, and different for calls that differ. */
function labelOf(name: string, args: readonly unknown[]): string {
  if (name === 'commit') return `commit ${commitText(args[0] as Commit)}`;
  return `${name} ${args.map((arg) => (typeof arg === 'string' || typeof arg === 'number' ? String(arg) : '…')).join(' ')}`;
}

const commitText = ({ saves, enqueue, dequeue, seen }: Commit): string =>
  [
    ...saves.map(({ executionId, revision, state }) => `${executionId.slice(0, 6)}:${revision} ${state.status}`),
    ...enqueue.map(({ accepted }) => `+${accepted.kind}`),
    ...dequeue.map(({ seq }) => `-${seq}`),
    ...(seen?.keys ?? []),
  ].join(' ');
