// The calls about workflows: their drafts, versions and transcripts.
import type { Problem } from '@hilo/engine/contract';
import { asCanvas, type CanvasJson, isRecord } from '../canvas/canvas-json.ts';
import type { SaveOutcome } from '../saving/saving-machine.ts';
import { ApiError } from './api-error.ts';
import type { Page, Requests } from './requests.ts';

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

/** How many executions are in each version, and where. */
export interface Population {
  readonly versions: readonly {
    readonly version: number;
    readonly running: number;
    readonly waiting: number;
    readonly nodes: readonly { readonly nodeId: string; readonly waiting: number; readonly oldest: string }[];
  }[];
}

const at = (workflowId: string, rest = ''): string => `/workflows/${encodeURIComponent(workflowId)}${rest}`;

/** The calls about workflows. */
export const workflowCalls = ({ get, request }: Requests) => ({
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
      return notSaved(error);
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
});

/** The calls about the transcripts of a workflow. */
export const transcriptCalls = ({ get, request }: Requests) => ({
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
});

/** Why a draft was not saved, as far as it is to be expected. */
function notSaved(error: ApiError): SaveOutcome {
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
