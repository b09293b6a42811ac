// The calls of the service that the studio makes.
import type { Channel, JsonObject } from '@hilo/engine/contract';
import { type CatalogueEntry, isRecord } from '../canvas/canvas-json.ts';
import type { FieldChoices } from '../expressions/completions.ts';
import type { CompanyFacts } from '../worker/protocol.ts';
import { executionCalls } from './execution-calls.ts';
import { inboxCalls } from './inbox-calls.ts';
import { loadOperations } from './operations.ts';
import { createRequests } from './requests.ts';
import { transcriptCalls, workflowCalls } from './workflow-calls.ts';

export { ApiError } from './api-error.ts';
export type { Execution, HistoryEntry, StateAtStep } from './execution-calls.ts';
export type { Page } from './requests.ts';
export type { Draft, Gate, Version, WorkflowLock, WorkflowSummary } from './workflow-calls.ts';

/** What the canvases of a company can name. */
export interface References {
  readonly bots: readonly { readonly id: string; readonly name: string; readonly channel: Channel }[];
  readonly templates: readonly {
    readonly id: string;
    readonly name: string;
    readonly isApproved: boolean;
    readonly body?: string | null;
  }[];
  readonly credentials: readonly { readonly id: string; readonly name: string; readonly kind: string }[];
  readonly workflows: readonly { readonly id: string; readonly name: string; readonly kind?: string; readonly inputs?: JsonObject }[];
  readonly functions?: FieldChoices['functions'];
  /** What canvases read as `$company.settings`; `null` for who may not edit. */
  readonly settings?: JsonObject | null;
  /** What a test takes its company for; left out by an older service. */
  readonly company?: CompanyFacts;
}

/** Where the service is, and how it is called: the host's `fetch` carries its authentication. */
export interface ClientOptions {
  /** The base URL of the service, such as `https://bots.example.com`; this page's own when left out. */
  readonly baseUrl?: string;
  readonly fetch?: typeof fetch;
  /** A provider that people log in with: its name, and the page that leads to it. */
  readonly loginWith?: { readonly name: string; readonly url: string };
  /** Called when something was refused for a missing permission: what somebody may do has changed while their page was open. */
  readonly onForbidden?: () => void;
}

/** Calls of the management API that the studio makes. */
export type HiloClient = ReturnType<typeof createHiloClient>;

/** Makes a client of the management API. It keeps no credential. */
export function createHiloClient({
  baseUrl = '',
  fetch: send = (...args) => globalThis.fetch(...args),
  loginWith,
  onForbidden,
}: ClientOptions = {}) {
  const requests = createRequests(baseUrl, send, onForbidden);
  const { addressOf, serviceUrl, sendOrRefuse, get, request } = requests;
  return {
    addressOf,
    serviceUrl,
    /** Every operation of the service, with its types: loaded when it is first asked for. */
    operations: () => loadOperations(baseUrl, sendOrRefuse),
    loginWith,
    /** Takes a token, or the whole address of a login link. */
    login(given: string) {
      const [, code] = /#login=([^&]+)/.exec(given) ?? [];
      return request('POST', '/login', { body: code === undefined ? { token: given } : { code } });
    },
    logout: () => request('POST', '/logout', { body: {} }),
    me: () =>
      get<{
        readonly name: string;
        readonly can: readonly string[];
        /** `can` where it is not the same in all of them. */
        readonly companies: readonly { readonly id: string; readonly name: string; readonly can?: readonly string[] }[];
      }>('/me'),
    nodes: async () => readNodes(await get<unknown>('/nodes')),
    references: (companyId: string) => get<References>('/references', { companyId }),
    ...workflowCalls(requests),
    ...transcriptCalls(requests),
    ...executionCalls(requests),
    ...inboxCalls(requests),
  };
}

function readNodes(answer: unknown): readonly CatalogueEntry[] {
  const list: unknown = isRecord(answer) ? (answer['results'] ?? answer['nodes']) : answer;
  return Array.isArray(list) ? (list as readonly CatalogueEntry[]) : [];
}
