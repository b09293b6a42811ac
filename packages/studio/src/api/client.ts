// Calls of the service by the studio.
import type { Channel, Json, JsonObject, Problem } from '@hilo/engine/contract';
import { asCanvas, type CanvasJson, type CatalogueEntry, isRecord, shownText } from '../canvas/canvas-json.ts';
import type { FieldChoices } from '../expressions/completions.ts';
import type { SaveOutcome } from '../saving/saving-machine.ts';
import type { CompanyFacts } from '../worker/protocol.ts';
import { ApiError } from './api-error.ts';
import { inboxCalls } from './inbox-calls.ts';
import { loadOperations } from './operations.ts';
import { watchEvents } from './watch.ts';

export { ApiError } from './api-error.ts';

/** A workflow in a list. */
export interface WorkflowSummary {
  readonly workflowId: string;
  readonly name: string;
  /** Where the list has it: empty for nowhere, and left out by an older service. */
  readonly folder?: string;
  readonly kind: string;
  readonly publishedVersion: number | null;
  readonly isPublished: boolean;
  readonly updatedAt: string | null;
  readonly savedBy: string | null;
  readonly errors: number;
  readonly warnings: number;
  readonly running: number;
  readonly waiting: number;
  readonly failed24h: number;
  /** What keeps it from being started. */
  readonly gate?: Gate | null;
}

/** What keeps a workflow from being started, though it was published. */
export interface Gate {
  readonly state: 'paused' | 'unpublished';
  readonly by: string | null;
  readonly at: string;
  readonly until: string | null;
}

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

/** Who keeps a workflow for themselves. */
export interface WorkflowLock {
  readonly by: string;
  readonly at: string;
  /** Whether it is the lock of whoever asks. */
  readonly isMine: boolean;
}

/** A draft as the service has it. */
export interface Draft {
  readonly canvas: CanvasJson;
  /** `undefined` where the service does not count drafts. */
  readonly revision: number | undefined;
  readonly publishedVersion: number | null;
  /** Whether the latest version is this very content. */
  readonly isPublished: boolean;
  readonly gate: Gate | null;
  readonly lock: WorkflowLock | null;
  /** The service's findings beyond the engine's: references, connected channels, rival starts. */
  readonly problems: readonly Problem[];
  /** Addresses of its webhook, by channel. */
  readonly webhooks: { readonly [channel: string]: string };
}

export interface Version {
  readonly version: number;
  readonly publishedAt: string;
  readonly note?: string | null;
  readonly publishedBy?: string | null;
  readonly hash: string;
}

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

export interface Page<Item> {
  readonly results: readonly Item[];
  readonly nextCursor: string | null;
}

/** How many executions are in each version, and where. */
export interface Population {
  readonly versions: readonly {
    readonly version: number;
    readonly running: number;
    readonly waiting: number;
    readonly nodes: readonly { readonly nodeId: string; readonly waiting: number; readonly oldest: string }[];
  }[];
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
  const root = `${baseUrl.replace(/(?<!\/)\/+$/, '')}/admin/v1`;
  const addressOf = (path: string, query: Query = {}): string => {
    const params = new URLSearchParams(
      Object.entries(query).flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, String(value)]])),
    );
    return `${root}${path}${params.size === 0 ? '' : `?${params}`}`;
  };

  /** @throws {ApiError} for every answer that is a refusal, and where there is none */
  const sendOrRefuse: typeof fetch = async (...args) => {
    const response = await send(...args).catch(() => {
      throw new ApiError(0, 'NOT_REACHED', 'The service was not reached');
    });
    if (response.ok) return response;
    if (response.status === 403) onForbidden?.();
    const answer = await readAnswer(response);
    const { error, code, message } = isRecord(answer) ? answer : {};
    const name = typeof code === 'string' ? code : typeof error === 'string' ? error : `HTTP_${response.status}`;
    const reason = Array.isArray(message) ? message.slice(0, 3).join('. ') : message;
    throw new ApiError(
      response.status,
      name,
      typeof reason === 'string' && reason !== '' ? reason : `The service answered ${response.status}`,
      answer,
    );
  };

  async function request(
    method: string,
    path: string,
    { query, body, headers = {}, text }: RequestParts = {},
  ): Promise<{ readonly body: unknown; readonly headers: Headers }> {
    const response = await sendOrRefuse(addressOf(path, query), {
      method,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': text === true ? 'text/plain' : 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: text === true ? shownText(body) : JSON.stringify(body) }),
    });
    return { body: await readAnswer(response), headers: response.headers };
  }
  const get = async <Answer>(path: string, query?: Query): Promise<Answer> =>
    (await request('GET', path, query === undefined ? {} : { query })).body as Answer;
  const at = (workflowId: string, rest = ''): string => `/workflows/${encodeURIComponent(workflowId)}${rest}`;

  return {
    addressOf,
    /** Every operation of the service, with its types: loaded when it is first asked for. */
    operations: () => loadOperations(baseUrl, sendOrRefuse),
    /** The address of something else that the service has, such as the page of a chat. */
    serviceUrl: (path: string): string => new URL(`${baseUrl.replace(/(?<!\/)\/+$/, '')}${path}`, location.href).href,
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
    archive: (companyId: string, workflowId: string, isArchived: boolean) =>
      request('POST', at(workflowId, isArchived ? '/archive' : '/restore'), { query: { companyId }, body: {} }),
    workflows: (companyId: string, query: { readonly q?: string; readonly cursor?: string; readonly archived?: boolean } = {}) =>
      get<Page<WorkflowSummary>>('/workflows', { companyId, limit: 100, ...query }),
    async draft(companyId: string, workflowId: string): Promise<Draft> {
      const { body, headers } = await request('GET', at(workflowId), { query: { companyId } });
      return readDraft(body, headers);
    },
    /** Saves a draft over a revision, or creates it. Returns every expected outcome as data. */
    async save(companyId: string, canvas: CanvasJson, revision: number | undefined, isNew = false): Promise<SaveOutcome> {
      try {
        const headers: { [name: string]: string } =
          isNew || revision === 0 ? { 'if-none-match': '*' } : revision === undefined ? {} : { 'if-match': `"${revision}"` };
        const answer = await request('PUT', at(canvas.id), { query: { companyId }, body: canvas, headers });
        return { kind: 'saved', revision: readDraft(answer.body, answer.headers).revision ?? 0 };
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const theirs = isRecord(error.body) ? error.body : {};
        const draft = asCanvas(theirs['draft']);
        if (error.status === 412 && draft !== undefined)
          return {
            kind: 'conflict',
            draft,
            revision: Number(theirs['revision']),
            ...(typeof theirs['savedBy'] === 'string' && { savedBy: theirs['savedBy'] }),
          };
        if (error.status === 412 && theirs['draft'] === null) return { kind: 'removed' };
        if (error.status === 401) return { kind: 'signedOut' };
        if (error.status === 0 || error.status === 429 || error.status >= 500) return { kind: 'offline' };
        return { kind: 'refused', error };
      }
    },
    publish: async (companyId: string, workflowId: string, body: { readonly note?: string; readonly revision?: number }) =>
      (await request('POST', at(workflowId, '/publish'), { query: { companyId }, body })).body as Version,
    versions: (companyId: string, workflowId: string) => get<Page<Version>>(at(workflowId, '/versions'), { companyId }),
    async version(companyId: string, workflowId: string, version: number): Promise<CanvasJson> {
      const { canvas } = await get<{ readonly canvas: unknown }>(at(workflowId, `/versions/${version}`), { companyId });
      return readCanvas(canvas);
    },
    population: (companyId: string, workflowId: string) => get<Population>(at(workflowId, '/population'), { companyId }),
    validate: async (companyId: string, canvas: CanvasJson) =>
      ((await request('POST', '/validate', { query: { companyId }, body: canvas })).body as { readonly problems: readonly Problem[] })
        .problems,
    executions: (companyId: string, query: Query) => get<Page<Execution>>('/executions', { companyId, ...query }),
    execution: (companyId: string, id: string) => get<Execution>(`/executions/${encodeURIComponent(id)}`, { companyId }),
    history: async (companyId: string, id: string) =>
      (await get<{ readonly entries: readonly HistoryEntry[] }>(`/executions/${encodeURIComponent(id)}/history`, { companyId })).entries,
    stateAt: (companyId: string, id: string, step: number) =>
      get<StateAtStep>(`/executions/${encodeURIComponent(id)}/states/${step}`, { companyId }),
    ...inboxCalls({ get, request, open: (path, query, how) => send(addressOf(path, query), how) }),
    /** Follows an execution or a workflow until it is aborted. */
    watch: (
      companyId: string,
      what: { readonly executionId: string } | { readonly workflowId: string },
      told: Parameters<typeof watchEvents>[1],
    ) => watchEvents((headers, signal) => send(addressOf('/events', { companyId, ...what }), { headers, signal }), told),
    cancel: (companyId: string, id: string, reason: string) =>
      request('POST', `/executions/${encodeURIComponent(id)}/cancel`, { query: { companyId }, body: { reason } }),
    release: (companyId: string, id: string) =>
      request('POST', `/executions/${encodeURIComponent(id)}/release`, { query: { companyId }, body: {} }),
    async transcripts(companyId: string, workflowId: string): Promise<readonly { readonly name: string; readonly text: string }[]> {
      const { results } = await get<{ readonly results: readonly { readonly name: string }[] }>(at(workflowId, '/transcripts'), {
        companyId,
      });
      return Promise.all(
        results.map(async ({ name }) => ({
          name,
          text: String((await request('GET', at(workflowId, `/transcripts/${encodeURIComponent(name)}`), { query: { companyId } })).body),
        })),
      );
    },
    putTranscript: (companyId: string, workflowId: string, name: string, text: string) =>
      request('PUT', at(workflowId, `/transcripts/${encodeURIComponent(name)}`), { query: { companyId }, body: text, text: true }),
    deleteTranscript: (companyId: string, workflowId: string, name: string) =>
      request('DELETE', at(workflowId, `/transcripts/${encodeURIComponent(name)}`), { query: { companyId } }),
  };
}

async function readAnswer(response: Response): Promise<unknown> {
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return isJson ? response.json().catch(() => undefined) : response.text();
}

type Query = { readonly [name: string]: string | number | boolean | undefined };

interface RequestParts {
  readonly query?: Query;
  readonly body?: unknown;
  readonly headers?: { readonly [name: string]: string };
  /** The body is plain text. */
  readonly text?: boolean;
}

function readNodes(answer: unknown): readonly CatalogueEntry[] {
  const list: unknown = isRecord(answer) ? (answer['results'] ?? answer['nodes']) : answer;
  return Array.isArray(list) ? (list as readonly CatalogueEntry[]) : [];
}

function readCanvas(value: unknown): CanvasJson {
  const canvas = asCanvas(value);
  if (canvas === undefined) throw new ApiError(200, 'UNREADABLE', 'The service sent something that is no canvas');
  return canvas;
}

function readDraft(body: unknown, headers: Headers): Draft {
  const draft = isRecord(body) ? body : {};
  const tag = /^(?:W\/)?"(\d+)"$/.exec(headers.get('etag') ?? '')?.[1];
  const { publishedVersion, problems, urls, revision } = draft;
  const production: unknown = isRecord(urls) ? urls['production'] : undefined;
  return {
    canvas: readCanvas(draft['canvas']),
    revision: typeof revision === 'number' ? revision : tag === undefined ? undefined : Number(tag),
    publishedVersion: typeof publishedVersion === 'number' ? publishedVersion : null,
    isPublished: draft['isPublished'] === true,
    gate: isRecord(draft['gate']) ? (draft['gate'] as unknown as Gate) : null,
    lock: isRecord(draft['lock']) ? (draft['lock'] as unknown as WorkflowLock) : null,
    problems: Array.isArray(problems) ? (problems as readonly Problem[]) : [],
    webhooks: isRecord(production) ? (production as { readonly [channel: string]: string }) : {},
  };
}
