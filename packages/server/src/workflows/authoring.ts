// Drafts as authors save them, and notes of versions: what the engine keeps nothing of.
import type { Canvas } from '@hilo/engine/contract';
import { asCondition, type DurableStore, text } from '@hilo/stores';
import { readOwn } from '../platform/canvas-work/canvas-tasks.ts';
import { companyQuery, query } from '../platform/database/schema.ts';
import { draftRevisions, versionNotes } from '../platform/tables/workflows.ts';

type Store = Pick<DurableStore, 'runner'>;

/** The draft that an author saved last. */
export interface SavedDraft {
  readonly revision: number;
  /** With the places of its cards, which the engine's content leaves out. */
  readonly canvas: Canvas;
  readonly savedAtMs: number | undefined;
  readonly savedBy: string | undefined;
}

const { workflowId: ofWorkflow, revision: ofRevision, hash: ofHash, canvas: ofCanvas } = draftRevisions.columns;

/** Gives a row when the draft is still at the expected revision. */
const updateRevision = draftRevisions.change(
  {
    workflowId: ofWorkflow,
    before: ofRevision,
    revision: ofRevision,
    hash: ofHash,
    canvas: ofCanvas,
    savedAtMs: draftRevisions.columns.savedAtMs,
    savedBy: draftRevisions.columns.savedBy,
  },
  (rows, given) =>
    rows
      .set({ revision: given.revision, hash: given.hash, canvas: given.canvas, saved_at_ms: given.savedAtMs, saved_by: given.savedBy })
      .where('workflow_id', '=', given.workflowId)
      .where('revision', '=', given.before),
);

const draftColumns = { workflowId: text(), hash: text() };

/** Returns a row when there was no draft. */
const insertDraft = query({ companyId: text(), ...draftColumns }, {}, (db, given) =>
  db
    .insertInto('drafts')
    .values({ company_id: given.companyId, workflow_id: given.workflowId, hash: given.hash })
    .onConflict((conflict) => conflict.columns(['company_id', 'workflow_id']).doNothing())
    .returning('hash'),
);

/** Returns a row when the draft is still what the author has read: neither removed nor replaced by an import, and nobody else has locked it. */
const replaceDraft = companyQuery({ ...draftColumns, hashBefore: text(), by: text() }, {}, (company, given) =>
  company
    .updateTable('drafts')
    .set({ hash: given.hash })
    .where('workflow_id', '=', given.workflowId)
    .where('hash', '=', given.hashBefore)
    .where(({ not, exists }) =>
      not(
        exists(
          company
            .selectFrom('workflow_locks')
            .select('workflow_id')
            .where('workflow_id', '=', given.workflowId)
            .where('author', '<>', given.by),
        ),
      ),
    )
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
  const found = await store.runner.readOne(draftRevisions.find({ companyId, workflowId: kept.canvas.id }));
  if (found === undefined || found.hash !== kept.hash)
    return { revision: (found?.revision ?? 0) + 1, canvas: kept.canvas, savedAtMs: undefined, savedBy: undefined };
  const { revision, savedAtMs, savedBy } = found;
  return { revision, canvas: readOwn(found.canvas), savedAtMs, savedBy }; // was read and checked before it was saved
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
  const found = await store.runner.readOne(draftRevisions.find({ companyId, workflowId: canvas.id }));
  const revisionBefore = found?.revision ?? 0;
  if (before !== undefined && revisionBefore > before.revision) return false;
  const draft = { companyId, workflowId: canvas.id, hash };
  const saved = {
    companyId,
    workflowId: canvas.id,
    revision: Math.max(before?.revision ?? 0, revisionBefore) + 1,
    hash,
    canvas: JSON.stringify(canvas),
    savedAtMs: nowMs,
    savedBy: by,
  };
  const { failed } = await store.runner.write([
    before === undefined ? asCondition(insertDraft(draft)) : asCondition(replaceDraft({ ...draft, hashBefore: before.hash, by })),
    asCondition(found === undefined ? draftRevisions.insertOnce(saved) : updateRevision({ ...saved, before: revisionBefore })),
    store.canvases.keepContent(companyId, canvas, hash),
  ]);
  return failed === undefined;
}

const selectNotes = versionNotes.read(['version', 'note', 'publishedBy'], { workflowId: versionNotes.columns.workflowId }, (rows, given) =>
  rows.where('workflow_id', '=', given.workflowId),
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
  const notes = await runner.read(selectNotes({ companyId, workflowId }));
  return new Map(notes.map(({ version, ...note }) => [version, note]));
}

/** Stores the note on a version. A version that was published before keeps its first note. */
export async function saveVersionNote(
  { runner }: Store,
  companyId: string,
  { workflowId, version, note, by }: { readonly workflowId: string; readonly version: number; readonly note: string; readonly by: string },
): Promise<void> {
  await runner.writeOne(versionNotes.insertOnce({ companyId, workflowId, version, note, publishedBy: by }));
}
