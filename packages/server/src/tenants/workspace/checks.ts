// Checks of a workspace across its records.
import { findUnfitFields } from './changed-fields.ts';
import type { Problem } from '@hilo/engine/contract';
import type { Runner } from '@hilo/stores';
import { tags } from '../../platform/tables/tags.ts';
import { templates } from '../../platform/tables/templates.ts';
import { apiKeys as apiKeyTable, bots as botTable, clients as clientTable, secrets } from '../../platform/tables/companies.ts';
import { conversations, operators, rooms, teams } from '../../platform/tables/conversations.ts';
import { functions as functionTable, runtimeTokens as tokenTable } from '../../platform/tables/functions.ts';
import { createTurns } from '../../platform/turns.ts';
import { hashKey } from '../../platform/secrets/client-secret.ts';
import { credentialSecretId, subscriptionSecretId } from '../bots.ts';
import type { GivenUsers } from './given-users.ts';
import { workspaceProblem } from './problems.ts';
import { type NamedElsewhere, findUnresolved } from './references.ts';
import { credentialSecrets, type Workspace, type WorkspaceCompany } from './schema.ts';

/** So many companies are looked at in one turn. */
const companiesInTurn = 200;

/** Problems of ids given twice. Those of users are checked while they are read. */
export async function checkIds({ companies }: Workspace): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  const everywhere = createUniqueCheck(problems);
  const nextTurn = createTurns(companiesInTurn);
  for (const [index, company] of companies.entries()) {
    await nextTurn();
    const at = ['companies', index];
    const here = createUniqueCheck(problems);
    everywhere('company', company.id, [...at, 'id']);
    for (const [kind, id] of idsInCompany)
      company[kind].forEach((item, place) => here(kind, id(item), [...at, kind, place, kind === 'conversations' ? '_id' : 'id']));
    company.bots.forEach(({ id }, place) => everywhere('bot', id, [...at, 'bots', place, 'id']));
    company.clients.forEach(({ clientId }, place) => everywhere('client', clientId, [...at, 'clients', place, 'clientId']));
    company.apiKeys.forEach(({ key }, place) => everywhere('API key', key, [...at, 'apiKeys', place, 'key'], true));
    company.functions.forEach(({ id, runtimeTokens }, place) => {
      everywhere('function', id, [...at, 'functions', place, 'id']);
      const ofFunction = createUniqueCheck(problems);
      runtimeTokens.forEach((token, number) => {
        const tokenAt = [...at, 'functions', place, 'runtimeTokens', number];
        ofFunction('runtime token', token.id, [...tokenAt, 'id']);
        everywhere('runtime token', token.token, [...tokenAt, 'token'], true);
      });
    });
    company.campaigns.forEach(({ recipients }, place) => {
      const ofCampaign = createUniqueCheck(problems);
      recipients.forEach(({ userId }, number) =>
        ofCampaign('recipient', userId, [...at, 'campaigns', place, 'recipients', number, 'userId']),
      );
    });
  }
  return problems;
}

type ListWithIds = (typeof lists)[number];

const readId = (item: WorkspaceCompany[ListWithIds][number]): string | number => ('_id' in item ? item._id : item.id);

const lists = [
  'apiKeys',
  'templates',
  'campaigns',
  'teams',
  'operators',
  'tags',
  'rooms',
  'conversations',
  'credentials',
  'eventSubscriptions',
] as const;

/** Lists whose items have an id of their own inside the company. */
const idsInCompany = lists.map((kind) => [kind, readId] as const);

/** Reports every second use. The problem does not repeat a secret. */
function createUniqueCheck(problems: Problem[]) {
  const seen = new Set<string>();
  return (kind: string, id: string | number | undefined, at: readonly PropertyKey[], isSecret = false): void => {
    if (id === undefined) return;
    const name = JSON.stringify([kind, id]);
    if (seen.has(name))
      problems.push(workspaceProblem('DUPLICATE_ID', at, isSecret ? `This ${kind} is given twice` : `There is a second "${id}"`));
    seen.add(name);
  };
}

type Reader = Pick<Runner, 'read' | 'readOne'>;

/** Reads of one turn: a workspace may name 100,000 things, and what SQLite reads gives others no turn. */
const readsInTurn = 100;

function readInTurns(runner: Reader): Reader {
  const nextTurn = createTurns(readsInTurn);
  return {
    async read(call) {
      await nextTurn();
      return runner.read(call);
    },
    async readOne(call) {
      await nextTurn();
      return runner.readOne(call);
    },
  };
}

/** Conflicts of a workspace with stored data. */
export async function checkExisting(
  store: Reader,
  { companies }: Workspace,
  users: Pick<GivenUsers, 'namedBots'>,
): Promise<readonly Problem[]> {
  const runner = readInTurns(store);
  const problems: Problem[] = [];
  for (const [index, company] of companies.entries()) {
    const at = ['companies', index];
    problems.push(...(await findTakenIds(runner, company, at)), ...(await findMissingSecrets(runner, company, at)));
    problems.push(...(await findUnfitFields(runner, company, at)));
    for (const named of findUnresolved(company, users.namedBots(index), at)) {
      if (!(await isKept(runner, String(company.id), named)))
        problems.push(workspaceProblem('UNRESOLVED_REFERENCE', named.at, `The company has no ${named.kind} "${named.id}"`));
    }
  }
  return problems;
}

/** Ids and keys that are another's. */
async function findTakenIds(
  runner: Reader,
  { id, bots, clients, functions, apiKeys }: WorkspaceCompany,
  at: readonly PropertyKey[],
): Promise<readonly Problem[]> {
  const companyId = String(id);
  const problems: Problem[] = [];
  const refuseIf = (isTaken: boolean, what: string, path: readonly PropertyKey[]): void => {
    if (isTaken) problems.push(workspaceProblem('DUPLICATE_ID', [...at, ...path], `${what} is taken already`));
  };
  const isOther = (row: { readonly companyId: string } | undefined): boolean => row !== undefined && row.companyId !== companyId;
  for (const [index, bot] of bots.entries())
    refuseIf(isOther(await runner.readOne(botTable.findUnique(bot.id))), `Bot id "${bot.id}"`, ['bots', index, 'id']);
  for (const [index, { clientId }] of clients.entries())
    refuseIf(isOther(await runner.readOne(clientTable.findUnique(clientId))), `Client id "${clientId}"`, ['clients', index, 'clientId']);
  for (const [index, { id: keyId, key }] of apiKeys.entries()) {
    const row = key === undefined ? undefined : await runner.readOne(apiKeyTable.findUnique(hashKey(key)));
    refuseIf(row !== undefined && (row.companyId !== companyId || row.id !== keyId), 'This key', ['apiKeys', index, 'key']);
  }
  for (const [index, { id: functionId, runtimeTokens }] of functions.entries()) {
    const owner = await runner.readOne(functionTable.findUnique(functionId));
    refuseIf(isOther(owner), `Function id "${functionId}"`, ['functions', index, 'id']);
    for (const [number, { id: tokenId, token }] of runtimeTokens.entries()) {
      const row = token === undefined ? undefined : await runner.readOne(tokenTable.findUnique(hashKey(token)));
      const isSame = row?.companyId === companyId && row.functionId === functionId && row.id === tokenId;
      refuseIf(row !== undefined && !isSame, 'This token', ['functions', index, 'runtimeTokens', number, 'token']);
    }
  }
  return problems;
}

/** Required secrets that are neither given nor stored. */
async function findMissingSecrets(
  runner: Reader,
  { id, clients, apiKeys, functions, credentials, eventSubscriptions }: WorkspaceCompany,
  at: readonly PropertyKey[],
): Promise<readonly Problem[]> {
  const companyId = String(id);
  const problems: Problem[] = [];
  const missing = (...path: readonly PropertyKey[]): void =>
    void problems.push(workspaceProblem('MISSING_SECRET', [...at, ...path], `"${String(path.at(-1))}" is missing, and none is kept`));
  for (const [index, { clientId, clientSecret }] of clients.entries()) {
    if (clientSecret === undefined && (await runner.readOne(clientTable.find({ companyId, clientId }))) === undefined)
      missing('clients', index, 'clientSecret');
  }
  for (const [index, { id: keyId, key }] of apiKeys.entries()) {
    if (key === undefined && (await runner.readOne(apiKeyTable.find({ companyId, id: keyId }))) === undefined)
      missing('apiKeys', index, 'key');
  }
  for (const [index, { id: functionId, runtimeTokens }] of functions.entries()) {
    for (const [number, { id: tokenId, token }] of runtimeTokens.entries()) {
      const key = { companyId, functionId, id: tokenId };
      if (token === undefined && (await runner.readOne(tokenTable.find(key))) === undefined)
        missing('functions', index, 'runtimeTokens', number, 'token');
    }
  }
  for (const [index, credential] of credentials.entries()) {
    const given: { readonly [field: string]: unknown } = credential;
    for (const [field, need] of Object.entries(credentialSecrets[credential.kind])) {
      if (need === 'optional' || given[field] !== undefined) continue;
      const key = { companyId, secretId: credentialSecretId(credential.id, field) };
      if ((await runner.readOne(secrets.find(key))) === undefined) missing('credentials', index, field);
    }
  }
  for (const [index, { id: subscriptionId, secret }] of eventSubscriptions.entries()) {
    const key = { companyId, secretId: subscriptionSecretId(subscriptionId) };
    if (secret === undefined && (await runner.readOne(secrets.find(key))) === undefined) missing('eventSubscriptions', index, 'secret');
  }
  return problems;
}

/** Whether a named thing is stored, from an earlier import or created since. */
async function isKept(runner: Reader, companyId: string, { kind, id }: NamedElsewhere): Promise<boolean> {
  const key = { companyId, id: String(id) };
  const numbered = { companyId, id: Number(id) };
  switch (kind) {
    case 'bot':
      return (await runner.readOne(botTable.find({ companyId, botId: String(id) }))) !== undefined;
    case 'template':
      return (await runner.readOne(templates.find(key))) !== undefined;
    case 'room':
      return (await runner.readOne(rooms.find(key))) !== undefined;
    case 'conversation':
      return (await runner.readOne(conversations.find(key))) !== undefined;
    case 'team':
      return (await runner.readOne(teams.find(numbered))) !== undefined;
    case 'operator':
      return (await runner.readOne(operators.find(numbered))) !== undefined;
    case 'tag':
      return (await runner.readOne(tags.find(numbered))) !== undefined;
  }
}
