// The texts of rows next to JSON as it stands: how long they take to write and to read, and how long they are.
import type { Commit, ExecutionRecord, HistoryRecord } from '../../packages/engine/src/contract/index.ts';
import { createMemoryCanvases, createMemoryStore } from '../../packages/engine/src/index.ts';
import { RowReader } from '../../packages/stores/src/row-reader.ts';
import { RowWriter } from '../../packages/stores/src/row-writer.ts';
import { atMost, type Measured, type Part } from '../part.ts';
import type { Progress } from '../progress.ts';
import { median } from '../statistics.ts';
import { threadWork } from '../thread-work.ts';
import { call, engineOver, publishParking, resumeOf, startOf } from './engine-over.ts';

/** What one commit writes of one execution. */
interface Written {
  readonly record: ExecutionRecord;
  readonly history: readonly HistoryRecord[];
}

type Texts = readonly [history: string, state: string];

/** A way to keep records. */
interface Format {
  readonly name: string;
  write(written: Written): Texts;
  /** Reads the state, and what it needs of the history. */
  read(texts: Texts, record: ExecutionRecord): unknown;
}

const isStart = ({ revision }: ExecutionRecord): boolean => revision === 1;

const asItStands: Format = {
  name: 'JSON as it stands',
  write: ({ record, history }) => [JSON.stringify(history), JSON.stringify(record.state)],
  read: ([, state]) => JSON.parse(state) as unknown,
};

const rows: Format = {
  name: 'rows',
  write({ record, history }) {
    const writer = new RowWriter(record);
    const text = writer.history(history);
    return [text, (isStart(record) ? writer : new RowWriter(record)).state(record.state)];
  },
  read([history, state], record) {
    const reader = new RowReader(record);
    if (isStart(record)) reader.history(history);
    return reader.state(state);
  },
};

/** Starts and resumes of the flow that W3 measures, as the engine commits them. */
async function commitsOf(count: number): Promise<readonly Written[]> {
  const commits: Commit[] = [];
  const executions = createMemoryStore();
  const commit = (one: Commit) => {
    commits.push(one);
    return executions.commit(one);
  };
  const engine = engineOver({ executions: { ...executions, commit }, canvases: createMemoryCanvases() });
  await publishParking(engine);
  const ids: string[] = [];
  for (let number = 0; number < count; number += 1) ids.push(await call(engine, startOf(number)));
  for (const id of ids) await call(engine, resumeOf(id));
  await engine.stop();
  return commits.flatMap(({ saves, history }) => saves.map((record) => ({ record, history })));
}

/** Microseconds of this thread for one, by what is done: both formats in turn, so that a noisy machine is noisy for each. */
export async function rowTexts(quick: boolean, progress: Progress): Promise<Part> {
  const [rounds, times] = quick ? [5, 2_000] : [15, 10_000];
  const written = await commitsOf(32);
  const works = [true, false].flatMap((starts) => {
    const some = written.filter(({ record }) => isStart(record) === starts);
    const what = starts ? 'a start' : 'a resume';
    return [asItStands, rows].flatMap((format) => {
      const texts = some.map((one) => format.write(one));
      const length = texts.reduce((sum, [history, state]) => sum + history.length + state.length, 0) / texts.length;
      const own = some.map((one, index) => ({ one, texts: texts[index] ?? (['', ''] as const) }));
      return [
        { name: `${format.name}: ${what} written`, length, run: (index: number) => format.write((own[index % own.length] ?? fail()).one) },
        {
          name: `${format.name}: the state of ${what} read`,
          length,
          run: (index: number) => readOne(format, own[index % own.length] ?? fail()),
        },
      ].map((work) => ({ ...work, us: [] as number[] }));
    });
  });
  let kept: unknown; // so that no work can be left out
  for (let round = -3; round < rounds; round += 1) {
    progress.say(`rows: ${round < 0 ? 'warming up' : `round ${round + 1} of ${rounds}`}`);
    for (const { run, us } of works) {
      const workedMs = threadWork();
      for (let index = 0; index < times; index += 1) kept = run(index);
      if (round >= 0) us.push((workedMs() * 1_000) / times);
    }
  }
  progress.clear();
  if (kept === undefined) fail();
  const usOf = (name: string) => works.find((work) => work.name === name)?.us ?? [];
  const ratio = (what: string) =>
    median(usOf(`rows: ${what}`).map((us, round) => us / (usOf(`JSON as it stands: ${what}`)[round] ?? Number.NaN)));
  const lengthOf = (what: string) => works.find(({ name }) => name === `rows: ${what} written`)?.length ?? Number.NaN;
  return {
    name: 'Rows of executions',
    unit: 'µs of the thread',
    contestants: works.map(({ name, us }): Measured => ({ name, median: median(us) })),
    aims: [
      ...['a start written', 'a resume written'].map((what) => atMost(`${what}, times JSON as it stands`, ratio(what), 1)),
      ...['the state of a start read', 'the state of a resume read'].map((what) =>
        atMost(`${what}, times JSON as it stands`, ratio(what), 2),
      ),
      atMost('characters of a start', lengthOf('a start'), 600),
      atMost('characters of a resume', lengthOf('a resume'), 700),
    ],
  };
}

const readOne = (format: Format, { one, texts }: { readonly one: Written; readonly texts: Texts }): unknown =>
  format.read(texts, one.record);

function fail(): never {
  throw new Error('There are no records to write');
}
