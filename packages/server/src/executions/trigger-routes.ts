// The routes of management that start an execution and send a signal.
import { deliveryKey } from '@hilo/engine';
import { isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { Answered, sendSignal, SignalBody, ttlField } from './executions.ts';
import type { HttpEnv } from '../platform/http/context.ts';
import { defineRoute, type Route } from '../platform/http/define-route.ts';
import { acme, exampleUser } from '../platform/http/example-requests.ts';
import { noteAct } from '../platform/http/acts.ts';
import { closedBody, jsonResponse, otherCell } from '../platform/http/openapi.ts';
import { invalidFields } from '../platform/http/errors.ts';
import { readRequestKey } from '../platform/http/request-key.ts';
import { inWords } from '../platform/in-words.ts';
import { readUserId } from '../messages/send-request.ts';
import { requireCompany, requireWorkflowCompany, requireBot } from '../tenants/companies.ts';
import { withShare } from '../tenants/company-limits.ts';
import { bodyErrorResponses, CompanyQuery, WorkflowQuery, parseBody } from '../platform/http/admin.ts';
import type { ExecutionParts } from './execution-pages.ts';

const headers = z.object({
  'idempotency-key': z
    .string()
    .max(128)
    .optional()
    .openapi({ pattern: deliveryKey.source, description: 'A repeated key within eight days has no second effect' }),
});

function readKey(c: Context<HttpEnv>): { readonly idempotencyKey?: string } {
  const idempotencyKey = readRequestKey(c);
  return idempotencyKey === undefined ? {} : { idempotencyKey };
}

const SignalRequest = SignalBody.extend({
  /** As in a query, or a number as in a workspace file. */
  companyId: z.union([z.string(), z.int().transform(String)], 'companyId is the id of a company').optional(),
  name: z.string('name is a text').min(1, 'name is empty'),
});

const signal = defineRoute({
  post: '/admin/v1/signals',
  operationId: 'sendSignalAsOperator',
  auth: 'operator',
  permission: 'operate',
  tags: ['Executions'],
  summary: 'Resumes every execution that waits for an event with this name and correlation',
  description: 'As systems do with POST /workflows/v2/signals/{name}, with the name in the body and the credential of an operator.',
  query: CompanyQuery,
  headers,
  body: closedBody('The signal; the company may be left out where there is one', {
    type: 'object',
    required: ['name', 'correlation'],
    properties: {
      companyId: { type: ['string', 'integer'] },
      name: { type: 'string' },
      correlation: { type: 'string' },
      payload: {},
      ttl: ttlField,
    },
  }),
  answer: jsonResponse('The executions that were resumed, and until when it is held where it resumed none', Answered),
  refusals: bodyErrorResponses,
  example: { body: { companyId: '1', name: 'order.paid', correlation: 'A-17', payload: { amount: 12.5 } } },
  async handle({ c, query }, service: ExecutionParts) {
    const { companyId, ...sent } = parseBody(SignalRequest, await c.req.text());
    const { id } = requireCompany(service, companyId ?? query.companyId);
    noteAct(c, { companyId: id, kind: 'signal', id: sent.name });
    return await sendSignal(service.engine, { companyId: id, ...sent, ...readKey(c) });
  },
});

const explainUser: z.core.$ZodErrorMap = (issue) => (issue.code === 'unrecognized_keys' ? inWords(issue) : 'user is an object with an id');

const StartRequest = z.object({
  inputs: z.custom<JsonObject>((inputs) => isJsonObject(inputs as Json), 'inputs is an object').default({}),
  user: z.strictObject({ id: z.string('user.id is a text') }, { error: explainUser }).optional(),
  botId: z.string('botId is a text').optional(),
});

const start = defineRoute({
  post: '/admin/v1/workflows/{workflowId}/start',
  operationId: 'startExecution',
  auth: 'operator',
  permission: 'operate',
  tags: ['Workflows'],
  summary: 'Starts an execution of the published version, without a webhook or a message',
  description: 'The inputs are in the body, and so are the user and the bot where the workflow needs them.',
  params: z.object({ workflowId: z.string() }),
  query: WorkflowQuery,
  headers,
  body: closedBody('May be left out; a user is one of the bot that is named', {
    type: 'object',
    properties: {
      inputs: { type: 'object', description: 'What $input holds: the inputs that the canvas declares' },
      user: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
      botId: { type: 'string' },
    },
  }),
  answer: jsonResponse('Durably accepted', z.object({ executionId: z.string() })),
  refusals: { ...bodyErrorResponses, ...otherCell },
  example: { path: { workflowId: 'hello' }, ...acme, body: { user: exampleUser, botId: 'bot_wa' } },
  async handle({ c, params: { workflowId }, query }, service: ExecutionParts) {
    const companyId = await requireWorkflowCompany(service, query.companyId, workflowId);
    const { inputs, user, botId } = parseBody(StartRequest, await c.req.text());
    if (user !== undefined && botId === undefined) throw invalidFields({ botId: ['name the bot of the user'] });
    const bot = botId === undefined ? undefined : requireBot(service, companyId, botId);
    const userId = user === undefined || bot === undefined ? undefined : readUserId(user.id, bot);
    const botOrigin = bot === undefined ? {} : { botId: bot.id, channel: bot.channel };
    const userOrigin = userId === undefined ? {} : { userId };
    const origin = { companyId, route: 'production' as const, ...botOrigin, ...userOrigin };
    noteAct(c, { companyId });
    const { executionId } = await withShare(service.shares?.takeStart(companyId), () =>
      service.engine.startWorkflow({ origin, workflowId, inputs, ...readKey(c) }),
    );
    noteAct(c, { after: { executionId } });
    return { executionId };
  },
});

/** Starts by name, and signals to executions that wait for them. */
export const triggerRoutes: readonly Route<ExecutionParts>[] = [signal, start];
