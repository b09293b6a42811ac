// Opens a store in PostgreSQL.
import type { Commit, Committed } from '@hilo/engine/contract';
import type { Client, Pool } from 'pg';
import { type Call, call, type DurableStore, type Extension, type OnUnreadable, type Runner, StoreError } from '@hilo/stores';
import {
  commitWith,
  contactNamed,
  createCanvasStore,
  createContact,
  createExecutionStore,
  duplicate,
  fenceFor,
  forgetByEnd,
  laneQueries,
  listPaused,
  postgresDatabase,
  prune,
  type Sharing,
  unfenced,
} from '@hilo/stores/sql-kit';
import { clockOver, createDatabaseClock, type Interval, systemInterval } from './database-clock.ts';
import { createGroupCommits, maxInFlight } from './group-commits.ts';
import { byKeyAlone } from './group-statement.ts';
import { createLeases, type PostgresLeases } from './leases.ts';
import { memberQueries } from './member-queries.ts';
import { createMembership, type Membership } from './membership.ts';
import { reasonOf } from './postgres-fault.ts';
import { longestMigrationMs, prepareServer } from './prepare-server.ts';
import { createPostgresRunner } from './runner.ts';
import { settingsText } from './server-settings.ts';
import { loadConnections } from './connections.ts';
import { describePlace, explainServerUrl, type Server } from './server-address.ts';

/** Which server, and how it is used. */
export type PostgresOptions = Server & {
  /** The schema that holds the tables, made when it is missing: `hilo`, when left out. */
  readonly schema?: string;
  /** Refuses to begin a new store: for a place where one was (P26). */
  readonly mustExist?: boolean;
  /** Connections at most: 10, when left out. */
  readonly connections?: number;
  /** Tables of others that are to be in the same schema. */
  readonly extensions?: readonly Extension[];
  /** How long a silent member counts as alive: 8 s when left out. */
  readonly leaseMs?: number;
  /** Goes around every write but commits, such as to write more in the same transaction. */
  readonly around?: (runner: Runner) => Runner;
  /** Is told of each execution whose row cannot be read: it is quarantined, and all others go on (P17). */
  readonly onUnreadable?: OnUnreadable;
};

/**
 * Opens a store in PostgreSQL 13 or newer, for any number of processes: those that work side by side join with `executions.leases`. It
 * needs the package `pg`.
 *
 * @throws {StoreError} when the server is unreachable or read-only, or the schema is missing, foreign or newer
 */
export const openPostgresStore = (options: PostgresOptions): Promise<DurableStore> => openShared(systemInterval, options);

/** @param startInterval - the seam through which tests suspend a process */
export async function openShared(
  startInterval: Interval,
  {
    schema = 'hilo',
    mustExist = false,
    connections = 10,
    extensions = [],
    around = (runner) => runner,
    leaseMs = 8_000,
    onUnreadable,
    ...server
  }: PostgresOptions,
): Promise<DurableStore> {
  const place = readPlace(server, schema);
  const { connect, poolWith } = await loadConnections(server, leaseMs);
  const pools: Pool[] = [];
  const openPool = (most: number, settings: string): Pool => {
    const pool = poolWith(most, settings);
    pools.push(pool);
    return pool;
  };
  const endPools = async (): Promise<void> => void (await Promise.all(pools.map((pool) => pool.end())));
  const clock = createDatabaseClock(() => performance.now());
  try {
    const connectOnce = (settings?: string): Client => connect(longestMigrationMs, settings);
    const { settings, durability } = await prepareServer(
      { connect: connectOnce, idleMs: leaseMs },
      clock,
      schema,
      place,
      mustExist,
      extensions,
    );
    const pool = openPool(Math.max(1, connections - keyedConnections), settings);
    const keyed = openPool(keyedConnections, `${settingsText(byKeyAlone)} ${settings}`.trim());
    const queries = memberQueries(schema);
    const membership = createMembership({ pool, queries, clock, startInterval, leaseMs });
    const listening = { connect: () => connect(leaseMs, settings), channel: schema };
    const leases = createLeases({ pool, queries, membership, listening, overdueMs: Math.round(leaseMs / 3) });
    const sharing: Sharing = {
      me: membership.me,
      fence: (saves) => (leases.hasJoined() ? fenceFor(saves, membership.me(), leases.epochOf) : unfenced),
      queries: laneQueries(
        true,
        listPaused(extensions, (name) => `"${schema}".${name}`),
      ),
      leases,
    };
    const runner = createPostgresRunner({ pool, keyed, db: postgresDatabase(schema), schema, membership });
    const outer = around(runner);
    const { commit, commitWithCalls } = createNoticedCommits({ keyed, schema, membership, leases, fence: sharing.fence, runner });
    return {
      executions: {
        ...createExecutionStore(
          runner,
          sharing,
          async (named) => createContact(await runner.read(call(contactNamed, named))),
          onUnreadable,
        ),
        commit,
      },
      canvases: createCanvasStore(outer, { database: 'postgres' }),
      runner: outer,
      commitWith: commitWithCalls,
      durability,
      clock: (system) => clockOver(clock, system),
      visit: () => leases.visit(),
      prune: (retention) => prune(runner, retention, forgetByEnd),
      close: once(async () => {
        // Without an answer, the others find out by themselves.
        await leases.leave().catch(() => undefined);
        await endPools();
      }),
    };
  } catch (error) {
    await endPools();
    if (error instanceof StoreError || error instanceof TypeError) throw error;
    throw new StoreError('STORE_UNREACHABLE', { place, reason: reasonOf(error) }, { cause: error });
  }
}

/** Where the store is, as errors name it. @throws {RangeError | StoreError} for what names no place */
function readPlace(server: Server, schema: string): string {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) throw new RangeError(`"${schema}" is no name of a schema: a to z, digits and "_"`);
  if (!('url' in server) && typeof server.pool?.options !== 'object') throw new RangeError('Give a url, or a pool of the package pg');
  const place = `${describePlace(server)}, schema ${schema}`;
  const wrong = 'url' in server ? explainServerUrl(server.url) : undefined;
  if (wrong !== undefined) throw new StoreError('STORE_UNREACHABLE', { place, reason: `its address ${wrong}` });
  return place;
}

interface CommitParts extends Pick<Sharing, 'fence'> {
  /** Connections with the settings of a group. */
  readonly keyed: Pool;
  readonly schema: string;
  readonly membership: Membership;
  readonly leases: PostgresLeases;
  readonly runner: Runner;
}

/** Commits, in groups where they can be, that tell other processes of items for their lanes. */
function createNoticedCommits({ keyed, schema, membership, leases, fence, runner }: CommitParts) {
  const groups = createGroupCommits({
    pool: keyed,
    schema,
    membership,
    fence,
    commitAlone: (one, fenceOfOne) => commitWith(runner, fenceOfOne, one),
    duplicate: (one) => duplicate(runner, one),
  });
  /** A process that is no member tells nobody: the others find the items by themselves. */
  const withNotices = async (one: Commit, committing: Promise<Committed>): Promise<Committed> => {
    const committed = await committing;
    const lanes = one.enqueue.map(({ lane }) => lane).filter((lane) => !leases.isOurs(lane));
    if (committed.kind === 'committed' && lanes.length > 0 && membership.me() !== 0) leases.notifyQueued(lanes);
    return committed;
  };
  const commit = (one: Commit): Promise<Committed> =>
    one.enqueue.length === 0 ? groups.commit(one) : withNotices(one, groups.commit(one));
  return {
    commit,
    /** With statements of others in the same transaction. */
    commitWithCalls: (one: Commit, calls: readonly Call[]): Promise<Committed> =>
      calls.length === 0 ? commit(one) : withNotices(one, commitWith(runner, fence(one.saves), one, calls)),
  };
}

/** How many of the connections are for groups of commits, and for reads that are gathered. */
const keyedConnections = maxInFlight + 2;

const once = <Result>(work: () => Promise<Result>): (() => Promise<Result>) => {
  let done: Promise<Result> | undefined;
  return () => (done ??= work());
};
