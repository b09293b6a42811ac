import type { Commit, Committed } from '@hilo/engine/contract';
import { commitSteps } from './commit.ts';
import type { Sharing } from './sharing.ts';
import type { Runner, Steps } from './statements/steps.ts';

/** Commits, and runs `steps` in the same transaction if the commit goes well: both are written, or neither. */
export const together = (runner: Runner, sharing: Sharing, commit: Commit, steps?: () => Steps<void>): Promise<Committed> =>
  runner.write(
    function* () {
      const committed = yield* commitSteps(commit, sharing);
      if (committed.kind === 'committed' && steps !== undefined) yield* steps();
      return committed;
    },
    ({ kind }) => kind === 'committed',
  );
