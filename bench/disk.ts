import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { inDirectory } from './in-directory.ts';
import { figure } from './part.ts';
import { median, percentile } from './statistics.ts';

/** About what a group of 16 starts adds to the log of SQLite. */
const written = Buffer.alloc(64 * 1024, 1);
const times = 200;

/** How long the disk takes to make a group durable, which no commit is answered before: measured now, as a sentence. */
export const diskSentence = (): Promise<string> =>
  inDirectory(async (directory) => {
    const file = openSync(join(directory, 'disk'), 'w');
    const tookMs = Array.from({ length: times }, (_, time) => {
      writeSync(file, written, 0, written.length, (time % 64) * written.length);
      const beganMs = performance.now();
      fsyncSync(file);
      return performance.now() - beganMs;
    });
    closeSync(file);
    return `one fsync of 64 kB takes ${figure(median(tookMs))} ms on this disk, and ${figure(percentile(tookMs, 0.99))} ms at p99`;
  });
