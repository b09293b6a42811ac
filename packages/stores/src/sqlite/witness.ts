import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { inMemory } from './prepare-file.ts';

/**
 * A few bytes beside the file that know the number of its last commit. They are written after the commit is durable and
 * never before, so they are never ahead of a file that is whole. They are not made durable themselves: after a power cut
 * they may know of an earlier commit, or of none, and then say less.
 */
export interface Witness {
  write(commitNumber: number): void;
  close(): void;
}

const witnessPath = (path: string): string => `${path}-witness`;

/** The number, and its checksum. */
const sizeBytes = 8;

/** @returns the number of the last commit it knows of; nothing, where there is none, or a broken one */
export function readWitness(path: string): number | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(witnessPath(path));
  } catch {
    return undefined;
  }
  const isWhole = bytes.length === sizeBytes && bytes.readUInt32LE(4) === crc32(bytes.subarray(0, 4));
  return isWhole ? bytes.readUInt32LE(0) : undefined;
}

export function openWitness(path: string): Witness {
  if (path === inMemory) return { write: () => undefined, close: () => undefined };
  const file = openSync(witnessPath(path), constants.O_RDWR | constants.O_CREAT, 0o600);
  const bytes = Buffer.alloc(sizeBytes);
  return {
    write(number) {
      bytes.writeUInt32LE(number, 0);
      bytes.writeUInt32LE(crc32(bytes.subarray(0, 4)), 4);
      try {
        writeSync(file, bytes, 0, sizeBytes, 0);
      } catch {
        // The commit is durable without it: it only says less.
      }
    },
    close: () => closeSync(file),
  };
}
