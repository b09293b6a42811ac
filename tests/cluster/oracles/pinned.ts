import { replayHistory } from '@hilo/engine/debug';
import type { Oracle } from '../evidence.ts';

/** An execution keeps its version and its canvas, which only a jump and a migration change (P14, P37); its history leads to where it is (P19). */
export const pinned: Oracle = (evidence) => [...versions(evidence), ...replays(evidence)];

const versions: Oracle = ({ commits }) => {
  const known = new Map<string, { readonly version: number | 'draft'; readonly hash: string }>();
  const problems: string[] = [];
  for (const { commit } of commits) {
    for (const { executionId, version, state } of commit.saves) {
      const before = known.get(executionId);
      const led = new Set<string>(commit.history.flatMap((record) => (record.executionId === executionId ? [record.event.type] : [])));
      const isMigrated = led.has('execution.migrated');
      if (before !== undefined && before.version !== version && !isMigrated)
        problems.push(`execution ${executionId} went from version ${before.version} to ${version}`);
      if (before !== undefined && before.hash !== state.canvasHash && !led.has('canvas.entered') && !isMigrated)
        problems.push(`execution ${executionId} changed its canvas without a jump or a migration`);
      known.set(executionId, { version, hash: state.canvasHash });
    }
  }
  return problems;
};

const replays: Oracle = ({ executions, histories, canvasOf }) =>
  executions.flatMap(({ executionId, state }) => {
    const replayed = replayHistory(histories.get(executionId) ?? [], canvasOf).at(-1);
    return JSON.stringify(replayed) === JSON.stringify(state) ? [] : [`the history of execution ${executionId} leads elsewhere`];
  });
