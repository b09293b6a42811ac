// What the authors of a workflow tell one another: who has it open and where, comments on it and its nodes, and the folder that it is in.
import { randomUUID } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import { asCondition, condition, integer } from '@hilo/stores';
import { holdDraft } from '../platform/database/hold-draft.ts';
import { encodeWorkflow } from '../platform/database/schema.ts';
import { noteAct } from '../platform/http/acts.ts';
import {
  bodyErrorResponses,
  errorResponses,
  formatInstant,
  Instant,
  Page,
  parseBody,
  workflowNotFound,
  WorkflowQuery,
} from '../platform/http/admin.ts';
import { defineRoute, type Route } from '../platform/http/define-route.ts';
import { invalidRequest, notFound } from '../platform/http/errors.ts';
import { acme, orderStatus } from '../platform/http/example-requests.ts';
import { closedBody, jsonResponse } from '../platform/http/openapi.ts';
import { asSeen, asSeenText } from '../platform/shown-names.ts';
import { authorsHere, workflowComments, workflowFolders } from '../platform/tables/workflows.ts';
import { listOthers } from './list-others.ts';
import { describeLock, LockView, readLock } from './locks.ts';
import { requireDraftOwner, type WorkflowParts } from './workflows.ts';

type TogetherParts = Pick<WorkflowParts, 'companies' | 'store' | 'engine' | 'clock'>;

/** How long somebody is here after they last said so. */
const hereMs = 45_000;
/** So many pages are looked at, those seen last first. */
const maxTabs = 200;
/** So many comments a workflow has. */
const maxComments = 500;

const params = z.object({ workflowId: z.string() });
const tags = ['Workflows'];
const example = { path: orderStatus, ...acme };

const visible = (text: string): boolean => /[^\s\p{Cf}]/u.test(text);
const NodeName = asSeen('nodeId', z.string().max(128)).nullable().default(null);
const nodeOf = { type: ['string', 'null'], description: 'A node of the canvas; null or left out for the whole of it' };

const Here = z.strictObject({ nodeId: NodeName });
const Author = z.object({ name: z.string(), nodeId: z.string().nullable() }).openapi('AuthorHere');

const { workflowId: ofWorkflow, tab: ofTab } = authorsHere.columns;
const selectHere = authorsHere.select({ workflowId: ofWorkflow, sinceMs: integer() }, (rows, { workflowId, sinceMs }) =>
  rows.where('workflow_id', '=', workflowId).where('seen_at_ms', '>', sinceMs).orderBy('seen_at_ms', 'desc').orderBy('tab').limit(maxTabs),
);
const removeGone = authorsHere.removeWhere({ workflowId: ofWorkflow, beforeMs: integer() }, (rows, { workflowId, beforeMs }) =>
  rows.where('workflow_id', '=', workflowId).where('seen_at_ms', '<=', beforeMs),
);
const leave = authorsHere.removeWhere({ workflowId: ofWorkflow, tab: ofTab }, (rows, { workflowId, tab }) =>
  rows.where('workflow_id', '=', workflowId).where('tab', '=', tab),
);

const Tab = z.string().openapi({ description: 'The id that the page of the caller has made for itself' });
const tabParams = params.extend({ tab: Tab.regex(/^[\w-]{8,64}$/, 'a tab is 8 to 64 letters, digits, "_" or "-"') });
const tabOfExample = { path: { ...orderStatus, tab: 'tab-of-maria' }, ...acme };

const sayHere = defineRoute({
  put: '/admin/v1/workflows/{workflowId}/authors/{tab}',
  operationId: 'sayAuthorHere',
  auth: 'operator',
  permission: 'view',
  tags,
  summary: 'Says that its caller has a workflow open, and who else has',
  description:
    'To be said every 15 seconds, under an id that the page makes for itself; who does not say so for 45 seconds is gone. Whoever has an account, or a name of the host, is one person in however many pages, where they last were.',
  params: tabParams,
  query: WorkflowQuery,
  body: closedBody('Where the caller is', { type: 'object', properties: { nodeId: nodeOf } }),
  answer: jsonResponse(
    'The others',
    Page(Author).extend({ lock: LockView.nullable().openapi({ description: 'Who keeps it for themselves; null where nobody does' }) }),
  ),
  refusals: bodyErrorResponses,
  example: { ...tabOfExample, body: { nodeId: null } },
  async handle({ c, operator, params: { workflowId, tab }, query }, service: TogetherParts) {
    const companyId = await requireDraftOwner(service, query.companyId, workflowId);
    const { nodeId } = parseBody(Here, await c.req.text());
    const nowMs = service.clock.now();
    const { runner } = service.store;
    const here = { companyId, workflowId, tab, name: operator, nodeId: nodeId ?? undefined, seenAtMs: nowMs };
    await runner.write([removeGone({ companyId, workflowId, beforeMs: nowMs - hereMs }), ...authorsHere.upsert([here])]);
    const all = await runner.read(selectHere({ companyId, workflowId, sinceMs: nowMs - hereMs }));
    const lock = describeLock(await readLock(service.store, companyId, workflowId), { name: operator, tab });
    return { results: listOthers(all, { tab, name: operator }), nextCursor: null, lock };
  },
});

const sayGone = defineRoute({
  delete: '/admin/v1/workflows/{workflowId}/authors/{tab}',
  operationId: 'sayAuthorGone',
  auth: 'operator',
  permission: 'view',
  tags,
  summary: 'Says that its caller has closed a workflow',
  description: 'Again, it changes nothing.',
  params: tabParams,
  query: WorkflowQuery,
  answer: jsonResponse('Nobody sees the caller any more', z.object({ tab: Tab })),
  refusals: errorResponses,
  example: tabOfExample,
  async handle({ params: { workflowId, tab }, query }, service: TogetherParts) {
    const companyId = await requireDraftOwner(service, query.companyId, workflowId);
    await service.store.runner.write([leave({ companyId, workflowId, tab })]);
    return { tab };
  },
});

const Comment = z
  .object({
    id: z.string(),
    nodeId: z.string().nullable(),
    text: z.string(),
    by: z.string().openapi({ description: 'Who wrote it' }),
    at: Instant,
    doneAt: Instant.nullable().openapi({ description: 'When somebody marked it as done', example: null }),
    doneBy: z.string().nullable().openapi({ description: 'Who marked it as done', example: null }),
  })
  .openapi('WorkflowComment');
type CommentRow = NonNullable<Awaited<ReturnType<typeof readComments>>[number]>;

const showComment = ({ id, nodeId, text, author, createdAtMs, doneAtMs, doneBy }: CommentRow): z.output<typeof Comment> => ({
  id,
  nodeId: nodeId ?? null,
  text,
  by: author,
  at: formatInstant(createdAtMs),
  doneAt: doneAtMs === undefined ? null : formatInstant(doneAtMs),
  doneBy: doneBy ?? null,
});

const selectComments = workflowComments.select({ workflowId: workflowComments.columns.workflowId }, (rows, { workflowId }) =>
  rows.where('workflow_id', '=', workflowId).orderBy('created_at_ms').orderBy('id').limit(maxComments),
);
const readComments = ({ store }: TogetherParts, companyId: string, workflowId: string) =>
  store.runner.read(selectComments({ companyId, workflowId }));

const listComments = defineRoute({
  get: '/admin/v1/workflows/{workflowId}/comments',
  operationId: 'listWorkflowComments',
  auth: 'operator',
  permission: 'view',
  tags,
  summary: 'The comments on a workflow and on its nodes, oldest first',
  description: 'Those that are done are among them. A node that was removed keeps its comments.',
  params,
  query: WorkflowQuery,
  answer: jsonResponse('The comments', Page(Comment)),
  refusals: errorResponses,
  example,
  async handle({ params: { workflowId }, query }, service: TogetherParts) {
    const companyId = await requireDraftOwner(service, query.companyId, workflowId);
    return { results: (await readComments(service, companyId, workflowId)).map(showComment), nextCursor: null };
  },
});

const NewComment = z.strictObject({
  nodeId: NodeName,
  text: asSeenText('text', z.string().max(2_000).refine(visible, 'write at least one visible character')),
});

const addComment = defineRoute({
  post: '/admin/v1/workflows/{workflowId}/comments',
  operationId: 'addWorkflowComment',
  auth: 'operator',
  permission: 'edit',
  tags,
  summary: 'Comments on a workflow, or on one of its nodes',
  description: 'The canvas and its versions stay as they are. A workflow has 500 comments at most.',
  params,
  query: WorkflowQuery,
  body: closedBody('The comment', {
    type: 'object',
    required: ['text'],
    properties: { nodeId: nodeOf, text: { type: 'string', minLength: 1, maxLength: 2_000 } },
  }),
  answer: jsonResponse('The comment is kept', Comment),
  refusals: bodyErrorResponses,
  example: { ...example, body: { nodeId: 'ask', text: 'Do we say "order" or "purchase" here?' } },
  async handle({ c, operator, params: { workflowId }, query }, service: TogetherParts) {
    const companyId = await requireDraftOwner(service, query.companyId, workflowId);
    const { nodeId, text } = parseBody(NewComment, await c.req.text());
    if ((await readComments(service, companyId, workflowId)).length >= maxComments)
      throw invalidRequest(`A workflow has ${maxComments} comments: remove some first`);
    const fresh = {
      companyId,
      workflowId,
      id: randomUUID(),
      nodeId: nodeId ?? undefined,
      author: operator,
      text,
      createdAtMs: service.clock.now(),
      doneAtMs: undefined,
      doneBy: undefined,
    };
    const written = await service.store.runner.write([
      condition(holdDraft, encodeWorkflow(companyId, workflowId)),
      ...workflowComments.insert([fresh]),
    ]);
    if (written.failed !== undefined) throw workflowNotFound(workflowId); // it was removed meanwhile
    noteAct(c, { companyId, after: { comment: fresh.id, ...(nodeId !== null && { nodeId }) } });
    return showComment(fresh);
  },
});

const commentParams = params.extend({
  commentId: z.string().openapi({ description: 'The id of the comment' }),
});
const noComment = (id: string) => notFound('COMMENT_NOT_FOUND', `There is no comment "${id}"`);
const Done = z.strictObject({ isDone: z.boolean() });

const markComment = defineRoute({
  patch: '/admin/v1/workflows/{workflowId}/comments/{commentId}',
  operationId: 'markWorkflowComment',
  auth: 'operator',
  permission: 'edit',
  tags,
  summary: 'Marks a comment as done, or as open again',
  description: 'Who did so last is kept with it.',
  params: commentParams,
  query: WorkflowQuery,
  body: closedBody('Whether it is done', {
    type: 'object',
    required: ['isDone'],
    properties: { isDone: { type: 'boolean', description: 'Whether it is done' } },
  }),
  answer: jsonResponse('The comment as it is now', Comment),
  refusals: bodyErrorResponses,
  example: { path: { ...orderStatus, commentId: 'COMMENT_ID' }, ...acme, body: { isDone: true } },
  async handle({ c, operator, params: { workflowId, commentId: id }, query }, service: TogetherParts) {
    const companyId = await requireDraftOwner(service, query.companyId, workflowId);
    const { isDone } = parseBody(Done, await c.req.text());
    const { runner } = service.store;
    const comment = await runner.readOne(workflowComments.find({ companyId, workflowId, id }));
    if (comment === undefined) throw noComment(id);
    const after = { ...comment, doneAtMs: isDone ? service.clock.now() : undefined, doneBy: isDone ? operator : undefined };
    const { failed } = await runner.write([
      asCondition(workflowComments.find({ companyId, workflowId, id })),
      ...workflowComments.upsert([after]),
    ]);
    if (failed !== undefined) throw noComment(id);
    noteAct(c, { companyId, before: { isDone: comment.doneAtMs !== undefined }, after: { isDone } });
    return showComment(after);
  },
});

const removeComment = defineRoute({
  delete: '/admin/v1/workflows/{workflowId}/comments/{commentId}',
  operationId: 'removeWorkflowComment',
  auth: 'operator',
  permission: 'edit',
  tags,
  summary: 'Removes a comment',
  description: 'It is not kept anywhere.',
  params: commentParams,
  query: WorkflowQuery,
  answer: jsonResponse('The comment was removed', z.object({ id: z.string() })),
  refusals: errorResponses,
  example: { path: { ...orderStatus, commentId: 'COMMENT_ID' }, ...acme },
  async handle({ c, params: { workflowId, commentId: id }, query }, service: TogetherParts) {
    const companyId = await requireDraftOwner(service, query.companyId, workflowId);
    if ((await service.store.runner.writeOne(workflowComments.remove({ companyId, workflowId, id }))) === undefined) throw noComment(id);
    noteAct(c, { companyId, before: { comment: id } });
    return { id };
  },
});

const Folder = z.strictObject({
  folder: asSeen('folder', z.string().max(100)).transform((text) => text.trim()),
});

const setFolder = defineRoute({
  put: '/admin/v1/workflows/{workflowId}/folder',
  operationId: 'setWorkflowFolder',
  auth: 'operator',
  permission: 'edit',
  tags,
  summary: 'Puts a workflow into a folder of the list, or takes it out',
  description: 'Folders are made by being named, and change nothing of how a workflow is started or called.',
  params,
  query: WorkflowQuery,
  body: closedBody('The folder', {
    type: 'object',
    required: ['folder'],
    properties: { folder: { type: 'string', maxLength: 100, description: 'Its name; "/" divides folders in folders. Empty for none' } },
  }),
  answer: jsonResponse(
    'Where it is now',
    z.object({ workflowId: z.string(), folder: z.string().openapi({ description: 'The folder; empty for none' }) }),
  ),
  refusals: bodyErrorResponses,
  example: { ...example, body: { folder: 'Orders' } },
  async handle({ c, params: { workflowId }, query }, service: TogetherParts) {
    const companyId = await requireDraftOwner(service, query.companyId, workflowId);
    const { folder } = parseBody(Folder, await c.req.text());
    const { runner } = service.store;
    const before = (await runner.readOne(workflowFolders.find({ companyId, workflowId })))?.folder ?? '';
    const changes =
      folder === '' ? [workflowFolders.remove({ companyId, workflowId })] : workflowFolders.upsert([{ companyId, workflowId, folder }]);
    const { failed } = await runner.write([condition(holdDraft, encodeWorkflow(companyId, workflowId)), ...changes]);
    if (failed !== undefined) throw workflowNotFound(workflowId);
    noteAct(c, { companyId, before: { folder: before }, after: { folder } });
    return { workflowId, folder };
  },
});

/** Who is here, comments and folders. */
export const togetherRoutes: readonly Route<TogetherParts>[] = [
  sayHere,
  sayGone,
  listComments,
  addComment,
  markComment,
  removeComment,
  setFolder,
];
