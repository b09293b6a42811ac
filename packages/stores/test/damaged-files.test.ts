import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '@hilo/testing';
import { beforeAll, afterAll, describe, expect, inject, it } from 'vitest';
import { openSqliteStore } from '../src/index.ts';
import { type Acknowledged, begin, copyStore, filesOf, openedAs } from './acknowledged-store.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** Places at which a file is cut or written over, and places at which one bit is flipped; a release is tried with 1,000 of these. */
const places = inject('takesAll') ? 40 : 10;
const flips = Number(process.env['HILO_FLIPS'] ?? places / 2);
const seed = Number(process.env['HILO_SEED'] ?? 1);

let directory: string;
/** A store that was killed in the middle of its work: much is in the log alone. */
let crashed: string;
/** The same store, earlier. */
let earlier: string;
let acknowledged: readonly Acknowledged[];
/** Another store of the same kind and age. */
let other: string;

beforeAll(async () => {
  directory = await temporaryDirectory();
  [crashed, earlier, other] = ['crashed', 'earlier', 'other'].map((name) => join(directory, name, 'hilo.db')) as [string, string, string];
  const ids = Array.from({ length: 40 }, (_, index) => `e${index}`);
  const path = join(directory, 'live', 'hilo.db');
  const first = await openSqliteStore({ path });
  const before = await begin(first, path, ids.slice(0, 15));
  await first.close();
  copyStore(path, earlier);
  const second = await openSqliteStore({ path });
  const rest = await begin(second, path, ids.slice(15, 25));
  await second.close();
  const third = await openSqliteStore({ path });
  acknowledged = [...before, ...rest, ...(await begin(third, path, ids.slice(25)))];
  copyStore(path, crashed);
  await third.close();

  const another = join(directory, 'another', 'hilo.db');
  const theirs = await openSqliteStore({ path: another });
  await begin(
    theirs,
    another,
    ids.map((id) => `their ${id}`),
  );
  copyStore(another, other);
  await theirs.close();
}, 120_000);
afterAll(() => rmSync(directory, { recursive: true }));

/** What becomes of the crashed store after something happened to its files. */
async function after(happens: (path: string) => void): Promise<string> {
  const path = join(directory, 'tried', 'hilo.db');
  copyStore(crashed, path);
  happens(path);
  return openedAs(path, acknowledged);
}

/** The part of a file from `from` on, which a disk may hold instead of what was written. */
const overwrite = (path: string, from: number, with_: (bytes: Buffer) => void): void => {
  const bytes = readFileSync(path);
  with_(bytes.subarray(from));
  writeFileSync(path, bytes);
};

const take = (from: string, to: string, end: string): void => writeFileSync(to + end, readFileSync(from + end));

describe('the files of a SQLite store that was killed', () => {
  it('are whole', async () => {
    expect(await after(() => undefined)).toBe('whole');
    expect(filesOf(crashed).map((file) => file.slice(crashed.length))).toEqual(['', '-wal', '-shm', '-lock']);
  });

  it('are whole whatever is in the -shm of a tool that died', async () => {
    expect(await after((path) => writeFileSync(`${path}-shm`, Buffer.alloc(32_768, 7)))).toBe('whole');
  });

  it.each([
    ['the log is another store’s', (path: string) => take(other, path, '-wal')],
    ['the file is gone', (path: string) => rmSync(path)],
    ['the file is empty', (path: string) => truncateSync(path)],
    ['the file and its log are gone', (path: string) => (rmSync(path), rmSync(`${path}-wal`))],
    ['the file is zeros', (path: string) => overwrite(path, 0, (bytes) => bytes.fill(0))],
    ['the file is another store’s, without a log', (path: string) => (take(other, path, ''), rmSync(`${path}-wal`))],
  ])('are refused when %s', async (_what, happens) => {
    expect(await after(happens)).toBe('STORE_DAMAGED');
    // And again: the refusal has not made it look whole.
    expect(await openedAs(join(directory, 'tried', 'hilo.db'), acknowledged)).toBe('STORE_DAMAGED');
  });

  it.each([
    ['gone', (path: string) => rmSync(`${path}-wal`)],
    ['empty', (path: string) => truncateSync(`${path}-wal`)],
  ])('are what they were before the log began, when the log is %s', async (_what, happens) => {
    expect(await after(happens)).toBe(lacking(25));
  });

  it('are what they were then, when an older copy is put there and the log removed', async () => {
    expect(await after((path) => (take(earlier, path, ''), rmSync(`${path}-wal`)))).toBe(lacking(15));
  });

  it('are those of another store, when all of it is put there', async () => {
    const path = join(directory, 'tried', 'hilo.db');
    copyStore(crashed, path);
    copyStore(other, path);
    expect(await openedAs(path, [])).not.toBe('STORE_DAMAGED');
  });

  /** The store without what was acknowledged behind the first of them. */
  const lacking = (first: number): string =>
    first === acknowledged.length
      ? 'whole'
      : `without ${acknowledged
          .slice(first)
          .map(({ executionId }) => executionId)
          .join()}`;
  /** Nothing is missing but at the end: no execution without those before it, and none by half. */
  const prefixes = (): readonly string[] => ['STORE_DAMAGED', ...Array.from(acknowledged, (_, index) => lacking(index + 1))];

  const logBytes = (): number => statSync(`${crashed}-wal`).size;
  const draw = (count: number, below: number): readonly number[] =>
    Array.from(
      { length: count },
      (_, index) =>
        seededRandom(seed * 1_000 + index)
          .bytes(4)
          .reduce((a, b) => a * 256 + b, 0) % below,
    );

  it('keep the commits before the place where the log was cut off, at sectors of its last 64 KB, or anywhere', async () => {
    const size = logBytes();
    const sectors = Array.from(
      { length: (32 * places) / 40 },
      (_, index) => Math.floor((size - 1) / 512) * 512 - (81_920 / places) * index,
    );
    for (const at of [...sectors.filter((sector) => sector >= 0), ...draw(places, size)])
      expect(prefixes()).toContain(await after((path) => truncateSync(`${path}-wal`, at)));
  }, 120_000);

  it.each([
    ['zeros', (bytes: Buffer) => bytes.fill(0)],
    ['random', (bytes: Buffer) => bytes.set(seededRandom(bytes.length).bytes(bytes.length))],
  ])(
    'keep the commits before the place from which on the log is %s',
    async (_what, change) => {
      for (const at of draw(places, logBytes())) expect(prefixes()).toContain(await after((path) => overwrite(`${path}-wal`, at, change)));
    },
    120_000,
  );

  it('are whole when no more than an unfinished commit was torn', async () => {
    const { size } = statSync(`${crashed}-wal`);
    for (const extra of [1, 24, 511, 4_000, 4_120, 9_000])
      expect(
        await after((path) => writeFileSync(`${path}-wal`, Buffer.concat([readFileSync(`${path}-wal`), Buffer.alloc(extra, 3)]))),
      ).toBe('whole');
    expect(size).toBeGreaterThan(64 * 1_024);
  });

  it(`keep the commits before one flipped bit in the log, ${flips} times`, async () => {
    const outcomes = await flipped('-wal', 32);
    expect(Object.keys(outcomes).filter((outcome) => !prefixes().includes(outcome))).toEqual([]);
  }, 120_000);

  // SQLite has checksums in its log, and none in its file: what holds the file together is checked, a text in it is not. One
  // that is no JSON any longer is set aside when it is met, alone.
  it(`lose no more than one row by one flipped bit in the file, ${flips} times`, async () => {
    const outcomes = await flipped('', 0);
    const refused = ['STORE_DAMAGED', 'STORE_FOREIGN', 'STORE_NEWER'];
    const others = Object.keys(outcomes).filter((outcome) => outcome !== 'whole' && !refused.includes(outcome));
    expect(others.filter((outcome) => !/^without e\d+$/.test(outcome))).toEqual([]);
  }, 120_000);
});

/** How often the store came to what, with one bit flipped. */
async function flipped(end: string, from: number): Promise<Readonly<Record<string, number>>> {
  const outcomes: Record<string, number> = {};
  const { size } = statSync(crashed + end);
  for (let flip = 0; flip < flips; flip += 1) {
    const [bit = 0, ...place] = seededRandom(seed * 10_000 + flip).bytes(5);
    const at = from + (place.reduce((a, b) => a * 256 + b, 0) % (size - from));
    const outcome = await after((path) => overwrite(path + end, at, (bytes) => bytes.writeUInt8((bytes[0] ?? 0) ^ (1 << (bit % 8)), 0)));
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
  return outcomes;
}
