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

/** How many conversations a workflow keeps as tests: all of them run on every edit. */
export const mostTranscripts = 200;

/** In characters: as much as a request may hold. */
export const longestTranscript = 1_000_000;

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
  async put(
    { runner }: Store,
    companyId: string,
    workflowId: string,
    { name, content, nowMs }: { readonly name: string; readonly content: string; readonly nowMs: number },
  ): Promise<void> {
    await runner.writeOne(
      call(upsertTranscript, { ...workflowOf(companyId, workflowId), name: encodeText(name), content: encodeText(content), nowMs }),
    );
  },
  /** @returns whether there was one */
  delete: async ({ runner }: Store, companyId: string, workflowId: string, name: string): Promise<boolean> =>
    (await runner.writeOne(call(deleteTranscript, { ...workflowOf(companyId, workflowId), name: encodeText(name) }))) !== undefined,
};
