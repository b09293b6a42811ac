// What an execution is shown as where it cannot be known which of its values an agent withholds: what happened, and none of them.
import { isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';

/** The fields of an execution and of its steps that a canvas or the service has made: names, numbers, instants. */
const ofExecution = [
  'executionId',
  'workflowId',
  'version',
  'status',
  'botId',
  'channel',
  'parentExecutionId',
  'createdAt',
  'updatedAt',
  'endedAt',
  'cause',
  'continuedAs',
  'forkedFrom',
];
const ofWait = ['id', 'kind', 'nodeId', 'openedAt', 'dueAt', 'onDue', 'childExecutionId'];
const ofStep = ['step', 'event', 'at', 'nodeId', 'visitNumber', 'type', 'port', 'from', 'cause', 'limitMs', 'configuredMs', 'appliedMs'];
const ofEffect = ['type', 'key', 'outcome'];

/** A cause is a name; where it is a text, somebody wrote it. */
const isWritten = (name: string, value: Json): boolean => name === 'cause' && typeof value === 'string' && !/^[A-Z][A-Z0-9_]*$/.test(value);

const pick = (value: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(
    Object.entries(value).filter(([name, field]) => names.includes(name) && !isJsonObject(field) && !isWritten(name, field)),
  );

/** An execution without what it holds, and with its open wait. */
export const executionWithoutValues = (execution: JsonObject): JsonObject => {
  const { wait = null } = execution;
  return { ...pick(execution, ofExecution), wait: isJsonObject(wait) ? pick(wait, ofWait) : null };
};

/** A step without what it asked, heard, was answered and wrote: the paths that it wrote are named. */
export function stepWithoutValues(step: Json): JsonObject {
  if (!isJsonObject(step)) return {};
  const { effect = null, writes = null } = step;
  const written = Array.isArray(writes) ? writes.filter(isJsonObject).map((write) => pick(write, ['path'])) : [];
  return {
    ...pick(step, ofStep),
    ...(isJsonObject(effect) && { effect: pick(effect, ofEffect) }),
    ...(written.length > 0 && { writes: written }),
  };
}
