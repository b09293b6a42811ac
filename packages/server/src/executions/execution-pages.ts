// Executions as management shows and lists them.
import { setImmediate as turn } from 'node:timers/promises';
import { isJsonObject, type ExecutionRecord, type JsonObject, type OpenWait } from '@hilo/engine/contract';
import { finalStatuses } from '@hilo/engine/store-kit';
import { isOfUser, integer, lookup, plain, queriesOver, text } from '@hilo/stores';
import type { z } from 'zod';
import { formatInstant } from '../platform/http/admin.ts';
import type { ExecutionsQuery } from './schema.ts';
import type { Platform } from '../platform/platform.ts';
import type { Tenancy } from '../tenants/companies.ts';
import type { Shares } from '../tenants/company-limits.ts';

/** What management of executions works with. */
export type ExecutionParts = Pick<Platform, 'engine' | 'store'> &
  Tenancy & {
    /** What companies may take; without it there are no limits. */
    readonly shares?: Shares;
  };

/** An execution as management shows it. */
export function describeExecution(record: ExecutionRecord) {
  const { executionId, workflowId, version, parent, createdAtMs, updatedAtMs, state } = record;
  const { userId = null, botId = null, channel = null } = state.origin;
  return {
    executionId,
    workflowId,
    version,
    status: state.status,
    userId,
    botId,
    channel,
    parentExecutionId: parent?.executionId ?? null,
    wait: state.wait === undefined ? null : describeWait(state.wait),
    variables: state.variables,
    createdAt: formatInstant(createdAtMs),
    updatedAt: formatInstant(updatedAtMs),
    endedAt: finalStatuses.has(state.status) ? formatInstant(updatedAtMs) : null,
    cause: state.ending?.failure?.cause ?? null,
    continuedAs: state.ending?.continuedAs ?? null,
    forkedFrom: state.forkedFrom ?? null,
  };
}

/** An open wait as management shows it; instants are ISO 8601. */
export const describeWait = ({ id, kind, nodeId, openedAtMs, dueAtMs, onDue, correlation, childId }: OpenWait) => ({
  id,
  kind,
  nodeId,
  openedAt: formatInstant(openedAtMs),
  dueAt: dueAtMs === null ? null : formatInstant(dueAtMs),
  onDue,
  ...(correlation !== undefined && { correlation }),
  ...(childId !== undefined && { childExecutionId: childId }),
});

/** An execution in a list, which may leave its variables out. */
type ExecutionItem = Omit<ReturnType<typeof describeExecution>, 'variables'> &
  Partial<Pick<ReturnType<typeof describeExecution>, 'variables'>> & { readonly userNames: string | null };

/** What the bot calls the user, so that a list says who it is without the variables. */
function namesIn({ $user: user }: JsonObject): string | null {
  const names = isJsonObject(user) ? user['names'] : undefined;
  return typeof names === 'string' && names !== '' ? names : null;
}

type Filter = z.output<typeof ExecutionsQuery>;
type Sources = Pick<ExecutionParts, 'companies' | 'store'>;

/** A page ends at this size or at its limit of executions: variables may have 1 MB each (P20). */
const maxChars = 2 * 1024 * 1024;
/** After so much, other requests get their turn. */
const charsPerTurn = 128 * 1024;

/** Filters on the record itself have no index: a page reads at most this many records, and continues with its cursor. */
const maxScanned = 1_000;

/** Whether an execution matches the filters on its record. */
function matchesRecord({ version, state, createdAtMs }: ExecutionRecord, filter: Filter): boolean {
  const { channel, botId } = state.origin;
  return (
    (filter.version === undefined || String(version) === filter.version) &&
    (filter.nodeId === undefined || state.wait?.nodeId === filter.nodeId) &&
    (filter.cause === undefined || state.ending?.failure?.cause === filter.cause) &&
    (filter.channel === undefined || channel === filter.channel) &&
    (filter.botId === undefined || botId === filter.botId) &&
    (filter.from === undefined || createdAtMs >= Date.parse(filter.from)) &&
    (filter.to === undefined || createdAtMs < Date.parse(filter.to))
  );
}

const filtersRecords = ({ version, nodeId, cause, channel, botId, from, to }: Filter): boolean =>
  [version, nodeId, cause, channel, botId, from, to].some((value) => value !== undefined);

/**
 * A page of executions, the newest first, of one company or of all. Row numbers are unique across companies, so that the cursor,
 * the number of the last row, is the same with and without a company.
 */
export async function readExecutionPage(service: Sources, filter: Filter) {
  const scanned = filtersRecords(filter) ? maxScanned : filter.limit;
  const found = await readNewestRows(service, { ...filter, limit: scanned });
  const results: ExecutionItem[] = [];
  let chars = 0;
  let charsSinceTurn = 0;
  let last = 0;
  for (const { id, companyId, executionId } of found.slice(0, scanned)) {
    if (chars > maxChars || results.length === filter.limit) return { results, nextCursor: String(last) };
    last = id;
    const record = await service.store.executions.load(companyId, executionId);
    if (record === undefined) continue;
    const length = JSON.stringify(record.state.variables).length;
    charsSinceTurn += length;
    if (matchesRecord(record, filter)) {
      const { variables, ...described } = describeExecution(record);
      const summary = { ...described, userNames: namesIn(variables) };
      results.push(filter.fields === 'summary' ? summary : { ...summary, variables });
      chars += filter.fields === 'summary' ? 0 : length;
    }
    if (charsSinceTurn <= charsPerTurn) continue;
    await turn();
    charsSinceTurn = 0;
  }
  return { results, nextCursor: found.length > scanned ? String(last) : null };
}

interface FoundExecution {
  readonly id: number;
  readonly companyId: string;
  readonly executionId: string;
}

/** The rows of a page, and one more where there are more. */
async function readNewestRows(service: Sources, filter: Filter): Promise<readonly FoundExecution[]> {
  const { workflowId, status, limit, cursor } = filter;
  const given = { before: cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor), limit: limit + 1 };
  const places = (await findPlaces(service, filter)).map((place) => ({
    ...place,
    ...(workflowId !== undefined && { workflowId }),
    ...(status !== undefined && { status }),
  }));
  const [first = {}] = places; // all have the same columns
  const statement = findStatement(columns.filter((column) => column in first));
  const pages = await service.store.runner.readEach(
    places.map((place) => statement({ ...given, companyId: '', userId: '', workflowId: '', status: '', ...place })),
  );
  return pages
    .flat()
    .toSorted((a, b) => b.id - a.id)
    .slice(0, limit + 1);
}

/** The key ranges to read: one without filters and to whom every company is seen, else one for each company and each id of the user (UID-04). */
async function findPlaces({ companies, store }: Sources, { companyId, workflowId, status, userId }: Filter): Promise<readonly RowFilter[]> {
  const isFiltered = workflowId !== undefined || status !== undefined || userId !== undefined || companies.only !== undefined;
  if (companyId === undefined && !isFiltered) return [{}];
  const places: RowFilter[] = [];
  for (const id of companyId === undefined ? companies.all().map((company) => company.id) : [companyId]) {
    const company = { companyId: id };
    if (userId === undefined) places.push(company);
    else for (const known of await findUserIds({ companies, store }, id, userId)) places.push({ ...company, userId: known });
  }
  return places;
}

async function findUserIds({ companies, store }: Sources, companyId: string, userId: string): Promise<ReadonlySet<string>> {
  const ids = new Set([userId]);
  for (const bot of companies.bots(companyId)) {
    const contact = await store.executions.contact(companyId, bot.id, [userId]);
    for (const id of [contact?.userId, contact?.phone, contact?.bsuid]) if (typeof id === 'string') ids.add(id);
  }
  return ids;
}

const columns = ['companyId', 'userId', 'workflowId', 'status'] as const;
type Column = (typeof columns)[number];
type RowFilter = { readonly [Name in Column]?: string };

const query = queriesOver<Record<never, never>>();
const given = { companyId: text(), userId: lookup(), workflowId: text(), status: plain(), before: integer(), limit: integer() };

/** One statement for each combination of filters, each with its own index. */
const createStatement = (filters: readonly Column[]) =>
  query(given, { id: integer(), companyId: text(), executionId: text() }, (db, asked) => {
    const names = { companyId: 'company_id', workflowId: 'workflow_id', status: 'status' } as const;
    const rows = db.selectFrom('executions').select(['id', 'company_id', 'execution_id']).where('id', '<', asked.before);
    return filters
      .reduce(
        (found, name) =>
          name === 'userId' ? found.where(isOfUser(db, asked.companyId, asked.userId)) : found.where(names[name], '=', asked[name]),
        rows,
      )
      .orderBy('id', 'desc')
      .limit(asked.limit);
  });

const statements = new Map<string, ReturnType<typeof createStatement>>();

function findStatement(filters: readonly Column[]): ReturnType<typeof createStatement> {
  const name = filters.join();
  const found = statements.get(name) ?? createStatement(filters);
  statements.set(name, found);
  return found;
}
