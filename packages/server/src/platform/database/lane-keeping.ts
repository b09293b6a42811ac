import type { CreateLaneRuntime, LaneRuntime } from '@hilo/engine/runtime-kit';
import { HiloError } from '@hilo/engine';
import { type DurableStore, plain } from '@hilo/stores';
import { query } from './schema.ts';
import type { StoreMarker } from './open-store.ts';
import { unended } from './unended.ts';

/** What keeps the lanes of the engine instead of this process and its store: `restateService` of `@hilo/restate`. */
export interface ServiceRuntime {
  /** What the data directory remembers it by. */
  readonly name: string;
  /**
   * Refuses a configuration that could not be started, before anything is created.
   *
   * @param place - whether several processes may share the store that executions are read from
   * @throws {Error} one sentence that says what to do
   */
  check(place: { readonly hasOthers: boolean }): Promise<void>;
  /** The store as what executions are read from. */
  asReadModel(store: DurableStore): DurableStore;
  /**
   * @param place - a directory for the runtime, and the name of the store beside it; `hasOpenWork` says whether that store has open
   *   executions: they would stall beside an empty directory; `sealKey` is what the runtime proves with that its own processes ask it,
   *   derived from the master key, which all processes of a store share
   */
  create(place: {
    readonly directory: string;
    readonly store: string;
    readonly hasOpenWork: () => Promise<boolean>;
    readonly sealKey: Uint8Array;
  }): CreateLaneRuntime;
}

const openExecutions = query({}, {}, (db) => db.selectFrom('executions').select('execution_id').where('status', 'in', unended).limit(1));
const openInbox = query({}, {}, (db) => db.selectFrom('queue').select('seq').limit(1));
const recordedKeeper = query({}, { value: plain() }, (db) => db.selectFrom('meta').select('value').where('name', '=', 'runtime'));
const recordKeeper = query({ runtime: plain() }, {}, (db, { runtime }) =>
  db
    .insertInto('meta')
    .values({ name: 'runtime', value: runtime })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(({ ref }) => ({ value: ref('excluded.value') }))),
);

/** What keeps the lanes of a store: noted beside a file, or in a shared store. `undefined`: the store's own processes. */
export async function readKeeper(
  { runner, durability }: Pick<DurableStore, 'runner' | 'durability'>,
  { runtime }: Pick<StoreMarker, 'runtime'>,
): Promise<string | undefined> {
  if (durability.database === 'sqlite') return runtime;
  return (await runner.readOne(recordedKeeper({})))?.value || undefined;
}

/** Remembers what keeps the lanes from now on. */
export async function writeKeeper(
  { runner, durability }: Pick<DurableStore, 'runner' | 'durability'>,
  marker: Pick<StoreMarker, 'keptBy'>,
  runtime: string | undefined,
): Promise<void> {
  if (durability.database === 'sqlite') return marker.keptBy(runtime);
  await runner.write([recordKeeper({ runtime: runtime ?? '' })]);
}

/**
 * Refuses another runtime than the one that keeps the open executions of a store: they would stall in one, or continue in both.
 *
 * @param keeper - from `readKeeper`
 * @param runs - whether executions are to run; read-only commands may open the store under any runtime
 * @throws {Error} when another runtime keeps the open executions
 */
export async function refuseOtherRuntime(
  { runner }: Pick<DurableStore, 'runner'>,
  keeper: string | undefined,
  { data, asked, runs }: { readonly data: string; readonly asked: string | undefined; readonly runs: boolean },
): Promise<void> {
  if (!runs || keeper === asked || !(await hasOpenWork({ runner }))) return;
  const [has, how] =
    keeper === undefined
      ? ['this process kept without a runtime', 'leave --runtime out']
      : [`the runtime "${keeper}" keeps`, `give --runtime ${keeper}`];
  throw new Error(`${data} holds executions that ${has}: ${how} until they have ended, or begin another data directory with --data`);
}

/** Whether a store has executions that have not ended, or something that was accepted and had no turn yet. */
export async function hasOpenWork({ runner }: Pick<DurableStore, 'runner'>): Promise<boolean> {
  const open = await Promise.all([runner.read(openExecutions({})), runner.read(openInbox({}))]);
  return open.some((rows) => rows.length > 0);
}

/** Replaces the runtime in a command that only reads: what the runtime keeps cannot be changed from here. */
export const absentRuntime =
  (name: string): CreateLaneRuntime =>
  () => {
    const refuse = async (): Promise<never> => {
      throw new HiloError('STORE_UNAVAILABLE', { reason: `The runtime "${name}" keeps these executions: ask the service, while it runs` });
    };
    const idle: LaneRuntime = {
      accept: refuse,
      start: refuse,
      stop: async () => undefined,
      whenIdle: async () => undefined,
      activity: () => ({ working: 0, blocked: 0 }),
    };
    return idle;
  };
