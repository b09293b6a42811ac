import { getTableColumns, painter, printJson } from './paint.ts';
import { table } from './table.ts';

/** The flags of `hilo capacity`. */
export interface CapacityFlags {
  /** All users who talk to bots. */
  readonly users: number;
  /** Messages from and to users in a second. */
  readonly messages: number;
  readonly json?: true;
}

/** The figures of the model. docs/scaling.md gives the source of each. */
const model = {
  /** Per process on SQLite: less than a fifth of the webhooks measured over HTTP, on two cores shared with the callers. */
  messagesPerProcess: 700,
  /** A cell is one PostgreSQL with a synchronous standby, and two processes of Hilo. */
  messagesPerCell: 2_500,
  usersPerCell: 5_000_000,
  coresPerCell: 20,
  /** The number of cells to which users are assigned by hash. */
  maxCells: 4_096,
  commitsPerMessage: 2,
  commitsPerFsync: 64,
  walBytesPerCommit: 3_500,
  /** Bytes of one execution that waits, in memory. */
  waitingBytes: 440,
  /** Bytes of a delivery id, as a row and as a hash in the row of its lane, and how long it is kept. */
  dedupeRowBytes: 120,
  dedupeHashBytes: 8,
  dedupeDays: 8,
  historyBytesPerMessage: 1_690,
} as const;

const secondsPerDay = 86_400;

/** The resources for a number of users and messages. In bytes, unless the name says otherwise. */
export interface Capacity {
  readonly users: number;
  readonly messagesPerSecond: number;
  /** `process`: one process on SQLite is enough; `cells`: as many as `cells` says, each a PostgreSQL with two processes. */
  readonly needs: 'process' | 'cells';
  readonly cells: number;
  readonly cores: number;
  readonly commitsPerSecond: number;
  readonly fsyncsPerSecond: number;
  readonly walBytesPerSecond: number;
  readonly waitingBytesPerCell: number;
  readonly dedupeBytes: number;
  readonly dedupeBytesAsHashes: number;
  readonly historyBytesPerDay: number;
}

/** @throws {RangeError} for more than the model has cells for */
export function estimateCapacity(users: number, messagesPerSecond: number): Capacity {
  const needed = Math.max(1, Math.ceil(messagesPerSecond / model.messagesPerCell), Math.ceil(users / model.usersPerCell));
  if (needed > model.maxCells)
    throw new RangeError(
      `That takes ${whole(needed)} cells, and users are shared out among ${whole(model.maxCells)} at most: give fewer users or messages`,
    );
  const isOneProcess = messagesPerSecond <= model.messagesPerProcess && users <= model.usersPerCell;
  const commitsPerSecond = messagesPerSecond * model.commitsPerMessage;
  const deliveries = Math.round(messagesPerSecond * secondsPerDay * model.dedupeDays);
  return {
    users,
    messagesPerSecond,
    needs: isOneProcess ? 'process' : 'cells',
    cells: isOneProcess ? 0 : needed,
    cores: isOneProcess ? 2 : needed * model.coresPerCell,
    commitsPerSecond,
    fsyncsPerSecond: Math.ceil(commitsPerSecond / model.commitsPerFsync),
    walBytesPerSecond: Math.round(commitsPerSecond * model.walBytesPerCommit),
    waitingBytesPerCell: isOneProcess ? 0 : Math.ceil(users / needed) * model.waitingBytes,
    dedupeBytes: deliveries * model.dedupeRowBytes,
    dedupeBytesAsHashes: deliveries * model.dedupeHashBytes,
    historyBytesPerDay: Math.round(messagesPerSecond * secondsPerDay * model.historyBytesPerMessage),
  };
}

/** Prints the resources for a number of users and messages. */
export function capacity({ users, messages, json }: CapacityFlags): void {
  const found = estimateCapacity(users, messages);
  if (json === true) return printJson(found);
  const { cells, needs } = found;
  const rows = [
    [
      'needs',
      needs === 'process'
        ? 'one process, over SQLite'
        : cells === 1
          ? 'one PostgreSQL with a standby, and two processes'
          : `${whole(cells)} cells`,
    ],
    ['cores', `${whole(found.cores)}${needs === 'process' ? '' : `, ${model.coresPerCell} a cell, under 20 % of use`}`],
    ['commits', `${whole(found.commitsPerSecond)}/s, ${whole(found.fsyncsPerSecond)} fsyncs/s in groups of ${model.commitsPerFsync}`],
    ['write-ahead log', `${bytes(found.walBytesPerSecond)}/s`],
    ['waiting executions', needs === 'process' ? 'on disk: they take no memory' : `${bytes(found.waitingBytesPerCell)} of memory a cell`],
    ['delivery ids', `${bytes(found.dedupeBytes)} at ${model.dedupeDays} days, ${bytes(found.dedupeBytesAsHashes)} as hashes`],
    ['history', `${bytes(found.historyBytesPerDay)} a day`],
  ];
  const room = { paint: painter(process.stdout), columns: getTableColumns(process.stdout) };
  process.stdout.write(
    `${table(['what', 'how much'], rows, room)}\n\nAccurate to a factor of 3: docs/scaling.md lists what was measured, and what was not.\n`,
  );
}

const whole = (number: number): string => Math.round(number).toLocaleString('en');

const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'] as const;

function bytes(number: number): string {
  const power = number < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(number) / 3));
  return `${(number / 1_000 ** power).toLocaleString('en', { maximumSignificantDigits: 3 })} ${units[power]}`;
}
