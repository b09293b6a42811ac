import { call, type DurableStore, decodeText, encodeText } from '@hilo/stores';
import { statement } from './schema.ts';

type Store = Pick<DurableStore, 'runner'>;
type Workflow = { readonly companyId: string; readonly workflowId: string };

/** What a transcript may be called: a name of a file, everywhere. */
export const transcriptName = /^[A-Za-z0-9_.-]{1,100}$/;

const workflowOf = (companyId: string, workflowId: string): Workflow => ({
  companyId: encodeText(companyId),
  workflowId: encodeText(workflowId),
});

const transcriptsOf = statement<Workflow>()((db, { companyId, workflowId }) =>
  db
    .selectFrom('transcripts')
    .select(['name', 'updated_at_ms'])
    .where('company_id', '=', companyId)
    .where('workflow_id', '=', workflowId)
    .orderBy('name'),
);
const transcriptOf = statement<Workflow & { readonly name: string }>()((db, { companyId, workflowId, name }) =>
  db
    .selectFrom('transcripts')
    .select('content')
    .where('company_id', '=', companyId)
    .where('workflow_id', '=', workflowId)
    .where('name', '=', name),
);
const wholeTranscripts = statement<Workflow>()((db, { companyId, workflowId }) =>
  db
    .selectFrom('transcripts')
    .select(['name', 'content'])
    .where('company_id', '=', companyId)
    .where('workflow_id', '=', workflowId)
    .orderBy('name'),
);
const deleteTranscript = statement<Workflow & { readonly name: string }>()((db, { companyId, workflowId, name }) =>
  db
    .deleteFrom('transcripts')
    .where('company_id', '=', companyId)
    .where('workflow_id', '=', workflowId)
    .where('name', '=', name)
    .returning('name'),
);
const upsertTranscript = statement<Workflow & { readonly name: string; readonly content: string; readonly nowMs: number }>()((db, given) =>
  db
    .insertInto('transcripts')
    .values({
      company_id: given.companyId,
      workflow_id: given.workflowId,
      name: given.name,
      content: given.content,
      updated_at_ms: given.nowMs,
    })
    .onConflict((conflict) =>
      conflict.columns(['company_id', 'workflow_id', 'name']).doUpdateSet({ content: given.content, updated_at_ms: given.nowMs }),
    ),
);

const insertTranscript = statement<Workflow & { readonly name: string; readonly content: string; readonly nowMs: number }>()((db, given) =>
  db
    .insertInto('transcripts')
    .values({
      company_id: given.companyId,
      workflow_id: given.workflowId,
      name: given.name,
      content: given.content,
      updated_at_ms: given.nowMs,
    })
    .onConflict((conflict) => conflict.columns(['company_id', 'workflow_id', 'name']).doNothing())
    .returning('name'),
);
const replaceTranscript = statement<
  Workflow & { readonly name: string; readonly content: string; readonly nowMs: number; readonly before: string }
>()((db, given) =>
  db
    .updateTable('transcripts')
    .set({ content: given.content, updated_at_ms: given.nowMs })
    .where('company_id', '=', given.companyId)
    .where('workflow_id', '=', given.workflowId)
    .where('name', '=', given.name)
    .where('content', '=', given.before)
    .returning('name'),
);

/** How many conversations a workflow keeps as tests: all of them run on every edit. */
export const mostTranscripts = 200;

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
    const rows = await runner.read(call(transcriptsOf, workflowOf(companyId, workflowId)));
    return rows.map(({ name, updated_at_ms: updatedAtMs }) => ({ name: decodeText(name), updatedAtMs }));
  },
  /** All of them, whole: for an export. */
  async all(
    { runner }: Store,
    companyId: string,
    workflowId: string,
  ): Promise<readonly { readonly name: string; readonly content: string }[]> {
    const rows = await runner.read(call(wholeTranscripts, workflowOf(companyId, workflowId)));
    return rows.map(({ name, content }) => ({ name: decodeText(name), content: decodeText(content) }));
  },
  async get({ runner }: Store, companyId: string, workflowId: string, name: string): Promise<string | undefined> {
    const row = await runner.readOne(call(transcriptOf, { ...workflowOf(companyId, workflowId), name: encodeText(name) }));
    return row === undefined ? undefined : decodeText(row.content);
  },
  /**
   * Keeps a transcript.
   *
   * @param before - what it must replace: this content, or nothing (`null`); anything when left out
   * @returns whether it was kept
   */
  async put({ runner }: Store, companyId: string, workflowId: string, { name, content, nowMs, before }: NewTranscript): Promise<boolean> {
    const given = { ...workflowOf(companyId, workflowId), name: encodeText(name), content: encodeText(content), nowMs };
    if (before === null) return (await runner.writeOne(call(insertTranscript, given))) !== undefined;
    if (before !== undefined)
      return (await runner.writeOne(call(replaceTranscript, { ...given, before: encodeText(before) }))) !== undefined;
    await runner.writeOne(call(upsertTranscript, given));
    return true;
  },
  /** @returns whether there was one */
  delete: async ({ runner }: Store, companyId: string, workflowId: string, name: string): Promise<boolean> =>
    (await runner.writeOne(call(deleteTranscript, { ...workflowOf(companyId, workflowId), name: encodeText(name) }))) !== undefined,
};
