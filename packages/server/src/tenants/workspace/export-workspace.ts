// Writes the configuration as a workspace.
import { setImmediate as turn } from 'node:timers/promises';
import { type Canvas, type Json, type JsonObject, sessionWindowMs } from '@hilo/engine/contract';
import { type DurableStore, type ItemOf, type Runner, integer, plain, text } from '@hilo/stores';
import { campaigns, recipients } from '../../platform/tables/campaigns.ts';
import * as tables from '../../platform/tables/companies.ts';
import { conversations, operators, rooms, roomTags, teams } from '../../platform/tables/conversations.ts';
import { eventSubscriptions } from '../../platform/tables/events.ts';
import { functions, runtimeTokens } from '../../platform/tables/functions.ts';
import { nameKeys, readContactsOf } from '../../platform/database/people.ts';
import { transcripts } from '../../platform/database/transcripts.ts';
import { readWorkflowIds } from '../../platform/database/workflow-ids.ts';
import { tags } from '../../platform/tables/tags.ts';
import { createTurns } from '../../platform/turns.ts';
import { templates } from '../../platform/tables/templates.ts';

/** Rows that one turn reads and describes: a company may have a million people, and others are served in between. */
const pageRows = 500;

const peopleAfter = tables.people.select({ after: plain(), rows: integer() }, (some, { after, rows }) =>
  some.where('person_key', '>', after).orderBy('person_key').limit(rows),
);
const roomsAfter = rooms.select({ after: text(), rows: integer() }, (some, { after, rows }) =>
  some.where('id', '>', after).orderBy('id').limit(rows),
);
const tagsOfRooms = roomTags.select({ after: text(), last: text() }, (some, { after, last }) =>
  some.where('room_id', '>', after).where('room_id', '<=', last).orderBy('room_id').orderBy('tag_id'),
);
const conversationsAfter = conversations.select({ after: text(), rows: integer() }, (some, { after, rows }) =>
  some.where('id', '>', after).orderBy('id').limit(rows),
);
const recipientsAfter = recipients.select({ campaignId: text(), after: integer(), rows: integer() }, (some, { campaignId, after, rows }) =>
  some.where('campaign_id', '=', campaignId).where('position', '>', after).orderBy('position').limit(rows),
);

/** Describes all rows of a table, page by page, with a turn of the event loop between two pages. */
async function describePages<Item, Key>(
  first: Key,
  read: (after: Key) => Promise<readonly Item[]>,
  keyOf: (item: Item) => Key,
  describe: (page: readonly Item[], after: Key) => Promise<readonly JsonObject[]> | readonly JsonObject[],
): Promise<readonly JsonObject[]> {
  const described: JsonObject[] = [];
  for (let after = first; ; ) {
    const page = await read(after);
    for (const one of await describe(page, after)) described.push(one);
    const last = page.at(-1);
    if (last === undefined || page.length < pageRows) return described;
    after = keyOf(last);
    await turn();
  }
}

/** Those whom a workspace or an operator has given, with the times of their last messages. */
const describeUsers = (runner: Runner, companyId: string): Promise<readonly JsonObject[]> =>
  describePages(
    '',
    (after) => runner.read(peopleAfter({ companyId, after, rows: pageRows })),
    ({ personKey }) => personKey,
    async (page) => {
      const listed = page.filter(({ isListed }) => isListed);
      const contacts = await readContactsOf(
        runner,
        listed.map(({ userId }) => nameKeys(companyId, userId)),
      );
      return listed.map(({ personKey: _personKey, ...user }, place) => ({
        ...describeUser(user),
        lastMessageAt: Object.fromEntries(
          (contacts[place] ?? []).flatMap(({ botId, windowUntilMs }) =>
            typeof windowUntilMs === 'number' ? [[botId, new Date(windowUntilMs - sessionWindowMs).toISOString()]] : [],
          ),
        ),
      }));
    },
  );

const describeRooms = (runner: Runner, companyId: string): Promise<readonly JsonObject[]> =>
  describePages(
    '',
    (after) => runner.read(roomsAfter({ companyId, after, rows: pageRows })),
    ({ id }) => id,
    async (page, after) => {
      const last = page.at(-1);
      const found = last === undefined ? [] : await runner.read(tagsOfRooms({ companyId, after, last: last.id }));
      const tagsByRoom = Map.groupBy(found, ({ roomId }) => roomId);
      return page.map((room) => ({ ...describeItem(room), tags: (tagsByRoom.get(room.id) ?? []).map(({ tagId }) => tagId) }));
    },
  );

const describeConversations = (runner: Runner, companyId: string): Promise<readonly JsonObject[]> =>
  describePages(
    '',
    (after) => runner.read(conversationsAfter({ companyId, after, rows: pageRows })),
    ({ id }) => id,
    (page) => page.map(describeConversation),
  );

async function describeCampaigns(runner: Runner, companyId: string): Promise<readonly JsonObject[]> {
  const described: JsonObject[] = [];
  for (const campaign of await runner.read(campaigns.all(companyId))) {
    const given = await describePages(
      -1,
      (after) => runner.read(recipientsAfter({ companyId, campaignId: campaign.id, after, rows: pageRows })),
      ({ position }) => position,
      (page) => page.map(({ userId, parameters }) => ({ userId, parameters })),
    );
    described.push({ ...describeCampaign(campaign), recipients: given });
  }
  return described;
}

/**
 * The configuration as a workspace, including canvases and modules, without secrets: importing it into the same store changes
 * nothing; importing it elsewhere needs the secrets to be added first.
 *
 * @param only - the ids of the companies; all, when left out
 */
export async function exportWorkspace(
  { store }: { readonly store: Pick<DurableStore, 'runner' | 'canvases'> },
  only?: ReadonlySet<string>,
): Promise<JsonObject> {
  const all = await store.runner.read(tables.companies.allOfEveryCompany());
  const companies = only === undefined ? all : all.filter(({ companyId }) => only.has(companyId));
  const described: JsonObject[] = [];
  for (const company of companies.toSorted((left, right) => Number(left.companyId) - Number(right.companyId))) {
    const contents = await readContents(store.runner, company.companyId);
    described.push(describeCompanyContents(company, contents, await readWorkflows(store, company.companyId)));
  }
  return { companies: described };
}

async function readContents(runner: Runner, companyId: string) {
  return {
    clients: await runner.read(tables.clients.all(companyId)),
    apiKeys: await runner.read(tables.apiKeys.all(companyId)),
    bots: await runner.read(tables.bots.all(companyId)),
    users: await describeUsers(runner, companyId),
    templates: await runner.read(templates.all(companyId)),
    campaigns: await describeCampaigns(runner, companyId),
    teams: await runner.read(teams.all(companyId)),
    operators: await runner.read(operators.all(companyId)),
    tags: await runner.read(tags.all(companyId)),
    rooms: await describeRooms(runner, companyId),
    conversations: await describeConversations(runner, companyId),
    functions: await runner.read(functions.all(companyId)),
    runtimeTokens: await runner.read(runtimeTokens.all(companyId)),
    credentials: await runner.read(tables.credentials.all(companyId)),
    eventSubscriptions: await runner.read(eventSubscriptions.all(companyId)),
  };
}

/** The published version, and the draft when it differs. */
async function readWorkflows(
  { runner, canvases }: Pick<DurableStore, 'runner' | 'canvases'>,
  companyId: string,
): Promise<readonly JsonObject[]> {
  const ids = await readWorkflowIds(runner, companyId);
  const nextTurn = createTurns(20); // three reads each, and a canvas of up to 1 MB
  const described: JsonObject[] = [];
  for (const id of ids) {
    await nextTurn();
    const latest = await canvases.latest(companyId, id);
    const draft = await canvases.draft(companyId, id);
    const tests = await transcripts.all({ runner }, companyId, id);
    const kept = tests.length === 0 ? {} : { transcripts: Object.fromEntries(tests.map(({ name, content }) => [name, content])) };
    if (latest === undefined) described.push(draft === undefined ? {} : { canvas: toJson(draft.canvas), publish: false, ...kept });
    else {
      const isAhead = draft !== undefined && draft.hash !== latest.hash;
      described.push({ canvas: toJson(latest.canvas), publish: true, ...(isAhead && { draft: toJson(draft.canvas) }), ...kept });
    }
  }
  return described;
}

/** A canvas as JSON: fields that are not there are left out. */
const toJson = (canvas: Canvas): Json => JSON.parse(JSON.stringify(canvas)) as Json;

type ItemIn<Of extends { readonly columns: object }> = ItemOf<Of['columns']>;

/** A company as a workspace file describes it, without a secret. */
function describeCompanyContents(
  company: ItemIn<typeof tables.companies>,
  contents: Awaited<ReturnType<typeof readContents>>,
  workflows: readonly Json[],
): JsonObject {
  const tokensByFunction = Map.groupBy(contents.runtimeTokens, ({ functionId }) => functionId);
  return {
    ...describeCompany(company),
    clients: contents.clients.map(({ clientId }) => ({ clientId })),
    apiKeys: contents.apiKeys.map(({ id, name, createdAtMs, revokedAtMs }) =>
      omitAbsent({ id, name, createdAt: formatInstant(createdAtMs), revokedAt: formatInstant(revokedAtMs) }),
    ),
    bots: contents.bots.map(describeBot),
    users: contents.users,
    templates: contents.templates.map(describeItem),
    campaigns: contents.campaigns,
    teams: contents.teams.map(describeItem),
    operators: contents.operators.map(describeOperator),
    tags: contents.tags.map(describeItem),
    rooms: contents.rooms,
    conversations: contents.conversations,
    functions: contents.functions.map((one) => describeFunction(one, tokensByFunction.get(one.functionId))),
    credentials: contents.credentials.map(describeCredential),
    eventSubscriptions: contents.eventSubscriptions.map(describeSubscription),
    workflows,
  };
}

const describeCampaign = ({ createdAtMs, ...campaign }: ItemIn<typeof campaigns>): JsonObject =>
  omitAbsent({
    id: campaign.id,
    name: campaign.name,
    elementName: campaign.elementName,
    templateId: campaign.templateId,
    botId: campaign.botId,
    status: campaign.status,
    scheduledAt: formatInstant(campaign.scheduledAtMs),
    completedAt: formatInstant(campaign.completedAtMs),
    totalMessages: campaign.totalMessages,
    deliveredMessages: campaign.deliveredMessages,
    failedMessages: campaign.failedMessages,
    createdAt: formatInstant(createdAtMs),
  });

const describeConversation = (conversation: ItemIn<typeof conversations>): JsonObject => ({
  ...omitAbsent({
    _id: conversation.id,
    roomId: conversation.roomId,
    botId: conversation.botId,
    userId: conversation.userId,
    operatorId: conversation.operatorId,
    teamName: conversation.teamName,
    state: conversation.state,
    endedReason: conversation.endedReason,
    origin: conversation.origin,
    endAt: formatInstant(conversation.endAtMs),
    firstRepliedAtOperator: formatInstant(conversation.firstRepliedAtMs),
    childConversation: conversation.childConversation,
    parentConversation: conversation.parentConversation,
    lastMessageBy: conversation.lastMessageBy,
    wasReplied: conversation.wasReplied,
    startAt: formatInstant(conversation.startAtMs),
  }),
  operatorResponseTimesMs: conversation.responseTimesMs ?? [],
});

const describeFunction = (
  { functionId, name, source, tools }: ItemIn<typeof functions>,
  tokens: readonly ItemIn<typeof runtimeTokens>[] = [],
): JsonObject => ({
  id: functionId,
  name,
  source,
  tools,
  runtimeTokens: tokens.map((token) =>
    omitAbsent({
      id: token.id,
      name: token.name,
      createdAt: formatInstant(token.createdAtMs),
      lastUsedAt: formatInstant(token.lastUsedAtMs),
      revokedAt: formatInstant(token.revokedAtMs),
    }),
  ),
});

/** The fields of the company itself in a workspace. */
export const describeCompany = ({
  companyId,
  settings,
  fields,
  consent,
  limits,
  keepDays,
  ...company
}: ItemIn<typeof tables.companies>): JsonObject => ({
  id: Number(companyId),
  ...omitAbsent(company),
  ...(fields !== undefined && { fields: fields.map((field) => omitAbsent({ ...field })) }),
  ...(consent !== undefined && { consent: omitAbsent({ ...consent }) }),
  ...(limits !== undefined && { limits: omitAbsent({ ...limits }) }),
  ...(keepDays !== undefined && { keepDays: omitAbsent({ ...keepDays }) }),
  settings,
});

/** A bot in a workspace, without the secrets of its provider. */
export const describeBot = ({ botId, name, channel, connectedAtMs, providerKind, provider, settings }: ItemIn<typeof tables.bots>) =>
  omitAbsent({
    id: botId,
    name,
    channel,
    connectedAt: formatInstant(connectedAtMs),
    provider: { kind: providerKind, ...provider },
    settings,
  });

/** A user in a workspace, without the times of their messages. */
export const describeUser = ({ companyId: _company, userId, isListed: _isListed, ...user }: ItemIn<typeof tables.people>): JsonObject =>
  omitAbsent({ id: userId, ...user });

/** An item in a workspace: all of it but the company that it is listed in, and what it does not have. */
export const describeItem = ({ companyId: _company, ...fields }: Fields & { readonly companyId: string }): JsonObject => omitAbsent(fields);

/** An operator in a workspace. */
export const describeOperator = ({ leftAtMs, ...operator }: ItemIn<typeof operators>): JsonObject => ({
  ...describeItem(operator),
  ...omitAbsent({ leftAt: formatInstant(leftAtMs) }),
});

/** A credential in a workspace, without its secrets. */
export const describeCredential = ({ id, kind, fields }: ItemIn<typeof tables.credentials>): JsonObject => ({ id, kind, ...fields });

/** An event subscription in a workspace, without its secret. */
const describeSubscription = ({ id, url, events, isPaused, createdAtMs }: ItemIn<typeof eventSubscriptions>): JsonObject =>
  omitAbsent({ id, url, events, paused: isPaused, createdAt: formatInstant(createdAtMs) });

type Fields = { readonly [field: string]: Json | undefined };

const formatInstant = (atMs: number | undefined): string | undefined => (atMs === undefined ? undefined : new Date(atMs).toISOString());

/** Without the fields that have nothing. */
const omitAbsent = (fields: Fields): JsonObject =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
