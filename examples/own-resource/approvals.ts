// A resource of a host: approvals, which a workflow asks for and a manager grants. A table, two routes, a job, and the node that asks.
import { defineEffect, defineNode, formatPath, leave, perform, Template, VariablePath } from '@hilo/engine/node-kit';
import { defineJob, defineResource, defineRoute, driveResource, errorResponses, jsonResponse, notFound, type Service } from '@hilo/server';
import { defineTable, flag, integer, key, text } from '@hilo/stores';
import { z } from 'zod';

/** What was asked for, one row each. */
export const approvals = defineTable(
  'approvals',
  {
    companyId: key(text()),
    id: key(text()),
    executionId: text(),
    reason: text(),
    askedAtMs: integer(),
    isGranted: flag(),
  },
  {
    moves: 'copied',
    personal: { of: 'execution', column: 'executionId' },
    indexes: { byAge: { on: ['companyId', 'askedAtMs'] }, ofExecution: { on: ['companyId', 'executionId'] } },
  },
);

// Statements of its own: each is of one company, and its parameters are columns.
const askedBefore = approvals.read(['id'], { beforeMs: integer(), atMost: integer() }, (rows, { beforeMs, atMost }) =>
  rows.where('asked_at_ms', '<', beforeMs).where('is_granted', '=', 0).orderBy('asked_at_ms').limit(atMost),
);
const grant = approvals.change({ id: approvals.columns.id }, (rows, { id }) => rows.set({ is_granted: 1 }).where('id', '=', id));

const Approval = z.object({ id: z.string(), executionId: z.string(), reason: z.string(), askedAtMs: z.int(), isGranted: z.boolean() });

const listApprovals = defineRoute({
  get: '/admin/v1/companies/{companyId}/approvals',
  operationId: 'listApprovals',
  tags: ['Approvals'],
  auth: 'operator',
  permission: 'view',
  summary: 'The approvals that workflows have asked for',
  description: 'In the order of their ids.',
  params: z.object({ companyId: z.string() }),
  query: z.object({ isGranted: z.enum(['true', 'false']).optional() }),
  answer: jsonResponse('The approvals', z.array(Approval)),
  refusals: errorResponses,
  example: { path: { companyId: '1' } },
  async handle({ companyId, query: { isGranted } }, { store }: Pick<Service, 'store'>) {
    const all = await store.runner.read(approvals.all(companyId));
    return all.filter((one) => isGranted === undefined || String(one.isGranted) === isGranted);
  },
});

const grantApproval = defineRoute({
  post: '/admin/v1/companies/{companyId}/approvals/{id}/grant',
  operationId: 'grantApproval',
  tags: ['Approvals'],
  auth: 'operator',
  permission: 'operate',
  summary: 'Grants an approval',
  description: 'Again, it changes nothing.',
  params: z.object({ companyId: z.string(), id: z.string() }),
  answer: jsonResponse('The approval', Approval),
  refusals: errorResponses,
  example: { path: { companyId: '1', id: 'a1' } },
  async handle({ companyId, params: { id } }, { store }: Pick<Service, 'store'>) {
    await store.runner.writeOne(grant({ companyId, id }));
    const approval = await store.runner.readOne(approvals.find({ companyId, id }));
    if (approval === undefined) throw notFound('APPROVAL_NOT_FOUND', `There is no approval "${id}"`);
    return approval;
  },
});

/** Removes what nobody has granted for some days, a page at a time. A page may be done twice: there is nothing left to remove then. */
export const expireApprovals = defineJob({
  kind: 'expire-approvals',
  spec: z.strictObject({ days: z.int().min(1) }),
  async page({ companyId, spec, size, each }, { store, clock }: Pick<Service, 'store' | 'clock'>) {
    const beforeMs = clock.now() - spec.days * 86_400_000;
    const page = await store.runner.read(askedBefore({ companyId, beforeMs, atMost: size }));
    await each(page, async ({ id }) => {
      await store.runner.writeOne(approvals.remove({ companyId, id }));
    });
    return { next: page.length < size ? null : 'more', read: page.length, counts: { expired: page.length } };
  },
});

const ask = defineEffect('approvals.ask', { request: z.strictObject({ reason: z.string() }), result: z.strictObject({ id: z.string() }) });

const askApproval = defineNode({
  type: 'ask-approval',
  config: z.strictObject({
    reason: Template.meta({ description: 'What a manager reads', examples: ['Refund of {{$context.amount}}'] }),
    saveAs: VariablePath.meta({ description: 'Where the id of the approval is kept' }),
  }),
  visual: {
    label: 'Ask for approval',
    category: 'integration',
    icon: 'stamp',
    colour: '#0f766e',
    description: 'Asks a manager, who grants it later.',
    summary: ({ reason }) => reason,
    formHints: { saveAs: 'variable' },
  },
  ports: ['asked'],
  optionalPorts: ['error'],
  effects: [ask],
  writes: ({ saveAs }) => ({ asked: [formatPath(saveAs)] }),
  run: ({ config: { reason, saveAs }, variables }) =>
    perform(ask({ reason: reason(variables) }), ({ id }) => leave('asked', [{ path: saveAs, value: id }])),
});

/** Asked again after a crash, the effect has the same key, and finds its row. */
const askDriver = driveResource(ask, async ({ reason }, { idempotencyKey, executionId, origin, nowMs }, { store }) => {
  const approval = { companyId: origin.companyId, id: idempotencyKey, executionId, reason, askedAtMs: nowMs, isGranted: false };
  await store.runner.write(approvals.insertMissing([approval]));
  return { id: approval.id };
});

export const approvalsResource = defineResource({
  name: 'approvals',
  tables: [approvals],
  routes: [listApprovals, grantApproval],
  jobs: [expireApprovals],
  nodes: [askApproval],
  drivers: [askDriver],
});
