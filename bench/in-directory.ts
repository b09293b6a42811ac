import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives some work a directory that goes when the work is over, or the process is. */
export async function inDirectory<Result>(work: (directory: string) => Promise<Result>): Promise<Result> {
  const directory = mkdtempSync(join(tmpdir(), 'hilo-bench-'));
  const remove = (): void => rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  const [interrupted, ended] = [(): void => process.exit(130), (): void => process.exit(143)];
  process.once('exit', remove).once('SIGINT', interrupted).once('SIGTERM', ended);
  try {
    return await work(directory);
  } finally {
    process.off('exit', remove).off('SIGINT', interrupted).off('SIGTERM', ended);
    remove();
  }
}
