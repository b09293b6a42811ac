import { canvasHash } from '@hilo/engine';
import { type Canvas, type Json, type JsonObject, sessionWindowMs } from '@hilo/engine/contract';
import { ask, type DurableStore, read, type Steps, written } from '@hilo/stores';
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
  const companies = await store.runner.read(() => collections.companies.rows());
  const described: JsonObject[] = [];
  for (const company of companies.toSorted((left, right) => Number(left.company_id) - Number(right.company_id))) {
    const contents = await store.runner.read(() => contentsOf(company.company_id));
    described.push(companyFile(company, contents, await workflowsOf(store, company.company_id)));
  }
  return { companies: described };
}

function* contentsOf(companyId: string): Steps<CompanyContents> {
  return {
    clients: yield* collections.clients.rows(companyId),
    apiKeys: yield* collections.apiKeys.rows(companyId),
    bots: yield* collections.bots.rows(companyId),
    users: yield* collections.users.rows(companyId),
    lastMessages: (yield* ask(windows, { companyId: written(companyId) })).map(({ user_id, bot_id, window_until_ms }) => ({
      userId: user_id,
      botId: read(bot_id),
      atMs: (window_until_ms ?? 0) - sessionWindowMs,
    })),
    templates: yield* collections.templates.rows(companyId),
    campaigns: yield* collections.campaigns.rows(companyId),
    recipients: yield* collections.recipients.rows(companyId),
    teams: yield* collections.teams.rows(companyId),
    operators: yield* collections.operators.rows(companyId),
    tags: yield* collections.tags.rows(companyId),
    rooms: yield* collections.rooms.rows(companyId),
    roomTags: yield* collections.roomTags.rows(companyId),
    conversations: yield* collections.conversations.rows(companyId),
    functions: yield* collections.functions.rows(companyId),
    runtimeTokens: yield* collections.runtimeTokens.rows(companyId),
    credentials: yield* collections.credentials.rows(companyId),
  };
}

/** What is published, and beside it the draft where that is another. */
async function workflowsOf(
  { runner, canvases }: Pick<DurableStore, 'runner' | 'canvases'>,
  companyId: string,
): Promise<readonly JsonObject[]> {
  const ids = (await runner.read(() => ask(draftIds, { companyId: written(companyId) }))).map(({ workflow_id }) => read(workflow_id));
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
