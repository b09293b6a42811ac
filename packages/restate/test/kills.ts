// Kills a service over Restate while it works, and counts what is left.
import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openSqliteStore } from '@hilo/stores';

/** What kills left behind. */
export interface KillResult {
  readonly kills: { readonly process: number; readonly server: number };
  /** Deliveries that the channel got, and under how many keys. */
  readonly deliveries: number;
  readonly keys: number;
  /** Described; empty when nothing was lost and nothing was sent under two keys. */
  readonly findings: readonly string[];
}

/** What the channel of a user who has come to the end has got, each under one key. */
const conversation = ['hello', 'ask', 'echo', 'bye'];
const betweenMs = 900;
/**
 * A life without a delivery for so long is ended all the same: what is left may be in quarantine, since work that was under way at three
 * deaths in a row counts as their cause.
 */
const quietMs = 60_000;
/** Until when a user must have got on: about loss, not about speed. */
const patienceMs = 1_800_000;

/**
 * Lets users converse with a process that is killed, alternately with its Restate server, until the given number of kills; then waits
 * until all have finished. One user's message kills the process itself, and must be quarantined (P17).
 */
export async function runKills({
  program,
  kills,
  users,
  onKill = () => undefined,
}: {
  readonly program: string;
  readonly kills: number;
  readonly users: number;
  /** Called after each kill, with how many there were. */
  readonly onKill?: (killed: number) => void;
}): Promise<KillResult> {
  const directory = await mkdtemp(join(tmpdir(), 'hilo-kills-'));
  const ledger = await openLedger();
  const mortal = createMortal([directory, program, ledger.address]);
  try {
    let isOver = false;
    const usersAKill = users / kills;
    const killing = killInTurn(
      mortal,
      kills,
      (kill) => ledger.distinct() >= kill * usersAKill * conversation.length,
      ledger.deliveries,
      onKill,
    ).finally(() => (isOver = true));
    /** Nothing more comes: what has not ended is in quarantine. */
    const isAtRest = async (): Promise<boolean> => isOver && (await mortal.countOpen()) === 0;
    void mortal.say('poison', 'Hi', () => isOver);
    // New users keep coming during the kills; each says hello, and answers.
    const names = Array.from({ length: users }, (_, index) => `user-${index}`);
    const talking = names.map(async (name, index) => {
      const before = Math.floor((index * kills) / users); // so that a user is active at every kill
      await until(() => mortal.kills.process + mortal.kills.server >= before, patienceMs * kills);
      await mortal.say(name, 'Hi');
      // One that is not asked is a finding: the others go on.
      await until(async () => ledger.has(name, 'ask') || (await isAtRest()), patienceMs).catch(() => undefined);
      if (ledger.has(name, 'ask')) await mortal.say(name, 'Well');
    });
    await Promise.all([killing, ...talking]);
    await until(isAtRest, patienceMs).catch(() => undefined);
    await mortal.stop();
    const findings = [...ledger.findings(names), ...(await findingsInStore(directory, users))];
    return { kills: mortal.kills, deliveries: ledger.deliveries(), keys: ledger.keys(), findings };
  } finally {
    await mortal.stop();
    ledger.close();
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Kills in the middle of the work of the latest users, once that of earlier ones is done: however slow the machine is, a life gets on, and
 * work that waits does not pile up.
 *
 * @param isDoneBefore - whether what came before this kill is done
 */
async function killInTurn(
  mortal: Mortal,
  kills: number,
  isDoneBefore: (kill: number) => boolean,
  deliveries: () => number,
  onKill: (killed: number) => void,
): Promise<void> {
  for (let kill = 0; kill < kills; kill += 1) {
    await mortal.whenUp();
    for (let before = deliveries(); !isDoneBefore(kill); before = deliveries()) {
      const hasCome = await until(() => deliveries() > before, quietMs).then(
        () => true,
        () => false,
      );
      if (!hasCome) break;
    }
    const before = deliveries();
    await until(() => deliveries() > before, quietMs).catch(() => undefined);
    await pause(betweenMs);
    await (kill % 2 === 0 ? mortal.killProcess() : mortal.killServer());
    onKill(kill + 1);
  }
}

async function until(isSo: () => boolean | Promise<boolean>, patienceMs: number): Promise<void> {
  for (const untilMs = performance.now() + patienceMs; !(await isSo()); await pause(50))
    if (performance.now() > untilMs) throw new Error('It did not come to that in time');
}

interface Mortal {
  readonly kills: { process: number; server: number };
  whenUp(): Promise<void>;
  killProcess(): Promise<void>;
  killServer(): Promise<void>;
  /** Delivers a message until it is accepted, as a provider does. */
  say(userId: string, text: string, isEnough?: () => boolean): Promise<void>;
  /** Open executions; unknown while the process is down. */
  countOpen(): Promise<number | undefined>;
  stop(): Promise<void>;
}

/** A process that is restarted whenever it has died. */
function createMortal(args: readonly string[]): Mortal {
  const kills = { process: 0, server: 0 };
  let [child, port, isStopping]: [ChildProcess | undefined, number | undefined, boolean] = [undefined, undefined, false];
  let ended: Promise<unknown> = Promise.resolve();
  const begin = (): void => {
    const begun = fork(join(import.meta.dirname, 'restate-process.ts'), args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    child = begun;
    begun.on('message', (message: { readonly port: number }) => (port = message.port));
    ended = once(begun, 'exit').then(() => {
      port = undefined;
      if (!isStopping) begin();
    });
  };
  begin();
  const whenUp = (): Promise<void> => until(() => port !== undefined, patienceMs);
  return {
    kills,
    whenUp,
    async killProcess() {
      child?.kill('SIGKILL');
      kills.process += 1;
      await pause(100);
    },
    async killServer() {
      // It may be starting again just now, or its process be another one.
      for (const untilMs = performance.now() + 20_000; performance.now() < untilMs; await pause(50)) {
        const pid = await childOf(await childOf(child?.pid)); // a guard process is in between, which ends the server with this one
        if (pid === undefined || !isKilled(pid)) continue;
        kills.server += 1;
        return;
      }
    },
    async say(userId, text, isEnough = () => false) {
      while (!isStopping && !isEnough()) {
        await whenUp();
        const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: JSON.stringify({ userId, text }) }).catch(
          () => undefined,
        );
        if (answer?.ok === true) return;
        await pause(50);
      }
    },
    async countOpen() {
      const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
      return answer?.ok === true ? Number(await answer.text()) : undefined;
    },
    async stop() {
      isStopping = true;
      child?.kill('SIGKILL');
      await ended;
    },
  };
}

/** The one child of a process. */
export async function childOf(pid: number | undefined): Promise<number | undefined> {
  if (pid === undefined) return undefined;
  const found = await promisify(execFile)('pgrep', ['-P', String(pid)]).catch(() => undefined);
  const child = Number(found?.stdout.trim() ?? '');
  return child > 0 ? child : undefined;
}

/** Whether it was running and could be killed. */
function isKilled(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

/** The channel: remembers every delivery. */
async function openLedger() {
  const seen: { readonly userId: string; readonly executionId: string; readonly nodeId: string; readonly key: string }[] = [];
  const server: Server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      seen.push(JSON.parse(body) as (typeof seen)[number]);
      setTimeout(() => response.end(), 5);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const keysOf = (userId: string, nodeId: string): ReadonlySet<string> =>
    new Set(seen.filter((one) => one.userId === userId && one.nodeId === nodeId).map(({ key }) => key));
  return {
    address: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/`,
    has: (userId: string, nodeId: string) => keysOf(userId, nodeId).size > 0,
    deliveries: () => seen.length,
    /** Messages of the conversation, each counted once. */
    distinct: () =>
      new Set(seen.filter(({ nodeId }) => conversation.includes(nodeId)).map(({ userId, nodeId }) => `${userId} ${nodeId}`)).size,
    keys: () => new Set(seen.map(({ key }) => key)).size,
    findings: (userIds: readonly string[]): readonly string[] =>
      userIds.flatMap((userId) =>
        conversation.flatMap((nodeId) => {
          const { size } = keysOf(userId, nodeId);
          return size === 1 ? [] : [`${userId}: "${nodeId}" was sent under ${size} keys`];
        }),
      ),
    close: () => void server.close(),
  };
}

/** The store's contents: all have ended, except for the deadly one. */
async function findingsInStore(directory: string, users: number): Promise<readonly string[]> {
  const store = await openSqliteStore({ path: join(directory, 'hilo.db'), mustExist: true });
  try {
    const of = async (status: 'completed' | 'quarantined'): Promise<number> =>
      (await store.executions.list('acme', { status, limit: users + 10 })).results.length;
    const [completed, quarantined] = [await of('completed'), await of('quarantined')];
    return [
      ...(completed === users ? [] : [`${completed} of ${users} conversations are completed`]),
      ...(quarantined === 1 ? [] : [`${quarantined} executions are in quarantine, and one kills its process`]),
    ];
  } finally {
    await store.close();
  }
}
