import { canvasHash } from '@hilo/engine/store-kit';
import { type Canvas, isJsonObject, type Json, type JsonObject, sessionWindowMs } from '@hilo/engine/contract';
import { call, type DurableStore, decodeText, type ItemOf, type Runner, encodeText, type Call } from '@hilo/stores';
import { collections } from '../../platform/database/collections.ts';
import { statement } from '../../platform/database/schema.ts';
import { transcripts } from '../../platform/database/transcripts.ts';
import type { BotRow, CompanyRow, CredentialRow, UserRow } from '../../platform/database/workspace-rows.ts';
import { tags } from '../../platform/tables/tags.ts';
import { templates } from '../../platform/tables/templates.ts';

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
 * The configuration as a workspace, including canvases and modules, without secrets: importing it into the same store changes
 * nothing; importing it elsewhere needs the secrets to be added first.
 */
export async function exportWorkspace({ store }: { readonly store: Pick<DurableStore, 'runner' | 'canvases'> }): Promise<JsonObject> {
  const companies = await store.runner.read(collections.companies.rows());
  const described: JsonObject[] = [];
  for (const company of companies.toSorted((left, right) => Number(left.company_id) - Number(right.company_id))) {
    const contents = await readContents(store.runner, company.company_id);
    described.push(describeCompanyContents(company, contents, await readWorkflows(store, company.company_id)));
  }
  return { companies: described };
}

async function readContents(runner: Runner, companyId: string): Promise<CompanyContents> {
  return {
    clients: await runner.read(collections.clients.rows(companyId)),
    apiKeys: await runner.read(collections.apiKeys.rows(companyId)),
    bots: await runner.read(collections.bots.rows(companyId)),
    users: await runner.read(collections.users.rows(companyId)),
    lastMessages: (await runner.read(call(windows, { companyId: encodeText(companyId) }))).map(({ user_id, bot_id, window_until_ms }) => ({
      userId: user_id,
      botId: decodeText(bot_id),
      atMs: (window_until_ms ?? 0) - sessionWindowMs,
    })),
    templates: await runner.read(templates.all(companyId)),
    campaigns: await runner.read(collections.campaigns.rows(companyId)),
    recipients: await runner.read(collections.recipients.rows(companyId)),
    teams: await runner.read(collections.teams.rows(companyId)),
    operators: await runner.read(collections.operators.rows(companyId)),
    tags: await runner.read(tags.all(companyId)),
    rooms: await runner.read(collections.rooms.rows(companyId)),
    roomTags: await runner.read(collections.roomTags.rows(companyId)),
    conversations: await runner.read(collections.conversations.rows(companyId)),
    functions: await runner.read(collections.functions.rows(companyId)),
    runtimeTokens: await runner.read(collections.runtimeTokens.rows(companyId)),
    credentials: await runner.read(collections.credentials.rows(companyId)),
  };
}

/** The published version, and the draft when it differs. */
async function readWorkflows(
  { runner, canvases }: Pick<DurableStore, 'runner' | 'canvases'>,
  companyId: string,
): Promise<readonly JsonObject[]> {
  const ids = (await runner.read(call(draftIds, { companyId: encodeText(companyId) }))).map(({ workflow_id }) => decodeText(workflow_id));
  return Promise.all(
    ids.map(async (id) => {
      const [latest, draft, tests] = await Promise.all([
        canvases.latest(companyId, id),
        canvases.draft(companyId, id),
        transcripts.all({ runner }, companyId, id),
      ]);
      const kept = tests.length === 0 ? {} : { transcripts: Object.fromEntries(tests.map(({ name, content }) => [name, content])) };
      if (latest === undefined) return draft === undefined ? {} : { canvas: toJson(draft.canvas), publish: false, ...kept };
      const isAhead = draft !== undefined && draft.hash !== canvasHash(latest.canvas);
      return { canvas: toJson(latest.canvas), publish: true, ...(isAhead && { draft: toJson(draft.canvas) }), ...kept };
    }),
  );
}

/** A canvas as JSON: fields that are not there are left out. */
const toJson = (canvas: Canvas): Json => JSON.parse(JSON.stringify(canvas)) as Json;

type RowsOf<Kind extends keyof typeof collections> =
  ReturnType<(typeof collections)[Kind]['rows']> extends Call<infer Row> ? readonly Row[] : never;

/** A company's rows. */
export type CompanyContents = {
  readonly [Kind in Exclude<keyof typeof collections, 'companies' | 'secrets' | 'importedWorkflows'>]: RowsOf<Kind>;
} & {
  readonly templates: readonly ItemOf<typeof templates.columns>[];
  readonly tags: readonly ItemOf<typeof tags.columns>[];
  readonly lastMessages: readonly { readonly userId: string; readonly botId: string; readonly atMs: number }[];
};

/** A company as a workspace file describes it, without a secret. */
function describeCompanyContents(company: CompanyRow, contents: CompanyContents, workflows: readonly Json[]): JsonObject {
  const { lastMessages, recipients, roomTags, runtimeTokens } = contents;
  const recipientsByCampaign = Map.groupBy(recipients, ({ campaign_id }) => campaign_id);
  const tagsByRoom = Map.groupBy(roomTags, ({ room_id }) => room_id);
  const tokensByFunction = Map.groupBy(runtimeTokens, ({ function_id }) => function_id);
  const lastMessagesByUser = Map.groupBy(lastMessages, ({ userId }) => userId);
  return {
    ...describeCompany(company),
    clients: contents.clients.map(({ client_id }) => ({ clientId: client_id })),
    apiKeys: contents.apiKeys.map(({ id, name, created_at_ms, revoked_at_ms }) =>
      omitNulls({ id, name, createdAt: formatInstantOrNull(created_at_ms), revokedAt: formatInstantOrNull(revoked_at_ms) }),
    ),
    bots: contents.bots.map(describeBot),
    users: contents.users.map((user) => ({
      ...describeUser(user),
      lastMessageAt: Object.fromEntries(
        (lastMessagesByUser.get(user.user_id) ?? []).map(({ botId, atMs }) => [botId, formatInstantOrNull(atMs)]),
      ),
    })),
    templates: contents.templates.map(describeItem),
    campaigns: contents.campaigns.map((row) => describeCampaign(row, recipientsByCampaign.get(row.id))),
    teams: contents.teams.map(({ id, name }) => ({ id, name: decodeText(name) })),
    operators: contents.operators.map(({ id, names, email, team_ids }) => ({
      id,
      names: decodeText(names),
      email: decodeText(email),
      teamIds: parseJson(team_ids),
    })),
    tags: contents.tags.map(describeItem),
    rooms: contents.rooms.map(({ id, bot_id, user_id }) => ({
      id,
      botId: bot_id,
      userId: decodeText(user_id),
      tags: (tagsByRoom.get(id) ?? []).map(({ tag_id }) => tag_id),
    })),
    conversations: contents.conversations.map(describeConversation),
    functions: contents.functions.map((row) => describeFunction(row, tokensByFunction.get(row.function_id))),
    credentials: contents.credentials.map(describeCredential),
    workflows,
  };
}

const describeCampaign = (row: RowsOf<'campaigns'>[number], recipients: RowsOf<'recipients'> = []): JsonObject => ({
  ...omitNulls({
    id: row.id,
    name: decodeText(row.name),
    elementName: decodeText(row.element_name),
    templateId: row.template_id,
    botId: row.bot_id,
    status: row.status,
    scheduledAt: formatInstantOrNull(row.scheduled_at_ms),
    completedAt: formatInstantOrNull(row.completed_at_ms),
    totalMessages: row.total_messages,
    deliveredMessages: row.delivered_messages,
    failedMessages: row.failed_messages,
  }),
  createdAt: formatInstantOrNull(row.created_at_ms),
  recipients: recipients
    .toSorted((left, right) => left.position - right.position)
    .map(({ user_id, parameters }) => ({ userId: decodeText(user_id), parameters: parseJson(parameters) })),
});

const describeConversation = (row: RowsOf<'conversations'>[number]): JsonObject => ({
  ...omitNulls({
    _id: row.id,
    roomId: row.room_id,
    botId: row.bot_id,
    userId: decodeText(row.user_id),
    operatorId: row.operator_id,
    teamName: decodeTextOrNull(row.team_name),
    state: row.state,
    endedReason: decodeTextOrNull(row.ended_reason),
    origin: decodeText(row.origin),
    endAt: formatInstantOrNull(row.end_at_ms),
    firstRepliedAtOperator: formatInstantOrNull(row.first_replied_at_ms),
    childConversation: row.child_conversation,
    parentConversation: row.parent_conversation,
    lastMessageBy: row.last_message_by,
  }),
  wasReplied: row.was_replied === 1,
  startAt: formatInstantOrNull(row.start_at_ms),
  operatorResponseTimesMs: parseJson(row.response_times_ms ?? '[]'),
});

const describeFunction = (
  { function_id, name, source, tools }: RowsOf<'functions'>[number],
  tokens: RowsOf<'runtimeTokens'> = [],
): JsonObject => ({
  id: function_id,
  name,
  source,
  tools: parseJson(tools),
  runtimeTokens: tokens.map((token) =>
    omitNulls({
      id: token.id,
      name: token.name,
      createdAt: formatInstantOrNull(token.created_at_ms),
      lastUsedAt: formatInstantOrNull(token.last_used_at_ms),
      revokedAt: formatInstantOrNull(token.revoked_at_ms),
    }),
  ),
});

/** The fields of the company itself in a workspace. */
export const describeCompany = (company: CompanyRow): JsonObject => ({
  id: Number(company.company_id),
  name: company.name,
  kind: company.kind,
  plan: company.plan,
  ...omitNulls({ timeZone: company.time_zone, locale: company.locale, failureWorkflowId: company.failure_workflow_id }),
  settings: parseJson(company.settings),
});

/** A bot in a workspace, without the secrets of its provider. */
export const describeBot = ({ bot_id, name, channel, connected_at_ms, provider_kind, provider, settings }: BotRow): JsonObject => ({
  id: bot_id,
  name,
  channel,
  connectedAt: formatInstantOrNull(connected_at_ms),
  provider: { kind: provider_kind, ...parseFields(provider) },
  settings: parseJson(settings),
});

/** A user in a workspace, without the times of their messages. */
export const describeUser = ({ user_id, names, phone, bsuid, time_zone: timeZone, locale }: UserRow): JsonObject =>
  omitNulls({ id: decodeText(user_id), names: decodeTextOrNull(names), phone, bsuid, timeZone, locale });

/** An item in a workspace: all of it but the company that it is listed in, and what it does not have. */
export const describeItem = ({ companyId: _company, ...fields }: { readonly companyId: string }): JsonObject =>
  // Columns hold texts, numbers and JSON.
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as JsonObject;

/** A credential in a workspace, without its secrets. */
export const describeCredential = ({ id, kind, fields }: CredentialRow): JsonObject => ({ id, kind, ...parseFields(fields) });

const decodeTextOrNull = (column: string | null): string | null => (column === null ? null : decodeText(column));

const parseJson = (text: string): Json => JSON.parse(text) as Json;

function parseFields(text: string): JsonObject {
  const fields = parseJson(text);
  return isJsonObject(fields) ? fields : {};
}

const formatInstantOrNull = (atMs: number | null): string | null => (atMs === null ? null : new Date(atMs).toISOString());

/** Without the fields that have nothing. */
const omitNulls = (fields: JsonObject): JsonObject => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
