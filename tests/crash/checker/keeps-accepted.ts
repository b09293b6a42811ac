import type { HistoryRecord } from '@hilo/engine/contract';
import { shredded } from '../load/canvases.ts';
import { type Evidence, executionIdOf, quarantinedLanes, type Rule } from './evidence.ts';
import { secret } from '../load/names.ts';

/** Every accepted request is in the store, and a message has had its consequence once (P1, P10). */
export const keepsAccepted: Rule = (evidence) => [...lostExecutions(evidence), ...wrongMessages(evidence)];

function lostExecutions({ requests, store }: Evidence): readonly string[] {
  const kept = new Set(store.executions.map(({ record }) => record.executionId));
  return requests.flatMap((request) => {
    const executionId = executionIdOf(request);
    const isRemoved = request.command.verb === 'start' && request.command.start.workflowId === shredded;
    return executionId === undefined || isRemoved || kept.has(executionId) ? [] : [`Execution ${executionId} was accepted and is lost`];
  });
}

function wrongMessages(evidence: Evidence): readonly string[] {
  const { requests, store, processes } = evidence;
  const taken = store.executions.flatMap(({ history }) => history.flatMap(messageIdOf));
  const quarantined = [...quarantinedLanes(evidence)];
  const dropped = new Set(processes.flatMap((process) => process.dropped));
  return requests.flatMap(({ command, answer }) => {
    if (command.verb !== 'message' || answer === undefined) return [];
    const { id: userId } = command.message.user;
    const times = taken.filter((id) => id === command.message.message['id']).length;
    const isExcused = times === 0 && (dropped.has(command.message.eventId) || quarantined.some((lane) => lane.endsWith(`/${userId}`)));
    return times === 1 || isExcused ? [] : [`Message ${command.message.eventId} was accepted once and taken ${times} times`];
  });
}

/** The message of an event. */
function messageIdOf({ event }: HistoryRecord): readonly unknown[] {
  if (event.type === 'reply.received') return [event.message['id']];
  return event.type === 'execution.started' && event.trigger.kind === 'message' ? [event.trigger.message['id']] : [];
}

/** The credential of a request is nowhere in the database's files (P31). */
export const keepsSecrets: Rule = ({ store }) =>
  store.bytes.includes(secret) ? ['A credential of a webhook request is in the store'] : [];
