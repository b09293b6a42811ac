import { finalStatuses } from '@hilo/engine/store-kit';
import type { ReplayedExecution, Rule } from './evidence.ts';

/** A child that is called is there, and its end reaches its parent once; a parent's end is its children's (P18). */
export const familiesAgree: Rule = ({ store }) => {
  const executions = new Map(store.executions.map((execution) => [execution.record.executionId, execution]));
  return store.executions.flatMap((execution) => [...missingChildren(execution, executions), ...wrongChild(execution, executions)]);
};

type ExecutionsById = ReadonlyMap<string, ReplayedExecution>;

function missingChildren({ record: { executionId }, states }: ReplayedExecution, executions: ExecutionsById): readonly string[] {
  const called = new Set(states.flatMap(({ wait }) => (wait?.childId === undefined ? [] : [wait.childId])));
  return [...called].flatMap((child) =>
    executions.has(child) ? [] : [`Execution ${executionId} called the child ${child}, which is not there`],
  );
}

function wrongChild({ record: { executionId, parent, state } }: ReplayedExecution, executions: ExecutionsById): readonly string[] {
  if (parent === undefined) return [];
  const caller = executions.get(parent.executionId);
  if (caller === undefined) return [`Execution ${executionId} is the child of ${parent.executionId}, which is not there`];
  const isAwaited = caller.record.state.wait?.id === parent.waitId;
  const told = caller.history.filter(({ event }) => event.type === 'child.ended' && event.waitId === parent.waitId).length;
  const isOver = finalStatuses.has(state.status);
  return [
    ...(told > 1 ? [`The end of child ${executionId} was told ${told} times`] : []),
    ...(isOver && isAwaited ? [`Child ${executionId} has ended, and its parent still waits`] : []),
    ...(!isOver && !isAwaited ? [`Child ${executionId} is ${state.status}, and its parent went on`] : []),
    ...(told === 1 && !isOver ? [`The end of child ${executionId} was told before it ended`] : []),
  ];
}
