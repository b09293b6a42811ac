import type { CompiledCanvas } from '@hilo/engine/debug';
import type { ExecutionRecord, ExecutionState, HistoryRecord, InboxItem } from '@hilo/engine/contract';
import type { ReceivedCall } from '../load/ledger.ts';
import type { ClientRequest } from '../load/client.ts';
import type { WebhookAccepted } from '@hilo/engine';

/** An execution with its history, and the states that the history leads through when it is replayed. */
export interface ReplayedExecution {
  readonly record: ExecutionRecord;
  readonly history: readonly HistoryRecord[];
  readonly states: readonly ExecutionState[];
}

/** What the store holds at the end. */
export interface StoreDump {
  readonly executions: readonly ReplayedExecution[];
  /** Executions that the list of their user does not have. */
  readonly unlisted: readonly string[];
  readonly queue: readonly Pick<InboxItem, 'lane' | 'accepted'>[];
  readonly versions: readonly { readonly workflowId: string; readonly version: number; readonly hash: string }[];
  readonly canvasOf: (hash: string) => CompiledCanvas;
  /** Histories of executions that are not there. */
  readonly orphanedHistories: number;
  /** Every byte of the database's files, as text. */
  readonly bytes: string;
}

/** Everything that was seen from outside, and what the store holds. */
export interface Evidence {
  /** The client's log. */
  readonly requests: readonly ClientRequest[];
  /** Calls performed outside, in order. */
  readonly received: readonly ReceivedCall[];
  /** When each process began, in order, and which messages it dropped (P17). */
  readonly processes: readonly { readonly startedAtMs: number; readonly dropped: readonly string[] }[];
  readonly store: StoreDump;
}

/** A promise that the evidence must keep. @returns what breaks it, a sentence each */
export type Rule = (evidence: Evidence) => readonly string[];

/** Whether an execution was in quarantine, if only for a while (P17). */
export const wasQuarantined = ({ history }: ReplayedExecution): boolean =>
  history.some(({ event }) => event.type === 'execution.quarantined');

/** Lanes with a quarantined execution: later items overtook it, and it was resumed later, in another order. */
export const quarantinedLanes = ({ store }: Evidence): ReadonlySet<string> =>
  new Set(store.executions.filter(wasQuarantined).map(({ record }) => record.lane));

/** What a webhook was answered; `undefined` for requests of other kinds, and where there is no such answer. */
export const webhookAnswer = ({ command, answer }: ClientRequest): WebhookAccepted | undefined =>
  command.verb === 'webhook' && answer?.kind === 'answered' ? (answer.value as WebhookAccepted) : undefined;

/** The execution that an accepted start or request began. */
export function executionIdOf(request: ClientRequest): string | undefined {
  const { command, answer } = request;
  if (command.verb === 'start' && answer?.kind === 'answered') return (answer.value as { readonly executionId: string }).executionId;
  const accepted = webhookAnswer(request);
  return accepted?.mode === 'new' ? accepted.executionId : undefined;
}
