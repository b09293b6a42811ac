// Companies, bots and providers as all else sees them.
import type { Channel, ContactField, ExecutionRecord, JsonObject } from '@hilo/engine/contract';
import type { TemplateReopensWindow } from '@hilo/nodes/effects';
import { text } from '@hilo/stores';
import type { ConsentRules } from '../platform/tables/companies.ts';
import { erasedExecutions } from '../platform/tables/erasure.ts';
import type { MessageTemplate } from './template-status.ts';
import { companyQuery } from '../platform/database/schema.ts';
import { companyNotFound, executionNotFound, workflowNotFound } from '../platform/http/admin.ts';
import { type HttpError, invalidFields, notFound } from '../platform/http/errors.ts';
import type { Platform } from '../platform/platform.ts';
import type { CompanyLimits } from '../platform/tables/companies.ts';

/** A company as its surfaces and its executions see it. */
export interface Company {
  /** The number of the workspace file, as text: what the engine calls `companyId`. */
  readonly id: string;
  readonly name: string;
  readonly kind: 'self-service' | 'enterprise';
  readonly plan: string;
  /** Its IANA time zone: what instants are shown in where a user has none of their own. */
  readonly timeZone?: string;
  /** How it writes numbers and dates, such as `es-PE`. */
  readonly locale?: string;
  /** The workflow that is started when an execution fails. */
  readonly failureWorkflowId?: string;
  /** What it keeps of contacts beside their names. */
  readonly fields?: readonly ContactField[];
  /** How people stop marketing messages; nothing is heard or refused without it. */
  readonly consent?: ConsentRules;
  readonly settings: JsonObject;
  /**
   * How long the bot is silent after a person has written from the provider's app: a duration of ISO 8601, or `never` for until somebody
   * ends the conversation. Left out, the bot is not silent.
   */
  readonly takeover?: string;
  /** What it may take of the service; without bounds, where undefined. */
  readonly limits?: CompanyLimits;
}

/** How a bot reaches its users, secrets included: never to be shown, logged or exported. */
export interface Provider {
  /** The kind of a channel adapter: `log`, `custom`, `whatsapp-cloud` and so on, or one of the host's own. */
  readonly kind: string;
  /** The other fields of the kind, such as `appSecret` and `url`. */
  readonly fields: JsonObject;
}

/** A bot: one channel of a company. Its id is unique across companies. */
export interface Bot {
  readonly companyId: string;
  readonly id: string;
  readonly name: string;
  readonly channel: Channel;
  readonly connectedAtMs: number;
  readonly provider: Provider;
  readonly settings: {
    /** UID-05; `strict` by default. */
    readonly userIdFormat: 'strict' | 'open';
    /** WIN-03; true by default. */
    readonly enforceSessionWindow: boolean;
    /** WIN-02; `onSend` by default, `onReply` for `whatsapp-cloud`. */
    readonly templateReopensWindow: TemplateReopensWindow;
    /** A bot for tests answers with drafts; `live` by default. */
    readonly environment?: 'live' | 'test';
  };
}

export type { MessageTemplate };

/**
 * Companies, their bots and their credentials. Look-ups are synchronous, from memory; what another process imported is
 * seen within a second. A secret is never kept readable: keys and client secrets are hashed.
 */
export interface Companies {
  /** The ids of all that are seen here, where an operator has some companies alone; undefined where every company is seen. */
  readonly only?: ReadonlySet<string>;
  all(): readonly Company[];
  company(companyId: string): Company | undefined;
  /** By a bot's id alone: for paths that name no company. */
  bot(botId: string): Bot | undefined;
  /**
   * The same also of a company that has another address, for the proof of who asks: `bot` then says where the company is, which nobody is
   * told who has not proved.
   */
  botToProve(botId: string): Bot | undefined;
  /** A bot of this company; another company's is unknown (P28). */
  botOf(companyId: string, botId: string): Bot | undefined;
  bots(companyId: string): readonly Bot[];
  /** The most recently connected bot of a channel; of two, the one with the higher id (VER-03). */
  botOfChannel(companyId: string, channel: Channel): Bot | undefined;
  /** The company an `x-api-key` speaks for (AUT-02). Compares hashes in constant time. */
  companyOfApiKey(key: string): string | undefined;
  /**
   * The company that `clientId:clientSecret` speaks for (AUT-01). At once when the same pair was judged before; else the
   * secret is hashed first, off the event loop, in turn.
   *
   * @param network - where it comes from: a guess waits for earlier guesses of the same client and network
   * @throws {HttpError} 503 when more of them wait than may
   */
  companyOfClient(clientId: string, clientSecret: string, network?: string): string | undefined | Promise<string | undefined>;
  template(companyId: string, templateId: string): MessageTemplate | undefined;
  templates(companyId: string): readonly MessageTemplate[];
  /** Whether a workflow is archived: nothing starts it. */
  isArchived(companyId: string, workflowId: string): boolean;
  /** Reads at once what is kept in memory, after a change of it. */
  refresh(): Promise<void>;
  /** The values behind a `credentialId` of a canvas, decrypted; for drivers only. */
  credential(companyId: string, credentialId: string): Promise<JsonObject | undefined>;
  /** The same also of a company that has another address, as `botToProve` is of bots. */
  credentialToProve(companyId: string, credentialId: string): Promise<JsonObject | undefined>;
  /** Every secret that this process knows, which no output may contain (P31). A new array whenever one is added. */
  secrets(): readonly string[];
}

/** For parts that need companies. */
export interface Tenancy {
  readonly companies: Companies;
}

/**
 * The company of a request: the named one, or the only one.
 *
 * @throws {HttpError} 404 for an unknown one, 422 when there are several and none is named
 */
export function requireCompany({ companies }: Tenancy, companyId: string | undefined): Company {
  const found = findNamedOrOnly(companies, companyId);
  if (found === undefined) throw chooseOne(companies.all().map(({ id }) => id));
  return found;
}

/** @throws {HttpError} 404 for a company that is another's to an operator of some companies, whether there is one or not */
export function requireOwn({ companies: { only } }: Tenancy, companyId: string): void {
  if (only?.has(companyId) === false) throw companyNotFound(companyId);
}

/** The same for a workflow: left out, it is the company that has it, where only one does. @throws {HttpError} 404, 422 */
export async function requireWorkflowCompany(service: Owners, companyId: string | undefined, workflowId: string): Promise<string> {
  const owner = await findOwner(service, companyId, selectWorkflowOwner, workflowId);
  if (owner === undefined) throw workflowNotFound(workflowId);
  return owner;
}

/** The same for a workflow that may be new. @throws {HttpError} 404, 422 */
export const requireDraftCompany = async (service: Owners, companyId: string | undefined, workflowId: string): Promise<string> =>
  (await findOwner(service, companyId, selectWorkflowOwner, workflowId)) ?? requireCompany(service, undefined).id;

/** The execution with an id, which is unique across companies, so that the company may be left out. @throws {HttpError} 404 */
export async function requireExecution(service: Owners, companyId: string | undefined, executionId: string): Promise<ExecutionRecord> {
  const owner = await findOwner(service, companyId, selectExecutionOwner, executionId);
  // One of another cell has no owner here: the engine refuses it by its id alone.
  const record = await service.engine.execution(owner ?? companyId ?? '', executionId);
  if (record === undefined)
    throw (await wasErased(service, companyId, executionId)) ? executionErased(executionId) : executionNotFound(executionId);
  return record;
}

/** Whether an execution was erased with its person. */
async function wasErased({ companies, store: { runner } }: Owners, companyId: string | undefined, executionId: string): Promise<boolean> {
  const ids = companyId === undefined ? companies.all().map(({ id }) => id) : [companyId];
  const found = await runner.readEach(ids.map((id) => erasedExecutions.find({ companyId: id, executionId })));
  return found.some((rows) => rows.length > 0);
}

const executionErased = (executionId: string): HttpError =>
  notFound(
    'EXECUTION_ERASED',
    `Execution "${executionId}" was erased with its person: nothing of it is kept, so that it cannot be shown, replayed, retried or forked`,
  );

/** The bot with an id, which is unique across companies, so that the company may be left out. @throws {HttpError} 404 */
export function requireBotById({ companies }: Tenancy, botId: string, companyId: string | undefined): Bot {
  if (companyId !== undefined && companies.company(companyId) === undefined) throw companyNotFound(companyId);
  const bot = companyId === undefined ? companies.bot(botId) : companies.botOf(companyId, botId);
  if (bot === undefined) throw notFound('BOT_NOT_FOUND', `There is no bot "${botId}"`);
  return bot;
}

type Owners = Tenancy & Pick<Platform, 'store' | 'engine'>;

/** Both are read from an index, once for each company. */
const selectWorkflowOwner = companyQuery({ id: text() }, {}, (company, { id }) =>
  company.selectFrom('drafts').select('company_id').where('workflow_id', '=', id),
);
const selectExecutionOwner = companyQuery({ id: text() }, {}, (company, { id }) =>
  company.selectFrom('executions').select('company_id').where('execution_id', '=', id),
);

async function findOwner(
  { companies, store }: Owners,
  companyId: string | undefined,
  named: typeof selectWorkflowOwner | typeof selectExecutionOwner,
  id: string,
): Promise<string | undefined> {
  const given = findNamedOrOnly(companies, companyId);
  if (given !== undefined) return given.id;
  const all = companies.all().map((company) => company.id);
  const found = await store.runner.readEach(all.map((company) => named({ companyId: company, id })));
  const owners = all.filter((_company, index) => found[index]?.length === 1);
  if (owners.length > 1) throw chooseOne(owners);
  return owners[0];
}

function findNamedOrOnly(companies: Companies, companyId: string | undefined): Company | undefined {
  const [only, another] = companies.all();
  const found = companyId === undefined ? only : companies.company(companyId);
  if (found === undefined) throw companyNotFound(companyId);
  return companyId === undefined && another !== undefined ? undefined : found;
}

const chooseOne = ([first = '']: readonly string[]): HttpError =>
  invalidFields({ companyId: [`there are several companies: choose one, such as ?companyId=${first}`] });

/** A bot of the company that a request names. @throws {HttpError} 404 */
export function requireBot({ companies }: Tenancy, companyId: string, botId: string): Bot {
  const bot = companies.botOf(companyId, botId);
  if (bot === undefined) throw notFound('BOT_NOT_FOUND', `There is no bot "${botId}"`);
  return bot;
}

/** Whether a credential is one by which money is moved, whatever node uses it. */
export const movesMoney = (credential: { readonly kind?: unknown } | undefined): boolean => credential?.kind === 'stripe';
