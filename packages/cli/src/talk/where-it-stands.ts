import type { ExecutionRecord } from '@hilo/engine/contract';
import type { Conversation } from '@hilo/simulator';
import type { TalkEvent } from './events.ts';

/** A talk that another process began, as it stands: what each waiting execution sent last, and what it waits for. */
export async function whereItStands({ executions, history, clock }: Conversation): Promise<readonly TalkEvent[]> {
  const atMs = clock.now();
  const events: TalkEvent[] = [];
  for (const record of await executions()) {
    const { wait } = record.state;
    if (wait === undefined) continue;
    if (wait.kind === 'reply') events.push(...(await lastSent(record, history, atMs)));
    events.push({ kind: 'waiting', workflowId: record.workflowId, executionId: record.executionId, wait, atMs });
  }
  return events;
}

/** The message that a reply would answer. */
async function lastSent({ executionId }: ExecutionRecord, history: Conversation['history'], atMs: number): Promise<readonly TalkEvent[]> {
  const entries = (await history(executionId)).flatMap(({ entries }) => entries);
  const last = entries.findLast(({ effect }) => effect?.type === 'message.send' && effect.request !== undefined);
  const { type: effect, request } = last?.effect ?? {};
  return last === undefined || effect === undefined || request === undefined
    ? []
    : [{ kind: 'effect', effect, nodeId: last.nodeId, executionId, request, atMs }];
}
