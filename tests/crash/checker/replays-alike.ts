import type { ReplayedExecution, Rule } from './evidence.ts';

/** Replaying a history gives the stored state; every event of it has an effect; a version never changes (P3, P14, P19). */
export const replaysAlike: Rule = ({ store }) =>
  store.executions.flatMap((execution) => [...wrongReplay(execution), ...wrongVersion(execution, store)]);

function wrongReplay({ record: { executionId, revision, state }, history, states }: ReplayedExecution): readonly string[] {
  const advances = new Set(history.map((line) => line.revision));
  return [
    ...(JSON.stringify(states.at(-1)) === JSON.stringify(state) ? [] : [`The history of execution ${executionId} leads to another state`]),
    ...(advances.size === revision && Math.max(...advances) === revision
      ? []
      : [`Execution ${executionId} has ${advances.size} advances at revision ${revision}`]),
    ...states.flatMap((after, index) =>
      after === states[index - 1] ? [`Execution ${executionId} has recorded "${history[index]?.event.type}", which changed nothing`] : [],
    ),
  ];
}

function wrongVersion(
  { record: { executionId, workflowId, version }, states }: ReplayedExecution,
  { versions }: Parameters<Rule>[0]['store'],
): readonly string[] {
  const published = versions.find((one) => one.workflowId === workflowId && one.version === version);
  return states.every(({ canvasHash }) => canvasHash === published?.hash)
    ? []
    : [`Execution ${executionId} did not stay at version ${version} of "${workflowId}"`];
}
