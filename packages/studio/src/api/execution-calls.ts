// The calls about executions: lists, what one did, and what is done about it.
import type { Json, JsonObject } from '@hilo/engine/contract';
import type { Page, Query, Requests } from './requests.ts';
import { watchEvents } from './watch.ts';

/** An execution as the management API lists it. */
export interface Execution {
  readonly executionId: string;
  readonly workflowId: string;
  readonly version: number | 'draft';
  readonly status: string;
  readonly userId: string | null;
  /** What the bot calls the user; in lists. */
  readonly userNames?: string | null;
  readonly botId: string | null;
  readonly channel: string | null;
  readonly parentExecutionId: string | null;
  readonly wait: {
    readonly kind: string;
    readonly nodeId: string;
    readonly openedAt: string;
    readonly dueAt: string | null;
    /** The execution that it called, and whose end it waits for. */
    readonly childExecutionId?: string;
  } | null;
  readonly variables: JsonObject;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly endedAt: string | null;
  readonly cause: string | null;
  /** The execution that a retry made of it. */
  readonly continuedAs?: string | null;
  /** The execution that it was made of. */
  readonly forkedFrom?: string | null;
}

/** One thing that an execution did. */
export interface HistoryEntry {
  readonly at: string;
  /** The index of the event that led to it. */
  readonly event?: number;
  readonly nodeId: string;
  readonly visitNumber: number;
  readonly type: string;
  readonly port?: string;
  /** What the user wrote that led to it. */
  readonly heard?: JsonObject;
  /** The operator who did it. */
  readonly by?: string;
  readonly effect?: {
    readonly type: string;
    /** The same for the request and its result, and for each try again. */
    readonly key: string;
    readonly request?: Json;
    readonly result?: Json;
    readonly outcome?: string;
  };
  readonly cause?: string;
  readonly limitMs?: number;
  readonly configuredMs?: number;
  readonly appliedMs?: number;
  readonly writes?: readonly { readonly path: string; readonly value?: Json }[];
}

/** An execution after a step. */
export interface StateAtStep extends Pick<Execution, 'variables' | 'wait'> {
  readonly step: number;
}

/** The calls about executions. */
export const executionCalls = ({ get, request, open }: Requests) => ({
  executions: (companyId: string, query: Query) => get<Page<Execution>>('/executions', { companyId, ...query }),
  execution: (companyId: string, id: string) => get<Execution>(`/executions/${encodeURIComponent(id)}`, { companyId }),
  history: async (companyId: string, id: string) =>
    (await get<{ readonly entries: readonly HistoryEntry[] }>(`/executions/${encodeURIComponent(id)}/history`, { companyId })).entries,
  stateAt: (companyId: string, id: string, step: number) =>
    get<StateAtStep>(`/executions/${encodeURIComponent(id)}/states/${step}`, { companyId }),
  /** Follows an execution or a workflow until it is aborted. */
  watch: (
    companyId: string,
    what: { readonly executionId: string } | { readonly workflowId: string },
    told: Parameters<typeof watchEvents>[1],
  ) => watchEvents((headers, signal) => open('/events', { companyId, ...what }, { headers, signal }), told),
  cancel: (companyId: string, id: string, reason: string) =>
    request('POST', `/executions/${encodeURIComponent(id)}/cancel`, { query: { companyId }, body: { reason } }),
  release: (companyId: string, id: string) =>
    request('POST', `/executions/${encodeURIComponent(id)}/release`, { query: { companyId }, body: {} }),
});
