// Kills processes that work on one file, at planned points, and checks what is left.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check } from './checker/check.ts';
import { dumpStore } from './checker/dump-store.ts';
import { type Evidence, wasQuarantined } from './checker/evidence.ts';
import { createClient } from './load/client.ts';
import { openLedger } from './load/ledger.ts';
import { type EngineProcess, startProcess } from './load/engine-process.ts';
import { type Kill, killName } from './points.ts';
import type { OpenExecution } from './protocol.ts';

/** How many rounds of work a process may do without coming by the point where it is to die. */
const maxRounds = 4;
/** How often waiting executions are resumed before they count as stuck. */
const maxResumes = 5;
/** After this, a process that does not answer is held to be stuck. */
const stuckAfterMs = 120_000;

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
  const processes: EngineProcess[] = [];
  const findings: string[] = [];
  const died: Kill[] = [];

  const startNext = (kill?: Kill): EngineProcess => {
    const next = startProcess({
      path,
      ledgerPort: ledger.port,
      processNumber: processes.length + 1,
      ...(kill === undefined ? {} : { kill }),
    });
    processes.push(next);
    return next;
  };

  try {
    for (const kill of kills) {
      const process = startNext(kill);
      findings.push(...(await within(stuckAfterMs, process, Promise.race([process.death.then(() => []), keepBusy(process, client)]))));
      process.kill();
      const death = await process.death;
      await ledger.whenDone();
      if (death.kind === 'killed') died.push(kill);
      else findings.push(`reach: A process was to die ${killName(kill)}, and ${death.kind === 'failed' ? death.output : 'did not'}`);
      if (death.kind === 'failed') break; // the next would do the same
      await client.whenAnswered();
    }
    const last = startNext();
    findings.push(...(await within(stuckAfterMs, last, finish(last, client))));
    const death = await last.death;
    if (death.kind !== 'closed')
      findings.push(`reach: The last process did not close: ${death.kind === 'failed' ? death.output : death.kind}`);
    findings.push(...processes.flatMap(({ faults }, index) => faults.map((fault) => `fault: Process ${index + 1} reported ${fault}`)));
    const evidence: Evidence = { requests: client.requests, received: ledger.received, processes, store: await dumpStore(path) };
    const { executions } = evidence.store;
    return {
      kills: died,
      findings: [...findings, ...check(evidence)],
      executions: executions.length,
      quarantined: executions.filter(wasQuarantined).length,
      received: ledger.received.length,
    };
  } finally {
    for (const process of processes) process.kill();
    await ledger.close();
    await rm(directory, { recursive: true });
  }
}

type Client = ReturnType<typeof createClient>;

/** Calls repeatedly until the process is dead. */
async function keepBusy(process: EngineProcess, client: Client): Promise<readonly string[]> {
  await client.sendTo(process);
  for (let round = 0; round < maxRounds; round += 1) {
    await client.sendRound();
    const { kind } = await process.send({ verb: 'settle' });
    if (kind === 'lost') break;
  }
  return [];
}

/** Lets everything come to its end. @returns what does not */
async function finish(process: EngineProcess, client: Client): Promise<readonly string[]> {
  await client.sendTo(process);
  await client.whenAnswered();
  for (let times = 0; times < maxResumes; times += 1) {
    await process.send({ verb: 'settle' });
    const answer = await process.send({ verb: 'list-open' });
    const open = answer.kind === 'answered' ? (answer.value as readonly OpenExecution[]) : [];
    client.resumeOpen(open);
    await client.whenAnswered();
    if (open.length === 0) break;
  }
  process.close();
  return client.requests.flatMap(({ command, answer }) => {
    if (answer?.kind === 'answered' || (answer?.kind === 'refused' && answer.code === 'EXECUTION_NOT_WAITING')) return [];
    return [`liveness: "${command.verb}" ended ${answer === undefined ? 'without an answer' : `as ${answer.code}: ${answer.message}`}`];
  });
}

/** The result of the work, or a report that it did not end: then the process is killed. */
async function within(limitMs: number, process: EngineProcess, work: Promise<readonly string[]>): Promise<readonly string[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly string[]>((resolve) => {
    timer = setTimeout(() => {
      process.kill();
      resolve([`liveness: A process did not come to rest within ${limitMs} ms`]);
    }, limitMs);
  });
  const result = await Promise.race([work, late]);
  clearTimeout(timer);
  return result;
}
