import { write, writeSync } from 'node:fs';

/** The bytes that wait while the reader is slow: beyond it the newest lines are dropped. */
const maxWaitingChars = 1_000_000;

/** Lines within this time are written together. */
const gatherMs = 20;

/**
 * Writes lines to a file descriptor, off the event loop. Lines that cannot be written are dropped, and are no failure of the process:
 * the pipe's reader has exited, the disk of the log is full, or the reader is more than a megabyte behind.
 *
 * @param fd - such as 1, standard output
 */
export function createLineWriter(fd: number): (line: string) => void {
  let waiting: string[] = [];
  let waitingChars = 0;
  let isWriting = false;
  let timer: NodeJS.Timeout | undefined;

  const takeWaiting = (): Buffer => {
    const bytes = Buffer.from(waiting.join(''));
    [waiting, waitingChars] = [[], 0];
    return bytes;
  };
  const scheduleWrite = (): void => {
    if (isWriting || waiting.length === 0) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      isWriting = true;
      send(takeWaiting());
    }, gatherMs).unref();
  };
  const send = (bytes: Buffer): void =>
    write(fd, bytes, (error, written) => {
      if (error === null && written < bytes.length) return send(bytes.subarray(written));
      if (error?.code === 'EAGAIN') return void setTimeout(() => send(bytes), gatherMs).unref(); // its reader is slow
      isWriting = false;
      scheduleWrite();
    });

  // A write in progress at exit may never end: then nothing more is written.
  process.on('exit', () => {
    if (isWriting || waiting.length === 0) return;
    try {
      for (let rest = takeWaiting(); rest.length > 0; ) rest = rest.subarray(writeSync(fd, rest));
    } catch {
      // There is no reader.
    }
  });
  return (line) => {
    if (waitingChars + line.length > maxWaitingChars) return;
    waiting.push(line);
    waitingChars += line.length;
    scheduleWrite();
  };
}
