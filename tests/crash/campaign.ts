import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check } from './checker/check.ts';
import { dumpStore } from './checker/dump-store.ts';
import { type Evidence, wasQuarantined } from './checker/evidence.ts';
import { createClient } from './load/client.ts';
import { openLedger } from './load/ledger.ts';
import { type Life, startLife } from './load/life.ts';
import { type Kill, killName } from './points.ts';
import type { Standing } from './protocol.ts';

/** How many rounds of work a process may do without coming by the point where it is to die. */
const mostWaves = 4;
/** How often waiting executions are relieved before they count as stuck. */
const mostReliefs = 5;
/** After this, a process that does not answer is held to be stuck. */
const patienceMs = 120_000;

/** The result of killing processes on one file. */
export interface WorldResult {
  /** Deaths that happened at their planned point. */
  readonly kills: readonly Kill[];
  /** What breaks a promise; empty, when all is well. */
  readonly findings: readonly string[];
  readonly executions: number;
  /** Executions that were in quarantine until they were released (P17). */
  readonly quarantined: number;
  /** Effects that were performed, repetitions counted. */
  readonly received: number;
}

/**
 * Kills one process after the other on one file while clients keep calling; lets the last process finish, and checks everything. What
 * only the outside can answer is answered then, so that all executions must end.
 */
export async function runWorld(kills: readonly Kill[]): Promise<WorldResult> {
  const directory = await mkdtemp(join(tmpdir(), 'hilo-crash-'));
  const ledger = await openLedger();
  const client = createClient();
  ledger.onReceived = client.onReceived;
  const path = join(directory, 'hilo.db');
  const lives: Life[] = [];
  const findings: string[] = [];
  const died: Kill[] = [];

  const live = (kill?: Kill): Life => {
    const life = startLife({ path, ledgerPort: ledger.port, life: lives.length + 1, ...(kill === undefined ? {} : { kill }) });
    lives.push(life);
    return life;
  };

  try {
    for (const kill of kills) {
      const life = live(kill);
      findings.push(...(await within(patienceMs, life, Promise.race([life.death.then(() => []), keepBusy(life, client)]))));
      life.end();
      const death = await life.death;
      await ledger.whenDone();
      if (death.kind === 'killed') died.push(kill);
      else findings.push(`reach: A process was to die ${killName(kill)}, and ${death.kind === 'fell' ? death.words : 'did not'}`);
      if (death.kind === 'fell') break; // the next would do the same
      await client.whenAnswered();
    }
    const last = live();
    findings.push(...(await within(patienceMs, last, finish(last, client))));
    const death = await last.death;
    if (death.kind !== 'closed')
      findings.push(`reach: The last process did not close: ${death.kind === 'fell' ? death.words : death.kind}`);
    findings.push(...lives.flatMap(({ faults }, index) => faults.map((fault) => `fault: Process ${index + 1} told of ${fault}`)));
    const evidence: Evidence = { wishes: client.wishes, received: ledger.received, lives, store: await dumpStore(path) };
    const { stories } = evidence.store;
    return {
      kills: died,
      findings: [...findings, ...check(evidence)],
      executions: stories.length,
      quarantined: stories.filter(wasQuarantined).length,
      received: ledger.received.length,
    };
  } finally {
    for (const life of lives) life.end();
    await ledger.close();
    await rm(directory, { recursive: true });
  }
}

type Client = ReturnType<typeof createClient>;

/** Calls repeatedly until the process is dead. */
async function keepBusy(life: Life, client: Client): Promise<readonly string[]> {
  await client.resume(life);
  for (let wave = 0; wave < mostWaves; wave += 1) {
    await client.wave();
    const { kind } = await life.ask({ verb: 'settle' });
    if (kind === 'lost') break;
  }
  return [];
}

/** Lets everything come to its end. @returns what does not */
async function finish(life: Life, client: Client): Promise<readonly string[]> {
  await client.resume(life);
  await client.whenAnswered();
  for (let relief = 0; relief < mostReliefs; relief += 1) {
    await life.ask({ verb: 'settle' });
    const answer = await life.ask({ verb: 'standing' });
    const standing = answer.kind === 'answered' ? (answer.value as readonly Standing[]) : [];
    client.relieve(standing);
    await client.whenAnswered();
    if (standing.length === 0) break;
  }
  life.close();
  return client.wishes.flatMap(({ ask, answer }) => {
    if (answer?.kind === 'answered' || (answer?.kind === 'refused' && answer.code === 'EXECUTION_NOT_WAITING')) return [];
    return [`liveness: "${ask.verb}" ended ${answer === undefined ? 'without an answer' : `as ${answer.code}: ${answer.message}`}`];
  });
}

/** The result of the work, or a report that it did not end: then the process is killed. */
async function within(limitMs: number, life: Life, work: Promise<readonly string[]>): Promise<readonly string[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly string[]>((resolve) => {
    timer = setTimeout(() => {
      life.end();
      resolve([`liveness: A process did not come to rest within ${limitMs} ms`]);
    }, limitMs);
  });
  const result = await Promise.race([work, late]);
  clearTimeout(timer);
  return result;
}
