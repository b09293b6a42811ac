/**
 * Ctrl-C while a command is at work: it ends at once with 130, as shells expect, and says what is kept. Files are written beside themselves and
 * renamed when they are whole; a store forgets what was not committed. Commands that end by themselves (`serve`, `dev`, `run`) take Ctrl-C over.
 */

let takenBy = 0;
let kept: string | undefined;
const unfinished = new Set<() => void>();

/** The exit code of a program that Ctrl-C ended. */
const interrupted = 130;

/** From now on Ctrl-C ends this process. */
export function endOnInterrupt(): void {
  process.on('SIGINT', () => {
    if (takenBy > 0) return;
    process.stderr.write(`\nhilo: Stopped. ${kept ?? 'The command can be given again'}.\n`);
    process.exit(interrupted);
  });
  process.on('exit', () => {
    for (const undo of unfinished) undo();
  });
}

/** The command decides itself what Ctrl-C does. @returns gives it back */
export function takeInterrupts(): () => void {
  takenBy += 1;
  return () => void (takenBy -= 1);
}

/** What Ctrl-C tells from now on, without a full stop. */
export const sayWhatIsKept = (sentence: string): void => void (kept = sentence);

/** Undoes a part of a result when the process ends before it is whole. @param undo - without waiting for anything @returns it is whole, or undone */
export function undoAtExit(undo: () => void): () => void {
  unfinished.add(undo);
  return () => void unfinished.delete(undo);
}
