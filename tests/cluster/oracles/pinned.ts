import { replayHistory } from '@hilo/engine/debug';
import type { Oracle } from '../evidence.ts';

/** An execution keeps its version and its canvas, which only a jump changes (P14); its history leads to where it is (P19). */
export const pinned: Oracle = (evidence) => [...versions(evidence), ...replays(evidence)];

const versions: Oracle = ({ commits }) => {
  const known = new Map<string, { readonly version: number | 'draft'; readonly hash: string }>();
  const problems: string[] = [];
  for (const { commit } of commits) {
    for (const { executionId, version, state } of commit.saves) {
      const before = known.get(executionId);
      const hasJumped = commit.history.some((record) => record.executionId === executionId && record.event.type === 'canvas.entered');
      if (before !== undefined && before.version !== version)
        problems.push(`execution ${executionId} went from version ${before.version} to ${version}`);
      if (before !== undefined && before.hash !== state.canvasHash && !hasJumped)
        problems.push(`execution ${executionId} changed its canvas without a jump`);
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
