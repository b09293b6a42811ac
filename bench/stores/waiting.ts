import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteStore } from '../../packages/stores/src/index.ts';
import { inDirectory } from '../in-directory.ts';
import { answerOf } from '../processes.ts';
import type { Progress } from '../progress.ts';
import { percentile } from '../statistics.ts';
import { call, engineOver, publishParking, together } from './engine-over.ts';
import type { Resumed, Started, Work } from './waiting-process.ts';

/** What many waiting executions cost a process, next to none. */
export interface Waiting {
  readonly count: number;
  readonly startMs: number;
  readonly startMsEmpty: number;
  /** Beyond the resident memory of a process over an empty store. */
  readonly extraBytes: number;
  readonly resumeP50Ms: number;
  readonly resumeP50MsFew: number;
  /** 1,000 paused executions, all resumed after the process that paused them was killed. */
  readonly thousandMs: number;
}

const few = 1_000;

export const waitingCost = (count: number, progress: Progress): Promise<Waiting> =>
  inDirectory(async (directory) => {
    const empty = await measure(join(directory, 'empty.db'), [], progress);
    const fewPath = join(directory, 'few.db');
    const fewIds = await park(fewPath, few, progress);
    const fewMeasured = await measure(fewPath, fewIds.slice(0, 200), progress);
    const thousandMs = await thousandAfterKill(join(directory, 'killed.db'), progress);
    const manyPath = join(directory, 'many.db');
    const manyIds = await park(manyPath, few, progress);
    multiply(manyPath, count, progress);
    const many = await measure(manyPath, manyIds.slice(0, 200), progress);
    progress.clear();
    return {
      count,
      startMs: many.started.startMs,
      startMsEmpty: empty.started.startMs,
      extraBytes: many.started.residentBytes - empty.started.residentBytes,
      resumeP50Ms: percentile(many.resumed.latenciesMs, 0.5),
      resumeP50MsFew: percentile(fewMeasured.resumed.latenciesMs, 0.5),
      thousandMs,
    };
  });

/** Executions that wait, made as they are made. */
async function park(path: string, count: number, progress: Progress): Promise<readonly string[]> {
  progress.say(`parking ${count} executions`);
  const store = await openSqliteStore({ path });
  const engine = engineOver(store);
  await publishParking(engine);
  const ids: string[] = [];
  await together(count, 64, async (index) => void ids.push(await call(engine, { id: `A-${index}`, user: `51999${100_000 + index}` })));
  await engine.whenIdle();
  await store.close();
  return ids;
}

/** More of the same waiting executions, copied row by row in the database: a million take an hour to make otherwise. */
function multiply(path: string, count: number, progress: Progress): void {
  const database = new DatabaseSync(path);
  const columns = (table: string): readonly string[] =>
    database
      .prepare(`select name from pragma_table_info('${table}') where name <> 'id'`)
      .all()
      .map(({ name }) => String(name));
  const changed: Readonly<Record<string, string>> = {
    execution_id: "execution_id || '-' || :copy",
    lane: "lane || '-' || :copy",
    user_key: "user_key || '-' || :copy",
  };
  const all = columns('executions');
  const insert = database.prepare(
    `insert into executions (${all.join(', ')}) select ${all.map((name) => changed[name] ?? name).join(', ')} from executions where id <= :first`,
  );
  const first = Number(database.prepare('select max(id) as id from executions').get()?.['id'] ?? 0);
  database.exec('begin');
  for (let copy = 1; copy < Math.ceil(count / first); copy += 1) {
    insert.run({ copy, first });
    if (copy % 20 === 0) progress.say(`${copy * first} waiting executions`);
  }
  database.exec('commit');
  database.close();
}

interface Measured {
  readonly started: Started;
  readonly resumed: Resumed;
}

/** Starts a process over a store, and lets it resume one after the other. */
function measure(path: string, ids: readonly string[], progress: Progress): Promise<Measured> {
  progress.say('a process over the store');
  return resumeBy(start(path), { ids, callers: 1 });
}

/** Parks executions in a process that is killed, and lets another resume all of them. @returns how long that takes, its start included */
async function thousandAfterKill(path: string, progress: Progress): Promise<number> {
  const ids = await park(path, few, progress);
  const first = start(path);
  await answerOf<Started>(first, processName);
  first.kill('SIGKILL');
  await once(first, 'exit');
  const { started, resumed } = await resumeBy(start(path), { ids, callers: 64 });
  return started.startMs + resumed.allMs;
}

/** Waits for a process to start, has it resume, and lets it go. */
async function resumeBy(child: ChildProcess, work: Work): Promise<Measured> {
  const started = await answerOf<Started>(child, processName);
  const resumed = await answerOf<Resumed>(child, processName, work);
  child.disconnect();
  await once(child, 'exit');
  return { started, resumed };
}

const processName = 'The process over the store';

const start = (path: string) => fork(join(import.meta.dirname, 'waiting-process.ts'), [path], { execArgv: ['--expose-gc'] });
