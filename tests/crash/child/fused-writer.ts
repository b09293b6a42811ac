import type { Writer } from '../../../packages/stores/src/sqlite/writer.ts';
import type { Fuse } from './fuse.ts';

/** A writer that comes by a crash point with every group: when it is handed over, and when it is durable and nobody knows. */
export const fusedWriter = (writer: Writer, fuse: Fuse): Writer => ({
  ...writer,
  async write(group) {
    const answer = fuse.aroundSync(['group.handed-over'], () => writer.write(group));
    const outcomes = await answer;
    fuse.reach('group.committed', 'before');
    setImmediate(() => fuse.reach('group.committed', 'after'));
    return outcomes;
  },
});
