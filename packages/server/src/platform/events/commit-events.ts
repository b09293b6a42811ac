// The events that a commit of the engine tells of: what users wrote, which executions began and ended, and what is new about people.
import type { Commit, ContactChange, ExecutionRecord } from '@hilo/engine/contract';
import type { EventType } from './event-types.ts';
import type { ToldEvent } from './telling.ts';

const finals: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled', 'expired']);

/** @param wants - whether somebody hears an event of a company */
export function eventsOfCommit(commit: Commit, wants: (companyId: string, type: EventType) => boolean, nowMs: () => number): ToldEvent[] {
  const told = [
    ...messagesOf(commit),
    ...commit.saves.flatMap((record) => executionEvents(record, commit.history)),
    ...peopleOf(commit, nowMs),
  ];
  return told.filter(({ companyId, type }) => wants(companyId, type));
}

const messagesOf = ({ enqueue, taken = [] }: Commit): ToldEvent[] =>
  [...taken, ...enqueue].flatMap(({ companyId, acceptedAtMs: atMs, accepted }): ToldEvent[] => {
    if (accepted.kind !== 'message') return [];
    const { botId, userId, message } = accepted;
    const { id } = message;
    const data = { botId, userId, messageId: typeof id === 'string' ? id : '', message };
    return [{ type: 'message.received', companyId, atMs, about: { userId }, data }];
  });

function executionEvents(record: ExecutionRecord, history: Commit['history']): ToldEvent[] {
  const own = history.filter(({ companyId, executionId }) => executionId === record.executionId && companyId === record.companyId);
  const { companyId, executionId, workflowId, version, updatedAtMs: atMs, parent, state } = record;
  const { origin, status, ending } = state;
  const { botId, userId, route } = origin;
  const about = userId === undefined ? { thing: executionId } : { userId };
  const data = {
    executionId,
    workflowId,
    version,
    route,
    ...(botId !== undefined && { botId }),
    ...(userId !== undefined && { userId }),
    ...(parent !== undefined && { parentExecutionId: parent.executionId }),
  };
  const told: ToldEvent[] = [];
  if (own.some(({ event: { type } }) => type === 'execution.started' || type === 'execution.forked'))
    told.push({ type: 'execution.started', companyId, atMs, about, data });
  // Of one that has ended nothing changes but who continues it.
  if (!isFinal(status) || own.every(({ event: { type } }) => type === 'execution.continued')) return told;
  const failure = ending?.failure === undefined ? {} : { failure: describeFailure(ending.failure) };
  told.push({ type: 'execution.ended', companyId, atMs, about, data: { ...data, status, ...failure } });
  if (status === 'failed') told.push({ type: 'execution.failed', companyId, atMs, about, data: { ...data, ...failure } });
  return told;
}

const describeFailure = ({ cause, message, nodeId }: NonNullable<NonNullable<ExecutionRecord['state']['ending']>['failure']>) => ({
  cause,
  message,
  ...(nodeId !== undefined && { nodeId }),
});

type Final = 'completed' | 'failed' | 'cancelled' | 'expired';
const isFinal = (status: string): status is Final => finals.has(status);

const peopleOf = ({ contacts }: Commit, nowMs: () => number): ToldEvent[] =>
  contacts.flatMap((change) => personEvents(change, nowMs, { botId: change.botId }));

/** What a change of fields or consent tells of. @param known - by which bot, where it is one's */
export function personEvents(
  { companyId, userId, fields, consent }: Pick<ContactChange, 'companyId' | 'userId' | 'fields' | 'consent'>,
  nowMs: () => number,
  known: { readonly botId?: string } = {},
  alsoChanged: readonly string[] = [],
): ToldEvent[] {
  const about = { userId };
  const changed = [...alsoChanged, ...Object.keys(fields ?? {}).map((key) => `fields.${key}`)];
  const told: ToldEvent[] = [];
  if (changed.length > 0) {
    const data = { ...known, userId, changed, ...(fields !== undefined && { fields }) };
    told.push({ type: 'contact.updated', companyId, atMs: nowMs(), about, data });
  }
  if (consent !== undefined) {
    const { marketing, source, evidence, atMs } = consent;
    const data = { ...known, userId, marketing, source, ...(evidence !== undefined && { evidence }) };
    told.push({ type: 'contact.consentChanged', companyId, atMs, about, data });
  }
  return told;
}
