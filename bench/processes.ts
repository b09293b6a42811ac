// What measures and what is measured live in processes of their own, and talk over IPC.
import type { ChildProcess } from 'node:child_process';

/**
 * Tells a child something, or nothing, and waits for what it says next.
 *
 * @throws {Error} when it ends instead: it has said why on stderr
 */
export function answerOf<Answer>(child: ChildProcess, name: string, told?: object | number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const fail = (): void => reject(new Error(`${name} failed: the reason is above`));
    child.once('exit', fail);
    child.once('message', (answer: Answer) => {
      child.off('exit', fail);
      resolve(answer);
    });
    if (told !== undefined) child.send(told);
  });
}

/** The other side: answers whatever the parent tells, until it has gone. What goes wrong ends the process. */
export function answerParent<Told>(answer: (told: Told) => Promise<object>): void {
  process.on('message', (told: Told) => {
    answer(told).then(
      (answered) => process.send?.(answered),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
  process.on('disconnect', () => process.exit());
}
