import { canvasHash } from '@hilo/engine';
import { type Canvas, type Json, type JsonObject, sessionWindowMs } from '@hilo/engine/contract';
import { call, type DurableStore, read, type Runner, written } from '@hilo/stores';
import { collections } from '../../platform/database/collections.ts';
import { statement } from '../../platform/database/statement.ts';
import { companyFile, type CompanyContents } from './company-file.ts';

const windows = statement<{ readonly companyId: string }>()((db, { companyId }) =>
  db
    .selectFrom('contacts')
    .innerJoin('users', (join) =>
      join.onRef('users.company_id', '=', 'contacts.company_id').onRef('users.user_key', '=', 'contacts.user_key'),
    )
    .select(['users.user_id', 'contacts.bot_id', 'contacts.window_until_ms'])
    .where('contacts.company_id', '=', companyId)
    .where('contacts.window_until_ms', 'is not', null),
);

const draftIds = statement<{ readonly companyId: string }>()((db, { companyId }) =>
  db.selectFrom('drafts').select('workflow_id').where('company_id', '=', companyId).orderBy('workflow_id'),
);

/**
 * All that is configured, as a workspace has it, canvases and modules in it. No secret is: imported where it came from, it
 * changes nothing; imported elsewhere, the secrets have to be added first.
 */
export async function exportWorkspace({ store }: { readonly store: Pick<DurableStore, 'runner' | 'canvases'> }): Promise<JsonObject> {
  const companies = await store.runner.read(collections.companies.rows());
  const described: JsonObject[] = [];
  for (const company of companies.toSorted((left, right) => Number(left.company_id) - Number(right.company_id))) {
    const contents = await contentsOf(store.runner, company.company_id);
    described.push(companyFile(company, contents, await workflowsOf(store, company.company_id)));
  }
  return { companies: described };
}

async function contentsOf(runner: Runner, companyId: string): Promise<CompanyContents> {
  return {
    clients: await runner.read(collections.clients.rows(companyId)),
    apiKeys: await runner.read(collections.apiKeys.rows(companyId)),
    bots: await runner.read(collections.bots.rows(companyId)),
    users: await runner.read(collections.users.rows(companyId)),
    lastMessages: (await runner.read(call(windows, { companyId: written(companyId) }))).map(({ user_id, bot_id, window_until_ms }) => ({
      userId: user_id,
      botId: read(bot_id),
      atMs: (window_until_ms ?? 0) - sessionWindowMs,
    })),
    templates: await runner.read(collections.templates.rows(companyId)),
    campaigns: await runner.read(collections.campaigns.rows(companyId)),
    recipients: await runner.read(collections.recipients.rows(companyId)),
    teams: await runner.read(collections.teams.rows(companyId)),
    operators: await runner.read(collections.operators.rows(companyId)),
    tags: await runner.read(collections.tags.rows(companyId)),
    rooms: await runner.read(collections.rooms.rows(companyId)),
    roomTags: await runner.read(collections.roomTags.rows(companyId)),
    conversations: await runner.read(collections.conversations.rows(companyId)),
    functions: await runner.read(collections.functions.rows(companyId)),
    runtimeTokens: await runner.read(collections.runtimeTokens.rows(companyId)),
    credentials: await runner.read(collections.credentials.rows(companyId)),
  };
}

/** What is published, and beside it the draft where that is another. */
async function workflowsOf(
  { runner, canvases }: Pick<DurableStore, 'runner' | 'canvases'>,
  companyId: string,
): Promise<readonly JsonObject[]> {
  const ids = (await runner.read(call(draftIds, { companyId: written(companyId) }))).map(({ workflow_id }) => read(workflow_id));
  return Promise.all(
    ids.map(async (id) => {
      const [latest, draft] = await Promise.all([canvases.latest(companyId, id), canvases.draft(companyId, id)]);
      if (latest === undefined) return draft === undefined ? {} : { canvas: plain(draft.canvas), publish: false };
      const isAhead = draft !== undefined && draft.hash !== canvasHash(latest.canvas);
      return { canvas: plain(latest.canvas), publish: true, ...(isAhead && { draft: plain(draft.canvas) }) };
    }),
  );
}

/** A canvas as JSON: fields that are not there are left out. */
const plain = (canvas: Canvas): Json => JSON.parse(JSON.stringify(canvas)) as Json;
