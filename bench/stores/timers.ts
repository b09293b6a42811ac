import { once } from 'node:events';
import { join } from 'node:path';
import { inDirectory } from '../in-directory.ts';
import { answerOf, forkModule } from '../processes.ts';
import type { Progress } from '../progress.ts';
import type { Fired, TimersWork } from './timers-process.ts';

/**
 * Fires a number of timers that are due at one instant, in a process of its own, while other work arrives.
 *
 * @param isOverdue - whether the process begins when all of them are overdue
 */
export const dueAtOnce = (count: number, isOverdue: boolean, progress: Progress): Promise<Fired> =>
  inDirectory(async (directory) => {
    const path = join(directory, 'timers.db');
    const tell = async <Answer extends object>(work: TimersWork): Promise<Answer> => {
      const child = forkModule(join(import.meta.dirname, 'timers-process.ts'), [path]);
      try {
        return await answerOf<Answer>(child, 'The process of the timers', work);
      } finally {
        const ended = once(child, 'exit');
        if (child.connected) child.disconnect();
        if (child.exitCode === null) await ended;
      }
    };
    progress.say(`${count} executions wait for one instant`);
    await tell({ do: 'fill', count });
    progress.say(`${count} timers are due`);
    const fired = await tell<Fired>({ do: isOverdue ? 'restart' : 'fire', count });
    progress.clear();
    return fired;
  });
