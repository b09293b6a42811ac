// Workflows that one author keeps for themselves: who has locked one, and what that keeps others from.
import { asCondition, condition } from '@hilo/stores';
import { z } from '@hono/zod-openapi';
import { holdDraft } from '../platform/database/hold-draft.ts';
import { encodeWorkflow } from '../platform/database/schema.ts';
import { noteAct } from '../platform/http/acts.ts';
import {
  bodyErrorResponses,
  errorResponses,
  formatInstant,
  Instant,
  parseBody,
  workflowNotFound,
  WorkflowQuery,
} from '../platform/http/admin.ts';
import { defineRoute, type Route } from '../platform/http/define-route.ts';
import { HttpError } from '../platform/http/errors.ts';
import { acme, orderStatus } from '../platform/http/example-requests.ts';
import { closedBody, ErrorBody, jsonResponse } from '../platform/http/openapi.ts';
import { workflowLocks } from '../platform/tables/workflows.ts';
import { isSamePerson } from './list-others.ts';
import { requireDraftOwner, type WorkflowParts } from './workflows.ts';

type LockParts = Pick<WorkflowParts, 'companies' | 'store' | 'engine' | 'clock'>;
type Lock = NonNullable<Awaited<ReturnType<typeof readLock>>>;

/** A lock as management shows it. */
export const LockView = z.object({
  by: z.string().openapi({ description: 'Who locked it', example: 'operator maria' }),
  at: Instant.openapi({ description: 'Since when', example: '2031-03-03T09:00:00.000Z' }),
  isMine: z.boolean().openapi({ description: 'Whether it is the lock of the caller' }),
});

/** The lock of a workflow; `undefined` where it has none. */
export const readLock = ({ runner }: Pick<LockParts['store'], 'runner'>, companyId: string, workflowId: string) =>
  runner.readOne(workflowLocks.find({ companyId, workflowId }));

/** Who asks, and from which page: of a shared token that tells whose lock it is. */
type Asking = { readonly name: string; readonly tab?: string | undefined };

const showLock = ({ author, tab, lockedAtMs }: Lock, asking: Asking): z.output<typeof LockView> => ({
  by: author,
  at: formatInstant(lockedAtMs),
  isMine: isSamePerson({ name: author, tab }, asking),
});

/** A lock as management shows it to somebody; null where there is none. */
export const describeLock = (lock: Lock | undefined, asking: Asking): z.output<typeof LockView> | null =>
  lock === undefined ? null : showLock(lock, asking);

/** Refuses what changes a workflow that somebody else has locked. @throws {HttpError} 409 */
export async function requireUnlocked(
  { store }: Pick<LockParts, 'store'>,
  { companyId, workflowId, by }: { readonly companyId: string; readonly workflowId: string; readonly by: string },
): Promise<void> {
  const lock = await readLock(store, companyId, workflowId);
  if (lock !== undefined && lock.author !== by) throw lockedBy(lock);
}

const lockedBy = ({ author }: Pick<Lock, 'author'>): HttpError =>
  new HttpError(409, 'WORKFLOW_LOCKED', `${author} has locked this workflow: ask them, or take the lock away`);

/** What a caller is told of a lock that is not theirs. */
export const refusedByLock = { 409: jsonResponse('Somebody else has locked the workflow: nothing was changed', ErrorBody) };

const params = z.object({ workflowId: z.string() });
const example = { path: orderStatus, ...acme };
const tags = ['Workflows'];

const LockBody = z.strictObject({ tab: z.string('tab is a text').max(64, 'tab is longer than 64 characters').optional() });

const lock = defineRoute({
  put: '/admin/v1/workflows/{workflowId}/lock',
  operationId: 'lockWorkflow',
  auth: 'operator',
  permission: 'edit',
  tags,
  summary: 'Keeps a workflow for its caller: nobody else saves, publishes, archives or removes it until it is unlocked',
  description: 'What is published goes on, and others still read the draft, test it and comment on it. Again, it changes nothing.',
  params,
  query: WorkflowQuery,
  body: closedBody('May be left out', {
    type: 'object',
    properties: { tab: { type: 'string', maxLength: 64, description: 'The id that the page of the caller has made for itself' } },
  }),
  answer: jsonResponse('The lock', LockView),
  refusals: { ...bodyErrorResponses, ...refusedByLock },
  example: { ...example, body: { tab: 'tab-of-maria' } },
  async handle({ c, operator, params: { workflowId }, query }, service: LockParts) {
    const companyId = await requireDraftOwner(service, query.companyId, workflowId);
    const { tab } = parseBody(LockBody, await c.req.text());
    const { runner } = service.store;
    const fresh = { companyId, workflowId, author: operator, tab, lockedAtMs: service.clock.now() };
    const { failed } = await runner.write([
      condition(holdDraft, encodeWorkflow(companyId, workflowId)),
      asCondition(workflowLocks.insertOnce(fresh)),
    ]);
    const kept = await readLock(service.store, companyId, workflowId);
    if (kept === undefined) throw workflowNotFound(workflowId); // it was removed meanwhile, or unlocked at once
    if (kept.author !== operator) throw lockedBy(kept);
    if (failed === undefined) noteAct(c, { companyId, after: { isLocked: true } });
    return showLock(kept, { name: operator, tab: kept.tab });
  },
});

const unlock = defineRoute({
  delete: '/admin/v1/workflows/{workflowId}/lock',
  operationId: 'unlockWorkflow',
  auth: 'operator',
  permission: 'edit',
  tags,
  summary: 'Takes the lock of a workflow away',
  description: 'That of somebody else is taken with force alone, which is on record. Without a lock it changes nothing.',
  params,
  query: WorkflowQuery.extend({
    force: z
      .enum(['true', 'false'], 'force is true or false')
      .default('false')
      .openapi({ description: 'Also takes the lock of somebody else' }),
  }),
  answer: jsonResponse('Nobody has locked it', z.object({ workflowId: z.string() })),
  refusals: { ...errorResponses, ...refusedByLock },
  example,
  async handle({ c, operator, params: { workflowId }, query: { companyId: named, force } }, service: LockParts) {
    const companyId = await requireDraftOwner(service, named, workflowId);
    const kept = await readLock(service.store, companyId, workflowId);
    if (kept !== undefined && kept.author !== operator && force === 'false') throw lockedBy(kept);
    await service.store.runner.write([workflowLocks.remove({ companyId, workflowId })]);
    if (kept !== undefined) noteAct(c, { companyId, before: { lockedBy: kept.author } });
    return { workflowId };
  },
});

/** Locks of workflows. */
export const lockRoutes: readonly Route<LockParts>[] = [lock, unlock];
