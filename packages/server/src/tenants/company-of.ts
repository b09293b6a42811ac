import type { ExecutionRecord } from '@hilo/engine/contract';
import { call, statementsOver, written } from '@hilo/stores';
import { invalidFields, notFound, type HttpError } from '../platform/http/errors.ts';
import type { Companies, Company, Tenancy, Bot } from './companies.ts';
import { companyNotFound, executionNotFound, workflowNotFound } from '../platform/http/admin.ts';
import type { Platform } from '../platform/platform.ts';

/**
 * The company a request is about: the one it names, or the only one there is.
 *
 * @throws {HttpError} 404 for one that does not exist, 422 when there are several and none is named
 */
export function companyOf({ companies }: Tenancy, companyId: string | undefined): Company {
  const found = namedOrOnly(companies, companyId);
  if (found === undefined) throw chooseOne(companies.all().map(({ id }) => id));
  return found;
}

/** The same for a workflow: left out, it is the company that has it, where only one does. @throws {HttpError} 404, 422 */
export async function companyOfWorkflow(service: Owners, companyId: string | undefined, workflowId: string): Promise<string> {
  const owner = await ownerOf(service, companyId, workflowsNamed, workflowId);
  if (owner === undefined) throw workflowNotFound(workflowId);
  return owner;
}

/** The same for a workflow that may be new. @throws {HttpError} 404, 422 */
export const companyOfDraft = async (service: Owners, companyId: string | undefined, workflowId: string): Promise<string> =>
  (await ownerOf(service, companyId, workflowsNamed, workflowId)) ?? companyOf(service, undefined).id;

/** An execution, whose id is unique among all companies: its company may be left out. @throws {HttpError} 404 */
export async function executionOf(service: Owners, companyId: string | undefined, executionId: string): Promise<ExecutionRecord> {
  const owner = await ownerOf(service, companyId, executionsNamed, executionId);
  const record = owner === undefined ? undefined : await service.engine.execution(owner, executionId);
  if (record === undefined) throw executionNotFound(executionId);
  return record;
}

/** A bot, whose id is unique among all companies: its company may be left out. @throws {HttpError} 404 */
export function botNamed({ companies }: Tenancy, botId: string, companyId: string | undefined): Bot {
  if (companyId !== undefined && companies.company(companyId) === undefined) throw companyNotFound(companyId);
  const bot = companyId === undefined ? companies.bot(botId) : companies.botOf(companyId, botId);
  if (bot === undefined) throw notFound('BOT_NOT_FOUND', `There is no bot "${botId}"`);
  return bot;
}

type Owners = Tenancy & Pick<Platform, 'store' | 'engine'>;

const statement = statementsOver<Record<never, never>>();
type Named = { readonly companyId: string; readonly id: string };

/** Both are read from an index, once for each company. */
const workflowsNamed = statement<Named>()((db, { companyId, id }) =>
  db.selectFrom('drafts').select('company_id').where('company_id', '=', companyId).where('workflow_id', '=', id),
);
const executionsNamed = statement<Named>()((db, { companyId, id }) =>
  db.selectFrom('executions').select('company_id').where('company_id', '=', companyId).where('execution_id', '=', id),
);

async function ownerOf(
  { companies, store }: Owners,
  companyId: string | undefined,
  named: typeof workflowsNamed | typeof executionsNamed,
  id: string,
): Promise<string | undefined> {
  const given = namedOrOnly(companies, companyId);
  if (given !== undefined) return given.id;
  const all = companies.all().map((company) => company.id);
  const found = await store.runner.readEach(all.map((company) => call(named, { companyId: written(company), id: written(id) })));
  const owners = all.filter((_company, index) => found[index]?.length === 1);
  if (owners.length > 1) throw chooseOne(owners);
  return owners[0];
}

function namedOrOnly(companies: Companies, companyId: string | undefined): Company | undefined {
  const [only, another] = companies.all();
  const found = companyId === undefined ? only : companies.company(companyId);
  if (found === undefined) throw companyNotFound(companyId);
  return companyId === undefined && another !== undefined ? undefined : found;
}

const chooseOne = ([first = '']: readonly string[]): HttpError =>
  invalidFields({ companyId: [`there are several companies: choose one, such as ${first}`] });

/** A bot of the company that a request names. @throws {HttpError} 404 */
export function botOf({ companies }: Tenancy, companyId: string, botId: string): Bot {
  const bot = companies.botOf(companyId, botId);
  if (bot === undefined) throw notFound('BOT_NOT_FOUND', `There is no bot "${botId}"`);
  return bot;
}
