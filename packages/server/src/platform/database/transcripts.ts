import { call, condition, type DurableStore, decodeText, encodeText } from '@hilo/stores';
import { holdDraft } from './hold-draft.ts';
import { type Database, encodeWorkflow, statement, type WorkflowKey } from './schema.ts';

type Store = Pick<DurableStore, 'runner'>;
type TranscriptKey = WorkflowKey & { readonly name: string };
type Transcript = TranscriptKey & { readonly content: string; readonly nowMs: number };

/** What a transcript may be called: a name that every file system accepts. */
export const transcriptName = /^[A-Za-z0-9_.-]{1,100}$/;

const fromWorkflow = (db: Database, { companyId, workflowId }: WorkflowKey) =>
  db.selectFrom('transcripts').where('company_id', '=', companyId).where('workflow_id', '=', workflowId);

const insert = (db: Database, { companyId, workflowId, name, content, nowMs }: Transcript) =>
  db.insertInto('transcripts').values({ company_id: companyId, workflow_id: workflowId, name, content, updated_at_ms: nowMs });

const selectNames = statement<WorkflowKey>()((db, workflow) =>
  fromWorkflow(db, workflow).select(['name', 'updated_at_ms']).orderBy('name'),
);
const selectContents = statement<WorkflowKey>()((db, workflow) => fromWorkflow(db, workflow).select(['name', 'content']).orderBy('name'));
const selectContent = statement<TranscriptKey>()((db, given) => fromWorkflow(db, given).select('content').where('name', '=', given.name));
const insertTranscript = statement<Transcript>()((db, given) =>
  insert(db, given)
    .onConflict((conflict) => conflict.columns(['company_id', 'workflow_id', 'name']).doNothing())
    .returning('name'),
);
const upsertTranscript = statement<Transcript>()((db, given) =>
  insert(db, given).onConflict((conflict) =>
    conflict.columns(['company_id', 'workflow_id', 'name']).doUpdateSet({ content: given.content, updated_at_ms: given.nowMs }),
  ),
);
const replaceTranscript = statement<Transcript & { readonly before: string }>()((db, given) =>
  db
    .updateTable('transcripts')
    .set({ content: given.content, updated_at_ms: given.nowMs })
    .where('company_id', '=', given.companyId)
    .where('workflow_id', '=', given.workflowId)
    .where('name', '=', given.name)
    .where('content', '=', given.before)
    .returning('name'),
);
const deleteTranscript = statement<TranscriptKey>()((db, { companyId, workflowId, name }) =>
  db
    .deleteFrom('transcripts')
    .where('company_id', '=', companyId)
    .where('workflow_id', '=', workflowId)
    .where('name', '=', name)
    .returning('name'),
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
  async list(
    { runner }: Store,
    companyId: string,
    workflowId: string,
  ): Promise<readonly { readonly name: string; readonly updatedAtMs: number }[]> {
    const rows = await runner.read(call(selectNames, encodeWorkflow(companyId, workflowId)));
    return rows.map(({ name, updated_at_ms: updatedAtMs }) => ({ name: decodeText(name), updatedAtMs }));
  },
  /** All of them, whole: for an export. */
  async all(
    { runner }: Store,
    companyId: string,
    workflowId: string,
  ): Promise<readonly { readonly name: string; readonly content: string }[]> {
    const rows = await runner.read(call(selectContents, encodeWorkflow(companyId, workflowId)));
    return rows.map(({ name, content }) => ({ name: decodeText(name), content: decodeText(content) }));
  },
  async get({ runner }: Store, companyId: string, workflowId: string, name: string): Promise<string | undefined> {
    const row = await runner.readOne(call(selectContent, { ...encodeWorkflow(companyId, workflowId), name: encodeText(name) }));
    return row === undefined ? undefined : decodeText(row.content);
  },
  /**
   * Keeps a transcript of a workflow that has a draft.
   *
   * @param before - what it must replace: this content, or nothing (`null`); anything when left out
   * @returns whether it was kept
   */
  async put({ runner }: Store, companyId: string, workflowId: string, { name, content, nowMs, before }: NewTranscript): Promise<boolean> {
    const workflow = encodeWorkflow(companyId, workflowId);
    const given = { ...workflow, name: encodeText(name), content: encodeText(content), nowMs };
    const putting =
      before === undefined
        ? call(upsertTranscript, given)
        : before === null
          ? condition(insertTranscript, given)
          : condition(replaceTranscript, { ...given, before: encodeText(before) });
    const { failed } = await runner.write([condition(holdDraft, workflow), putting]);
    return failed === undefined;
  },
  /** @returns whether there was one */
  delete: async ({ runner }: Store, companyId: string, workflowId: string, name: string): Promise<boolean> =>
    (await runner.writeOne(call(deleteTranscript, { ...encodeWorkflow(companyId, workflowId), name: encodeText(name) }))) !== undefined,
};
