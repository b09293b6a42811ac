// What drafts and publishing work with, and what a canvas is checked against.
import type { ChannelAdapter } from '@hilo/channels';
import type { Resolved } from '@hilo/engine/debug';
import { formatReferenceKey, judgeTool } from '@hilo/engine/authoring';
import { type Canvas, type Channel, type Gate, isJsonObject, type JsonObject, type Problem, type Reference } from '@hilo/engine/contract';
import { type DurableStore, integer, text } from '@hilo/stores';
import { companyQuery } from '../platform/database/schema.ts';
import { formatInstant, workflowNotFound } from '../platform/http/admin.ts';
import type { Platform } from '../platform/platform.ts';
import { requireWorkflowCompany, type Tenancy } from '../tenants/companies.ts';
import { isHere, operators, teams } from '../platform/tables/conversations.ts';
import { segments } from '../platform/tables/segments.ts';
import { tags } from '../platform/tables/tags.ts';
import { judgeTemplate } from '../tenants/unsendable-templates.ts';
import type { Functions } from '../functions/functions.ts';
import type { CanvasWork, Checks } from '../platform/canvas-work/canvas-work.ts';
import type { CanvasReading } from '../platform/canvas-work/canvas-tasks.ts';
import { hasGroup } from '../segments/segments.ts';
import { toolSources } from './tool-sources.ts';

/** What drafts and publishing work with. */
export type WorkflowParts = Pick<Platform, 'settings' | 'engine' | 'store' | 'nodes' | 'effects' | 'clock' | 'log'> &
  Tenancy & {
    readonly functions?: Functions;
    readonly canvasWork: CanvasWork;
    readonly channels: { readonly adapters: readonly ChannelAdapter[] };
  };

/**
 * What publishing a canvas in a company checks it against, so that `POST /admin/v1/validate` and publishing itself have one list: the
 * channels that its company has connected, and which of the records that it names the company has. Templates, credentials and
 * functions of another company count as missing (T19, P28).
 *
 * @param outside - the id of the canvas, and what it refers to
 */
export async function findChecks(
  service: ConnectionSources & Pick<WorkflowParts, 'effects' | 'nodes'>,
  companyId: string,
  { id, references, beginsWithMessage }: Pick<CanvasReading, 'references' | 'beginsWithMessage'> & { readonly id: string },
): Promise<Checks> {
  const company = service.companies.company(companyId);
  const known = new Map<string, Resolved>();
  const sources = toolSources(service, companyId);
  for (const reference of references) {
    const exists = await lookUp(service, companyId, id, reference);
    known.set(formatReferenceKey(reference), exists === true ? await judgeTool(sources, reference) : exists);
  }
  return {
    channels: listChannels(service, companyId),
    published: beginsWithMessage
      ? (await service.store.canvases.published(companyId)).filter(
          ({ workflowId, gate }) => gate?.state !== 'unpublished' && !service.companies.isArchived(companyId, workflowId),
        )
      : [],
    resolve: (reference) => known.get(formatReferenceKey(reference)),
    effects: service.effects,
    userFields: (company?.fields ?? []).map(({ key, type }) => ({ key, type })),
    settings: settingNames(company?.settings ?? {}),
  };
}

/** The names of settings that a canvas may read: a bot for tests reads those below `test` first. */
const settingNames = (settings: JsonObject): readonly string[] => {
  const { test } = settings;
  return [...new Set([...Object.keys(settings), ...(isJsonObject(test) ? Object.keys(test) : [])])];
};

/** Checks a valid canvas of a company, as publishing does. */
export async function checkForCompany(
  service: ConnectionSources & Pick<WorkflowParts, 'effects' | 'nodes' | 'canvasWork'>,
  companyId: string,
  canvas: Canvas,
): Promise<readonly Problem[]> {
  const outside = await service.canvasWork.references(companyId, canvas);
  if (outside.stopped !== undefined) return [outside.stopped];
  const checks = await findChecks(service, companyId, { id: canvas.id, ...outside });
  const [problems = []] = await service.canvasWork.check(companyId, [{ canvas, references: outside.references }], checks);
  return problems;
}

/** Where references are looked up. */
export type ConnectionSources = Pick<WorkflowParts, 'companies' | 'store' | 'functions' | 'channels'>;

/** The channels a company has connected, each once. */
export const listChannels = ({ companies }: Pick<WorkflowParts, 'companies'>, companyId: string) => [
  ...new Set(companies.bots(companyId).map(({ channel }) => channel)),
];

/** A workflow exists from its first draft on, so that two that call each other can be published one after the other. */
async function lookUp(
  { companies, functions, channels, store: { canvases, runner } }: ConnectionSources,
  companyId: string,
  canvasId: string,
  { kind, id, version, suits }: Reference,
): Promise<ReturnType<NonNullable<Checks['resolve']>>> {
  const numbered = { companyId, id: Number(id) };
  switch (kind) {
    case 'workflow':
      if (version !== undefined) return (await canvases.version(companyId, id, version)) !== undefined;
      return id === canvasId || (await canvases.draft(companyId, id)) !== undefined || (await canvases.latest(companyId, id)) !== undefined;
    case 'template': {
      const all = companies.templates(companyId);
      const kindOf = (botId: string) => companies.botOf(companyId, botId)?.provider.kind;
      return judgeTemplate(id, all, channels.adapters, kindOf) ?? all.some((one) => one.id === id || one.elementName === id);
    }
    case 'credential': {
      const kindThere = (await companies.credential(companyId, id))?.['kind'];
      return kindThere === undefined || typeof kindThere !== 'string' || suits?.includes(kindThere) !== false
        ? kindThere !== undefined
        : { otherKind: kindThere };
    }
    case 'segment':
      return (await runner.readOne(segments.find({ companyId, name: id }))) !== undefined;
    case 'group':
      return hasGroup(runner, companyId, id);
    case 'function':
      return functions === undefined ? undefined : (await functions.owner(id)) === companyId;
    case 'tag':
      return (await runner.readOne(tags.find(numbered))) !== undefined;
    case 'team':
      return (await runner.readOne(teams.find(numbered))) !== undefined;
    case 'operator': {
      const operator = await runner.readOne(operators.find(numbered));
      return operator !== undefined && isHere(operator);
    }
  }
}

/** The company of a workflow that has a draft. @throws {HttpError} 404, 422 */
export async function requireDraftOwner(
  service: Pick<WorkflowParts, 'companies' | 'store' | 'engine'>,
  companyId: string | undefined,
  workflowId: string,
): Promise<string> {
  const owner = await requireWorkflowCompany(service, companyId, workflowId);
  if ((await service.store.canvases.draft(owner, workflowId)) === undefined) throw workflowNotFound(workflowId);
  return owner;
}

/** A draft with what is known of it. */
export interface DraftFacts {
  readonly canvas: Canvas;
  readonly hash: string;
  readonly latest: { readonly version: number; readonly hash: string; readonly gate?: Gate } | undefined;
}

/** What lists show of a draft. */
export const describeDraftBriefly = ({ canvas, hash, latest }: DraftFacts) => ({
  workflowId: canvas.id,
  hash,
  publishedVersion: latest?.version ?? null,
  isPublished: latest?.hash === hash,
  gate: describeGate(latest?.gate),
});

/** What keeps a workflow from being started, as management shows it. */
export const describeGate = (gate: Gate | undefined) =>
  gate === undefined
    ? null
    : {
        state: gate.state,
        says: gate.says ?? null,
        children: gate.children,
        at: formatInstant(gate.atMs),
        by: gate.by ?? null,
        until: gate.untilMs === undefined ? null : formatInstant(gate.untilMs),
      };

/** A draft, whole. @param base - what the gateway's addresses begin with, such as `https://hilo.example` */
export const describeDraft = (
  facts: DraftFacts,
  problems: readonly Problem[],
  { service, companyId, base }: { readonly service: Pick<WorkflowParts, 'companies'>; readonly companyId: string; readonly base: string },
) => ({
  ...describeDraftBriefly(facts),
  isArchived: service.companies.isArchived(companyId, facts.canvas.id),
  canvas: facts.canvas,
  problems: [...problems],
  urls: buildWebhookUrls(facts.canvas, listChannels(service, companyId), base),
});

/** The addresses of the webhook node, by channel (WEB-01, WEB-02, WEB-04). */
function buildWebhookUrls(canvas: Canvas, channels: readonly Channel[], base: string) {
  const node = canvas.nodes.find(({ type }) => type === 'webhook');
  if (node === undefined) return null;
  const address = (channel: Channel, route: string) =>
    `${base}/workflows/v2/webhooks/skill/${encodeURIComponent(canvas.id)}/${channel}/${route}${encodeURIComponent(node.id)}`;
  const byChannel = (route: string): { readonly [Name in Channel]?: string } =>
    Object.fromEntries(channels.map((channel) => [channel, address(channel, route)]));
  return { production: byChannel(''), test: byChannel('test/') };
}

/** A draft with all that is wrong with it; `undefined` where there is none. */
export async function readDraft(
  service: ConnectionSources & Pick<WorkflowParts, 'effects' | 'nodes' | 'canvasWork'>,
  companyId: string,
  workflowId: string,
): Promise<(DraftFacts & { readonly problems: readonly Problem[] }) | undefined> {
  const { canvases } = service.store;
  const draft = await canvases.draft(companyId, workflowId);
  if (draft === undefined) return undefined;
  const problems = await checkForCompany(service, companyId, draft.canvas);
  return { ...draft, latest: await canvases.latest(companyId, workflowId), problems };
}

const draftsAfter = companyQuery({ after: text(), limit: integer() }, { workflowId: text() }, (company, { after, limit }) =>
  company.selectFrom('drafts').select('workflow_id').where('workflow_id', '>', after).orderBy('workflow_id').limit(limit),
);

/** The ids of a company's workflows, in their order; the cursor is the last id of the page before. */
export async function readDraftsPage(
  { runner }: Pick<DurableStore, 'runner'>,
  companyId: string,
  { limit, cursor = '' }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<{ readonly workflowIds: readonly string[]; readonly nextCursor: string | null }> {
  const rows = await runner.read(draftsAfter({ companyId, after: cursor, limit: limit + 1 }));
  const workflowIds = rows.slice(0, limit).map(({ workflowId }) => workflowId);
  return { workflowIds, nextCursor: rows.length > limit ? (workflowIds.at(-1) ?? null) : null };
}
