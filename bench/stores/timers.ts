import { once } from 'node:events';
import { join } from 'node:path';
import { startPostgres } from '../../packages/stores/test/postgres-server.ts';
import { inDirectory } from '../in-directory.ts';
import { answerOf, forkModule } from '../processes.ts';
import type { Progress } from '../progress.ts';
import type { Fired, TimersWork } from './timers-process.ts';

/** Where the timers are kept. */
export type TimersIn = 'sqlite' | 'postgres';

/**
 * Fires a number of timers of one company that are due at one instant, in a process of its own, while users of two companies go on.
 *
 * @param isOverdue - whether the process begins when all of them are overdue
 */
export const dueAtOnce = (count: number, where: TimersIn, isOverdue: boolean, progress: Progress): Promise<Fired> =>
  inStore(where, async (place) => {
    const tell = async <Answer extends object>(work: TimersWork): Promise<Answer> => {
      const child = forkModule(join(import.meta.dirname, 'timers-process.ts'), [where, place]);
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

async function inStore<Result>(where: TimersIn, work: (place: string) => Promise<Result>): Promise<Result> {
  if (where === 'sqlite') return inDirectory((directory) => work(join(directory, 'timers.db')));
  const { url, remove } = await startPostgres({ outlastsPowerCuts: true });
  try {
    return await work(url);
  } finally {
    await remove();
  }
}
