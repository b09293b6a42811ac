import { closeSync, openSync, readSync } from 'node:fs';

/** Where the commit's number is in the first page of a file. */
const numberAt = 60;
const logHeadBytes = 32;
const frameHeadBytes = 24;

/** The numbers of the first and the last commit in a log. */
export interface LogNumbers {
  readonly first: number;
  readonly last: number;
}

/**
 * Reads a log as it lies on the disk. The file itself must not be read so: closing it would end SQLite's locks on it.
 *
 * @returns nothing where there is no log, or no number in it
 */
export function logNumbers(path: string): LogNumbers | undefined {
  let log: number;
  try {
    log = openSync(`${path}-wal`, 'r');
  } catch {
    return undefined;
  }
  try {
    return numbersIn((from, bytes) => {
      const buffer = Buffer.alloc(bytes);
      return readSync(log, buffer, 0, bytes, from) === bytes ? buffer : undefined;
    });
  } finally {
    closeSync(log);
  }
}

/** Each time the first page is in the log, it has a number. What is left over from an earlier round of the log is none of it. */
function numbersIn(read: (from: number, bytes: number) => Buffer | undefined): LogNumbers | undefined {
  const head = read(0, logHeadBytes);
  if (head === undefined) return undefined;
  const pageBytes = head.readUInt32BE(8);
  const salts = head.subarray(16, 24);
  let numbers: LogNumbers | undefined;
  for (let at = logHeadBytes; pageBytes > 0; at += frameHeadBytes + pageBytes) {
    const frame = read(at, frameHeadBytes);
    if (frame === undefined || !frame.subarray(8, 16).equals(salts)) break;
    const number = frame.readUInt32BE(0) === 1 ? read(at + frameHeadBytes + numberAt, 4)?.readUInt32BE(0) : undefined;
    if (number !== undefined) numbers = { first: numbers?.first ?? number, last: number };
  }
  return numbers;
}
