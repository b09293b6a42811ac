import { canvasHash } from '@hilo/engine/store-kit';
import type { Problem } from '@hilo/engine/contract';
import { type DurableStore, type Steps, written } from '@hilo/stores';
import { collections } from '../../platform/database/collections.ts';
import { campaignRow, conversationRow, recipientRows, roomRow, roomTagRows } from './company-rows.ts';
import type { PreparedCompany, PreparedWorkflow, WorkspaceParts } from './prepare.ts';
import { writeUsers } from './write-users.ts';

/** Kinds that live on after they came: a workspace brings those that are missing, and never turns back what became of them. */
export const livingKinds = ['users', 'campaigns', 'rooms', 'conversations'] as const;
export type LivingKind = (typeof livingKinds)[number];

/** How many of each kind were missing; of users, those that were missing or different. */
export type LifeWritten = { readonly [Kind in LivingKind]: number };

/** Rows of one transaction: others are served in between. */
const batch = 500;

/** @param onUsers - told how many of the company's users are done */
export async function writeLife(
  parts: Pick<WorkspaceParts, 'store' | 'clock' | 'activateImported'>,
  prepared: PreparedCompany,
  onUsers: (users: number) => void,
): Promise<LifeWritten> {
  const { companyId, company } = prepared;
  const { runner } = parts.store;
  /** Writes what is missing, in transactions of a bounded size; where nothing is, there is none. */
  const addMissing = async <Item, Row>(
    items: readonly Item[],
    missing: (items: readonly Item[]) => Steps<readonly Row[]>,
    add: (rows: readonly Row[], items: readonly Item[]) => Steps<number>,
  ): Promise<number> => {
    let written = 0;
    for (let from = 0; from < items.length; from += batch) {
      const some = items.slice(from, from + batch);
      const rows = await runner.read(() => missing(some));
      if (rows.length > 0) written += await runner.write(() => add(rows, some));
    }
    return written;
  };
  return {
    users: await writeUsers(parts, prepared, onUsers),
    campaigns: await addMissing(
      company.campaigns,
      (campaigns) => collections.campaigns.missing(campaigns.map((campaign) => campaignRow(companyId, campaign))),
      function* (rows, campaigns) {
        const added = yield* idsOf(collections.campaigns.add(rows));
        yield* collections.recipients.add(
          campaigns.filter(({ id }) => added.has(id)).flatMap((campaign) => recipientRows(companyId, campaign)),
        );
        return added.size;
      },
    ),
    rooms: await addMissing(
      company.rooms,
      (rooms) => collections.rooms.missing(rooms.map((room) => roomRow(companyId, room))),
      function* (rows, rooms) {
        const added = yield* idsOf(collections.rooms.add(rows));
        yield* collections.roomTags.add(rooms.filter(({ id }) => added.has(id)).flatMap((room) => roomTagRows(companyId, room)));
        return added.size;
      },
    ),
    conversations: await addMissing(
      company.conversations,
      (conversations) => collections.conversations.missing(conversations.map((conversation) => conversationRow(companyId, conversation))),
      function* (rows) {
        const added = yield* collections.conversations.add(rows);
        yield* parts.activateImported(added, parts.clock.now());
        return added.length;
      },
    ),
  };
}

function* idsOf(rows: Steps<readonly { readonly id: string }[]>): Steps<ReadonlySet<string>> {
  return new Set((yield* rows).map(({ id }) => id));
}

/** What became of one workflow. */
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
 * Keeps the canvases, and publishes those that say so. A canvas that is as it was when it was imported last is left alone:
 * what an author made of it since is not turned back, and there is no second version of the same.
 */
export async function writeWorkflows(
  { engine, store }: Pick<WorkspaceParts, 'engine' | 'store'>,
  { companyId, canvases: { workflows, connections } }: PreparedCompany,
): Promise<readonly ImportedWorkflow[]> {
  const imported: ImportedWorkflow[] = [];
  for (const { canvas, publish, draft, fingerprint, warnings } of workflows) {
    const row = { company_id: companyId, workflow_id: written(canvas.id), fingerprint };
    const before = await store.runner.read(() =>
      collections.importedWorkflows.find({ company_id: companyId, workflow_id: row.workflow_id }),
    );
    const isNew = before?.fingerprint !== fingerprint;
    const isChanged = isNew && !(await isKept(store, companyId, { canvas, publish, draft }));
    if (isChanged) {
      await engine.saveDraft(companyId, canvas, connections);
      if (publish) await engine.publish(companyId, canvas.id, connections);
      if (draft !== undefined) await engine.saveDraft(companyId, draft, connections);
    }
    if (isNew) await store.runner.write(() => collections.importedWorkflows.put([row]));
    const latest = await store.canvases.latest(companyId, canvas.id);
    imported.push({ companyId, workflowId: canvas.id, version: latest?.version ?? null, isChanged, warnings });
  }
  return imported;
}

/** Whether authors have made the very same already: an export that comes back to where it came from. */
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
