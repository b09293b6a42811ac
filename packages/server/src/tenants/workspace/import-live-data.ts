import { canvasHash } from '@hilo/engine/store-kit';
import type { Problem } from '@hilo/engine/contract';
import { condition, type DurableStore, type Call } from '@hilo/stores';
import { campaigns, recipients } from '../../platform/tables/campaigns.ts';
import { importedWorkflows } from '../../platform/tables/companies.ts';
import { conversations, rooms, roomTags } from '../../platform/tables/conversations.ts';
import { holdDraft } from '../../platform/database/hold-draft.ts';
import { encodeWorkflow } from '../../platform/database/schema.ts';
import { transcripts } from '../../platform/database/transcripts.ts';
import { campaignItem, conversationItem, recipientItems } from './company-items.ts';
import type { PreparedCompany, PreparedWorkflow, WorkspaceParts } from './prepare.ts';
import { writeUsers } from './write-users.ts';

/** Kinds that change after an import: a workspace adds missing rows and never overwrites existing ones. */
export const liveKinds = ['users', 'campaigns', 'rooms', 'conversations'] as const;
export type LiveKind = (typeof liveKinds)[number];

/** How many rows of each kind were missing; of users, missing or different. */
export type LiveDataWritten = { readonly [Kind in LiveKind]: number };

/** Rows of one transaction: other requests are served in between. */
const batch = 500;

/** @param onUsers - called with how many of the company's users are done */
export async function importLiveData(
  parts: Pick<WorkspaceParts, 'store' | 'clock' | 'activateImported'>,
  prepared: PreparedCompany,
  onUsers: (users: number) => void,
): Promise<LiveDataWritten> {
  const { companyId, company } = prepared;
  const { runner } = parts.store;
  /** Inserts missing rows, in transactions of a bounded size; none when nothing is missing. */
  const addMissing = async <Item, Row>(
    items: readonly Item[],
    missing: (items: readonly Item[]) => Promise<readonly Row[]>,
    adding: (rows: readonly Row[], items: readonly Item[]) => readonly Call[],
  ): Promise<number> => {
    let added = 0;
    for (let from = 0; from < items.length; from += batch) {
      const some = items.slice(from, from + batch);
      // When another import adds some of them first, the write fails, and the missing ones are read again.
      for (let rows = await missing(some); rows.length > 0; rows = await missing(some)) {
        const { failed } = await runner.write(adding(rows, some));
        if (failed !== undefined) continue;
        added += rows.length;
        break;
      }
    }
    return added;
  };
  return {
    users: await writeUsers(parts, prepared, onUsers),
    campaigns: await addMissing(
      company.campaigns,
      (some) =>
        campaigns.missing(
          runner,
          some.map((campaign) => campaignItem(companyId, campaign)),
        ),
      (rows, some) => [
        ...campaigns.insert(rows),
        ...recipients.insertMissing(filterByRows(rows, some).flatMap((campaign) => recipientItems(companyId, campaign))),
      ],
    ),
    rooms: await addMissing(
      company.rooms,
      (some) =>
        rooms.missing(
          runner,
          some.map((room) => ({ companyId, ...room })),
        ),
      (rows, some) => [
        ...rooms.insert(rows),
        ...roomTags.insertMissing(
          filterByRows(rows, some).flatMap(({ id, tags }) => tags.map((tagId) => ({ companyId, roomId: id, tagId }))),
        ),
      ],
    ),
    conversations: await addMissing(
      company.conversations,
      (some) =>
        conversations.missing(
          runner,
          some.map((conversation) => conversationItem(companyId, conversation)),
        ),
      (rows) => [...conversations.insert(rows), ...parts.activateImported(rows, parts.clock.now())],
    ),
  };
}

/** The items that have a row among these. */
function filterByRows<Item extends { readonly id: string }>(
  rows: readonly { readonly id: string }[],
  items: readonly Item[],
): readonly Item[] {
  const ids = new Set(rows.map(({ id }) => id));
  return items.filter(({ id }) => ids.has(id));
}

/** The result of importing one workflow. */
export interface ImportedWorkflow {
  readonly companyId: string;
  readonly workflowId: string;
  /** The latest published version; null when there is none. */
  readonly version: number | null;
  /** Whether this import wrote it. */
  readonly isChanged: boolean;
  /** What the check of the canvas warns of; the errors of a draft that is not to be published, too. */
  readonly warnings: readonly Problem[];
}

/**
 * Stores the canvases, and publishes those marked so. A canvas that equals its last import is left alone: an author's changes since are
 * not reverted, and no second version of the same content is made.
 */
export async function writeWorkflows(
  { engine, store, clock }: Pick<WorkspaceParts, 'engine' | 'store' | 'clock'>,
  { companyId, canvases: { workflows, connections } }: PreparedCompany,
): Promise<readonly ImportedWorkflow[]> {
  const imported: ImportedWorkflow[] = [];
  for (const { canvas, publish, draft, transcripts: tests, fingerprint, warnings } of workflows) {
    const place = encodeWorkflow(companyId, canvas.id);
    const key = { companyId, workflowId: canvas.id };
    const before = await store.runner.readOne(importedWorkflows.find(key));
    const isNew = before?.fingerprint !== fingerprint;
    const isChanged = isNew && !(await isKept(store, companyId, { canvas, publish, draft }));
    if (isChanged) {
      await engine.saveDraft(companyId, canvas);
      if (publish) await engine.publish(companyId, canvas.id, connections);
      if (draft !== undefined) await engine.saveDraft(companyId, draft);
    }
    if (isNew) {
      for (const [name, content] of Object.entries(tests))
        await transcripts.put(store, companyId, canvas.id, { name, content, nowMs: clock.now() });
      // Not of a workflow that was removed meanwhile: the next import would leave it out.
      await store.runner.write([condition(holdDraft, place), ...importedWorkflows.upsert([{ ...key, fingerprint }])]);
    }
    const latest = await store.canvases.latest(companyId, canvas.id);
    imported.push({ companyId, workflowId: canvas.id, version: latest?.version ?? null, isChanged, warnings });
  }
  return imported;
}

/** Whether the stored workflow has the same content already: an export that is imported where it came from. */
async function isKept(
  { canvases }: Pick<DurableStore, 'canvases'>,
  companyId: string,
  { canvas, publish, draft = canvas }: Pick<PreparedWorkflow, 'canvas' | 'publish' | 'draft'>,
): Promise<boolean> {
  const kept = await canvases.draft(companyId, canvas.id);
  if (kept?.hash !== canvasHash(draft)) return false;
  const latest = await canvases.latest(companyId, canvas.id);
  return !publish || (latest !== undefined && canvasHash(latest.canvas) === canvasHash(canvas));
}
