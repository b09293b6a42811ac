import type { Canvas } from '@hilo/engine/contract';
import { call, condition, type DurableStore, decodeText, encodeText } from '@hilo/stores';
import { readOwn } from '../platform/canvas-work/canvas-tasks.ts';
import { encodeWorkflow, statement, type WorkflowKey } from '../platform/database/schema.ts';

type Store = Pick<DurableStore, 'runner'>;

/** The draft that an author saved last. */
export interface SavedDraft {
  readonly revision: number;
  /** With the places of its cards, which the engine's content leaves out. */
  readonly canvas: Canvas;
  readonly savedAtMs: number | undefined;
  readonly savedBy: string | undefined;
}

const selectDraft = statement<WorkflowKey>()((db, { companyId, workflowId }) =>
  db
    .selectFrom('draft_revisions')
    .select(['revision', 'hash', 'canvas', 'saved_at_ms', 'saved_by'])
    .where('company_id', '=', companyId)
    .where('workflow_id', '=', workflowId),
);

type Save = WorkflowKey & {
  readonly revision: number;
  readonly before: number;
  readonly hash: string;
  readonly canvas: string;
  readonly nowMs: number;
  readonly by: string;
};

const insertRevision = statement<Save>()((db, given) =>
  db
    .insertInto('draft_revisions')
    .values({
      company_id: given.companyId,
      workflow_id: given.workflowId,
      revision: given.revision,
      hash: given.hash,
      canvas: given.canvas,
      saved_at_ms: given.nowMs,
      saved_by: given.by,
    })
    .onConflict((conflict) => conflict.columns(['company_id', 'workflow_id']).doNothing())
    .returning('revision'),
);

/** Returns a row when the draft is still at the expected revision. */
const updateRevision = statement<Save>()((db, given) =>
  db
    .updateTable('draft_revisions')
    .set({ revision: given.revision, hash: given.hash, canvas: given.canvas, saved_at_ms: given.nowMs, saved_by: given.by })
    .where('company_id', '=', given.companyId)
    .where('workflow_id', '=', given.workflowId)
    .where('revision', '=', given.before)
    .returning('revision'),
);

/** Returns a row when there was no draft. */
const insertDraft = statement<WorkflowKey & { readonly hash: string }>()((db, given) =>
  db
    .insertInto('drafts')
    .values({ company_id: given.companyId, workflow_id: given.workflowId, hash: given.hash })
    .onConflict((conflict) => conflict.columns(['company_id', 'workflow_id']).doNothing())
    .returning('hash'),
);

/** Returns a row when the draft is still what the author has read: neither removed nor replaced by an import. */
const replaceDraft = statement<WorkflowKey & { readonly hash: string; readonly hashBefore: string }>()((db, given) =>
  db
    .updateTable('drafts')
    .set({ hash: given.hash })
    .where('company_id', '=', given.companyId)
    .where('workflow_id', '=', given.workflowId)
    .where('hash', '=', given.hashBefore)
    .returning('hash'),
);

/**
 * The draft with its revision. A draft that was replaced without counting a revision, such as by an import, has the revision after the
 * last counted one.
 *
 * @param kept - the engine's draft
 */
export async function readSavedDraft(
  store: Store,
  companyId: string,
  kept: { readonly canvas: Canvas; readonly hash: string },
): Promise<SavedDraft> {
  const row = await store.runner.readOne(call(selectDraft, encodeWorkflow(companyId, kept.canvas.id)));
  if (row === undefined || decodeText(row.hash) !== kept.hash)
    return { revision: (row?.revision ?? 0) + 1, canvas: kept.canvas, savedAtMs: undefined, savedBy: undefined };
  const canvas = readOwn(decodeText(row.canvas)); // was read and checked before it was saved
  return { revision: row.revision, canvas, savedAtMs: row.saved_at_ms, savedBy: decodeText(row.saved_by) };
}

/**
 * Saves a draft over the one that its author has read, with its revision and in one transaction: a removal comes before it or after it.
 *
 * @param before - what is replaced; `undefined` where there is no draft
 * @returns whether that was still so; nothing is written otherwise
 */
export async function saveDraftOver(
  store: Pick<DurableStore, 'runner' | 'canvases'>,
  companyId: string,
  {
    canvas,
    hash,
    before,
    nowMs,
    by,
  }: {
    readonly canvas: Canvas;
    readonly hash: string;
    readonly before: { readonly revision: number; readonly hash: string } | undefined;
    readonly nowMs: number;
    readonly by: string;
  },
): Promise<boolean> {
  const place = encodeWorkflow(companyId, canvas.id);
  const row = await store.runner.readOne(call(selectDraft, place));
  const revisionBefore = row?.revision ?? 0;
  if (before !== undefined && revisionBefore > before.revision) return false;
  const draft = { ...place, hash: encodeText(hash) };
  const revision = {
    ...draft,
    revision: Math.max(before?.revision ?? 0, revisionBefore) + 1,
    before: revisionBefore,
    canvas: encodeText(JSON.stringify(canvas)),
    nowMs,
    by: encodeText(by),
  };
  const { failed } = await store.runner.write([
    before === undefined ? condition(insertDraft, draft) : condition(replaceDraft, { ...draft, hashBefore: encodeText(before.hash) }),
    condition(row === undefined ? insertRevision : updateRevision, revision),
    store.canvases.keepContent(companyId, canvas, hash),
  ]);
  return failed === undefined;
}

const selectNotes = statement<WorkflowKey>()((db, { companyId, workflowId }) =>
  db
    .selectFrom('version_notes')
    .select(['version', 'note', 'published_by'])
    .where('company_id', '=', companyId)
    .where('workflow_id', '=', workflowId),
);
const insertNote = statement<WorkflowKey & { readonly version: number; readonly note: string; readonly by: string }>()((db, given) =>
  db
    .insertInto('version_notes')
    .values({
      company_id: given.companyId,
      workflow_id: given.workflowId,
      version: given.version,
      note: given.note,
      published_by: given.by,
    })
    .onConflict((conflict) => conflict.columns(['company_id', 'workflow_id', 'version']).doNothing()),
);

/** An author's note on a published version. */
export interface VersionNote {
  readonly note: string;
  readonly publishedBy: string;
}

/** The notes of the versions of a workflow, by version. */
export async function readVersionNotes(
  { runner }: Store,
  companyId: string,
  workflowId: string,
): Promise<ReadonlyMap<number, VersionNote>> {
  const rows = await runner.read(call(selectNotes, encodeWorkflow(companyId, workflowId)));
  return new Map(rows.map(({ version, note, published_by: by }) => [version, { note: decodeText(note), publishedBy: decodeText(by) }]));
}

/** Stores the note on a version. A version that was published before keeps its first note. */
export async function saveVersionNote(
  { runner }: Store,
  companyId: string,
  { workflowId, version, note, by }: { readonly workflowId: string; readonly version: number; readonly note: string; readonly by: string },
): Promise<void> {
  await runner.writeOne(
    call(insertNote, { ...encodeWorkflow(companyId, workflowId), version, note: encodeText(note), by: encodeText(by) }),
  );
}
