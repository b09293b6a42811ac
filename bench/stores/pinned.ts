// One and two processes that share a PostgreSQL, each on its own processor.
import { join } from 'node:path';
import { freePort } from '../../packages/stores/test/free-port.ts';
import { type PostgresServer, startPostgres } from '../../packages/stores/test/postgres-server.ts';
import { PostgresClient, postmasterOf } from '../clients.ts';
import { atLeast, figure, type Measured, type Part } from '../part.ts';
import { answerOf, coresToPin, forkPinned, processorMs } from '../processes.ts';
import type { Progress } from '../progress.ts';
import { type Durable, openChild, type Opened } from './contestants.ts';
import type { Worked } from './durable-process.ts';
import { callers, loadsOf, type Rate } from './loads.ts';

const fileOf = (name: string): string => join(import.meta.dirname, name);

/** One and two processes over one PostgreSQL each, every process on a processor of its own; the server is on any. */
export async function pinned(quick: boolean, progress: Progress): Promise<Part> {
  const [count, rounds] = quick ? [512, 2] : [4_096, 5];
  const cores = coresToPin();
  const how = cores.length >= 2 ? 'pinned' : cores.length === 1 ? 'both on the only processor' : 'not pinned: taskset is missing';
  const [one, two] = [`one process (${how})`, `two processes (${how})`];
  const raw = await startPostgres({ outlastsPowerCuts: true });
  try {
    const calls = { all: 0, forwarded: 0 };
    const { contestants, missing } = await loadsOf(
      'PostgreSQL, pinned',
      [
        { title: `floor: rows of 1 kB in batches of 64, ${one}`, run: () => rawRows(raw, [cores[0]], count) },
        { title: `the same, ${two}`, run: () => rawRows(raw, [cores[0], cores[1] ?? cores[0]], count) },
      ],
      [
        { count, make: () => hiloOn(`Hilo, ${one}`, [cores[0]]) },
        {
          count,
          make: () =>
            hiloOn(`Hilo, ${two}`, [cores[0], cores[1] ?? cores[0]], (worked, done) => {
              calls.all += done;
              calls.forwarded += worked.forwarded ?? 0;
            }),
        },
      ],
      rounds,
      progress,
    );
    const named = (name: string): Measured | undefined => contestants.find((measured) => measured.name === name);
    const times = (what: 'starts' | 'resumes') => {
      const [alone, both] = [named(`Hilo, ${one}, ${what}`), named(`Hilo, ${two}, ${what}`)];
      const most = (1e6 * cores.length) / (both?.cpuUs ?? Number.NaN);
      return atLeast(
        `${what} of two processes, times those of one`,
        (both?.median ?? Number.NaN) / (alone?.median ?? Number.NaN),
        1.7,
        `one takes ${figure(alone?.cpuUs)} µs of the processors with one process and ${figure(both?.cpuUs)} with two, the server included, which has no processor of its own: of ${cores.length} processors two processes get at most ${figure(most)} a second, ${figure(most / (alone?.median ?? Number.NaN))} times what one does`,
      );
    };
    const share = `${figure((100 * calls.forwarded) / calls.all)} % of the calls to two processes came to the one that does not have the lane, and were forwarded over HTTP.`;
    return {
      name: `W3: two processes over one PostgreSQL, ${callers} callers in all`,
      unit: 'a second',
      contestants,
      aims: [times('starts'), times('resumes')],
      notes: [share, ...missing],
    };
  } finally {
    await raw.remove();
  }
}

type Core = number | undefined;

/** Writes rows side by side, a connection for each process. */
async function rawRows({ url }: PostgresServer, cores: readonly Core[], count: number): Promise<Rate> {
  const children = cores.map((core) => forkPinned(core, fileOf('raw-process.ts'), [url]));
  await Promise.all(children.map((child) => answerOf(child, 'raw rows')));
  const pids = [...children.map(({ pid = 0 }) => pid), await postmasterOf(url)];
  const beganMs = processorMs(pids);
  const rates = await Promise.all(children.map((child) => answerOf<Rate>(child, 'raw rows', count)));
  const endedMs = processorMs(pids);
  for (const child of children) child.kill('SIGKILL');
  return {
    perSecond: rates.reduce((sum, { perSecond }) => sum + perSecond, 0),
    ...(beganMs !== undefined && endedMs !== undefined && { cpuUs: ((endedMs - beganMs) * 1_000) / (count * cores.length) }),
  };
}

/**
 * Processes over a PostgreSQL of their own, which share callers and calls evenly, and forward what is for a lane of another.
 *
 * @param onWorked - what each did, and of how many calls
 */
async function hiloOn(
  title: string,
  cores: readonly Core[],
  onWorked: (worked: Worked, calls: number) => void = () => undefined,
): Promise<Durable> {
  const { url, remove } = await startPostgres({ outlastsPowerCuts: true });
  const postmaster = await postmasterOf(url);
  const openOne = async (core: Core): Promise<Opened> =>
    openChild(
      title,
      forkPinned(core, fileOf('hilo-process.ts'), ['postgres', url, ...(cores.length === 1 ? [] : [String(await freePort())])]),
    );
  const open = async (): Promise<Opened> => {
    const opened: Opened[] = [];
    for (const core of cores) opened.push(await openOne(core)); // the first publishes, the second finds it published
    await untilShared(url, cores.length);
    const shareOf = <One>(all: readonly One[], index: number): readonly One[] =>
      all.slice(Math.floor((index * all.length) / opened.length), Math.floor(((index + 1) * all.length) / opened.length));
    const numbers = (first: number, count: number): readonly number[] => Array.from({ length: count }, (_, index) => first + index);
    return {
      startMs: Math.max(...opened.map(({ startMs }) => startMs)),
      residentBytes: opened.reduce((sum, { residentBytes }) => sum + residentBytes, 0),
      pids: [...opened.flatMap(({ pids }) => pids), postmaster],
      async work(work) {
        const own = Math.ceil(work.callers / opened.length);
        const all = await Promise.all(
          opened.map(async (process, index) => {
            if (work.do === 'resume') return process.work({ ...work, ids: shareOf(work.ids, index), callers: own });
            const range = shareOf(numbers(work.first, work.count), index);
            return process.work({ ...work, first: range[0] ?? work.first, count: range.length, callers: own });
          }),
        );
        for (const worked of all) onWorked(worked, worked.latenciesMs.length);
        return {
          allMs: Math.max(...all.map(({ allMs }) => allMs)),
          latenciesMs: all.flatMap(({ latenciesMs }) => latenciesMs),
          ids: all.flatMap(({ ids }) => ids),
        };
      },
      kill: async () => void (await Promise.all(opened.map(({ kill }) => kill()))),
    };
  };
  return { title, open, remove };
}

/** Until each process has its share of the partitions. */
async function untilShared(url: string, processes: number): Promise<void> {
  const client = new PostgresClient({ connectionString: url });
  await client.connect();
  const fair = `select from hilo.partitions where owner <> 0 group by owner having count(*) = ${256 / processes}`;
  while ((await client.query(fair)).rows.length < processes) await new Promise((resolve) => setTimeout(resolve, 100));
  await client.end();
}
