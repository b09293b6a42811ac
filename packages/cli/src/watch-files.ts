import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

interface WatchOptions {
  /** Ends the watch. */
  readonly signal: AbortSignal;
  /** Waits until the files are looked at again, or the signal is given; 200 ms, when left out. */
  readonly pause?: (signal: AbortSignal) => Promise<unknown>;
}

/** The files to look at, or what finds them again each time. */
type Watched = readonly string[] | (() => Promise<readonly string[]>);

/**
 * Yields at once, and again after each change of the files, until the signal is given.
 *
 * The files are looked at by their path, again and again: an editor that replaces a file, a file that comes later and a folder that
 * is mounted are no special cases, which they are for the events of the system. A change is told when the files were the same twice
 * in a row, so that a file that is being written is told once. What changes while the consumer works is told after it.
 */
export async function* changesOf(files: Watched, { signal, pause = shortly }: WatchOptions): AsyncGenerator<void, void> {
  const look = async (): Promise<string> => statesOf(typeof files === 'function' ? await files() : files);
  while (!signal.aborted) {
    const told = await look();
    yield;
    let [before, state] = [told, told];
    while (!signal.aborted && (state === told || state !== before)) {
      await pause(signal).catch(() => {}); // the signal was given, which the loop sees
      [before, state] = [state, await look()];
    }
  }
}

const shortly = (signal: AbortSignal): Promise<unknown> => sleep(200, undefined, { signal });

/** What is different after any change of the files, one after the other: a thousand looked at together keep others from the disk. */
export async function statesOf(files: readonly string[]): Promise<string> {
  const states: string[] = [];
  for (const file of files) states.push(await stateOf(file));
  return states.join('\n');
}

const stateOf = (file: string): Promise<string> =>
  stat(file, { bigint: true }).then(
    ({ dev, ino, size, mtimeNs, ctimeNs }) => [dev, ino, size, mtimeNs, ctimeNs].join(' '),
    () => 'not there',
  );
