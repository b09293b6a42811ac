// Conversations that are kept with a workflow as its tests.
import { asCondition, condition, type DurableStore } from '@hilo/stores';
import { transcripts as table } from '../tables/workflows.ts';
import { holdDraft } from './hold-draft.ts';
import { encodeWorkflow } from './schema.ts';

type Store = Pick<DurableStore, 'runner'>;
const { workflowId: ofWorkflow, name: ofName, content: ofContent, updatedAtMs: ofUpdate } = table.columns;

/** What a transcript may be called: a name that every file system accepts. */
export const transcriptName = /^[A-Za-z0-9_.-]{1,100}$/;

const selectNames = table.read(['name', 'updatedAtMs'], { workflowId: ofWorkflow }, (rows, given) =>
  rows.where('workflow_id', '=', given.workflowId).orderBy('name'),
);
const selectContents = table.read(['name', 'content'], { workflowId: ofWorkflow }, (rows, given) =>
  rows.where('workflow_id', '=', given.workflowId).orderBy('name'),
);
const replaceTranscript = table.change(
  { workflowId: ofWorkflow, name: ofName, content: ofContent, updatedAtMs: ofUpdate, before: ofContent },
  (rows, given) =>
    rows
      .set({ content: given.content, updated_at_ms: given.updatedAtMs })
      .where('workflow_id', '=', given.workflowId)
      .where('name', '=', given.name)
      .where('content', '=', given.before),
);

/** How many conversations a workflow keeps as tests: all of them run on every edit. */
export const maxTranscripts = 200;

/** In characters: as much as a request may hold. */
export const longestTranscript = 1_000_000;

interface NewTranscript {
  readonly name: string;
  readonly content: string;
  readonly nowMs: number;
  readonly before?: string | null | undefined;
}

/** Conversations that are kept with a workflow. */
export const transcripts = {
  /** Their names, in order. */
  list: (
    { runner }: Store,
    companyId: string,
    workflowId: string,
  ): Promise<readonly { readonly name: string; readonly updatedAtMs: number }[]> => runner.read(selectNames({ companyId, workflowId })),
  /** All of them, whole: for an export. */
  all: (
    { runner }: Store,
    companyId: string,
    workflowId: string,
  ): Promise<readonly { readonly name: string; readonly content: string }[]> => runner.read(selectContents({ companyId, workflowId })),
  get: async ({ runner }: Store, companyId: string, workflowId: string, name: string): Promise<string | undefined> =>
    (await runner.readOne(table.find({ companyId, workflowId, name })))?.content,
  /**
   * Keeps a transcript of a workflow that has a draft.
   *
   * @param before - what it must replace: this content, or nothing (`null`); anything when left out
   * @returns whether it was kept
   */
  async put({ runner }: Store, companyId: string, workflowId: string, { name, content, nowMs, before }: NewTranscript): Promise<boolean> {
    const transcript = { companyId, workflowId, name, content, updatedAtMs: nowMs };
    const putting =
      before === undefined
        ? table.upsert([transcript])
        : [asCondition(before === null ? table.insertOnce(transcript) : replaceTranscript({ ...transcript, before }))];
    const { failed } = await runner.write([condition(holdDraft, encodeWorkflow(companyId, workflowId)), ...putting]);
    return failed === undefined;
  },
  /** @returns whether there was one */
  delete: async ({ runner }: Store, companyId: string, workflowId: string, name: string): Promise<boolean> =>
    (await runner.writeOne(table.remove({ companyId, workflowId, name }))) !== undefined,
};
