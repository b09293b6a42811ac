// Watches files by looking at them again and again, until a signal.
import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

interface WatchOptions {
  /** Ends the watch. */
  readonly signal: AbortSignal;
  /** Waits until the next poll, or the signal; 200 ms when left out. */
  readonly pause?: (signal: AbortSignal) => Promise<unknown>;
}

/** The files, or a function that lists them anew at each poll. */
type Watched = readonly string[] | (() => Promise<readonly string[]>);

/**
 * Yields at once, and again after each change of the files, until the signal.
 *
 * Files are polled by path: an editor that replaces a file, a file that is created later and a mounted folder are no special cases,
 * which they are for file system events. A change is yielded when two polls are equal, so that a file that is being written is
 * yielded once. Changes during the consumer's work are yielded after it.
 */
export async function* watchChanges(files: Watched, { signal, pause = pauseShortly }: WatchOptions): AsyncGenerator<void, void> {
  const readAll = async (): Promise<string> => readStates(typeof files === 'function' ? await files() : files);
  while (!signal.aborted) {
    const first = await readAll();
    yield;
    let [before, state] = [first, first];
    while (!signal.aborted && (state === first || state !== before)) {
      await pause(signal).catch(() => {}); // aborted, which ends the loop
      [before, state] = [state, await readAll()];
    }
  }
}

const pauseShortly = (signal: AbortSignal): Promise<unknown> => sleep(200, undefined, { signal });

/** Changes with any change of the files. They are read one after the other, so that a thousand do not block the disk. */
export async function readStates(files: readonly string[]): Promise<string> {
  const states: string[] = [];
  for (const file of files) states.push(await readState(file));
  return states.join('\n');
}

const readState = (file: string): Promise<string> =>
  stat(file, { bigint: true }).then(
    ({ dev, ino, size, mtimeNs, ctimeNs }) => [dev, ino, size, mtimeNs, ctimeNs].join(' '),
    () => 'not there',
  );
