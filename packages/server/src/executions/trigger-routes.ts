import { noteAct } from '../platform/http/acts.ts';
import { deliveryKey, readDeliveryKey } from '@hilo/engine';
import { isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { Answered, sendSignal, SignalBody, ttlField } from './executions.ts';
import type { HttpEnv } from '../platform/http/context.ts';
import { closedBody, jsonResponse, otherCell } from '../platform/http/openapi.ts';
import { invalidFields } from '../platform/http/errors.ts';
import { inWords } from '../platform/in-words.ts';
import { readUserId } from '../messages/send-request.ts';
import { requireCompany, requireWorkflowCompany, requireBot } from '../tenants/companies.ts';
import { bodyErrorResponses, CompanyQuery, WorkflowQuery, parseBody } from '../platform/http/admin.ts';
import type { ExecutionParts } from './execution-pages.ts';

const headers = z.object({
  'idempotency-key': z
    .string()
    .max(128)
    .optional()
    .openapi({ pattern: deliveryKey.source, description: 'A repeated key within eight days has no second effect' }),
});

const SignalRequest = SignalBody.extend({
  /** As in a query, or a number as in a workspace file. */
  companyId: z.union([z.string(), z.int().transform(String)], 'companyId is the id of a company').optional(),
  name: z.string('name is a text').min(1, 'name is empty'),
});

const signal = createRoute({
  method: 'post',
  path: '/signals',
  operationId: 'sendSignalAsOperator',
  tags: ['Executions'],
  summary: 'Resumes every execution that waits for an event with this name and correlation',
  description: 'As systems do with POST /workflows/v2/signals/{name}, with the name in the body and the credential of an operator.',
  request: {
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
  },
  responses: {
    200: jsonResponse('The executions that were resumed, and until when it is held where it resumed none', Answered),
    ...bodyErrorResponses,
  },
});

const explainUser: z.core.$ZodErrorMap = (issue) => (issue.code === 'unrecognized_keys' ? inWords(issue) : 'user is an object with an id');

const StartRequest = z.object({
  inputs: z.custom<JsonObject>((inputs) => isJsonObject(inputs as Json), 'inputs is an object').default({}),
  user: z.strictObject({ id: z.string('user.id is a text') }, { error: explainUser }).optional(),
  botId: z.string('botId is a text').optional(),
});

const start = createRoute({
  method: 'post',
  path: '/workflows/{workflowId}/start',
  operationId: 'startExecution',
  tags: ['Workflows'],
  summary: 'Starts an execution of the published version, without a webhook or a message',
  description: 'The inputs are in the body, and so are the user and the bot where the workflow needs them.',
  request: {
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
  },
  responses: { 200: jsonResponse('Durably accepted', z.object({ executionId: z.string() })), ...bodyErrorResponses, ...otherCell },
});

/** Starts by name, and signals to executions that wait for them. */
export function triggerRoutes(app: OpenAPIHono<HttpEnv>, service: ExecutionParts): void {
  const { engine } = service;
  const readKey = ({ req }: Context<HttpEnv>) => {
    const names = ['webhook-id', 'idempotency-key'];
    const idempotencyKey = readDeliveryKey(Object.fromEntries(names.map((name) => [name, req.header(name)])));
    return idempotencyKey === undefined ? {} : { idempotencyKey };
  };

  app.openapi(signal, async (c) => {
    const { companyId, ...sent } = parseBody(SignalRequest, await c.req.text());
    const { id } = requireCompany(service, companyId ?? c.req.valid('query').companyId);
    noteAct(c, { companyId: id, kind: 'signal', id: sent.name });
    return c.json(await sendSignal(engine, { companyId: id, ...sent, ...readKey(c) }), 200);
  });

  app.openapi(start, async (c) => {
    const { workflowId } = c.req.valid('param');
    const companyId = await requireWorkflowCompany(service, c.req.valid('query').companyId, workflowId);
    const { inputs, user, botId } = parseBody(StartRequest, await c.req.text());
    if (user !== undefined && botId === undefined) throw invalidFields({ botId: ['name the bot of the user'] });
    const bot = botId === undefined ? undefined : requireBot(service, companyId, botId);
    const userId = user === undefined || bot === undefined ? undefined : readUserId(user.id, bot);
    const botOrigin = bot === undefined ? {} : { botId: bot.id, channel: bot.channel };
    const userOrigin = userId === undefined ? {} : { userId };
    const origin = { companyId, route: 'production' as const, ...botOrigin, ...userOrigin };
    noteAct(c, { companyId });
    const { executionId } = await engine.startWorkflow({ origin, workflowId, inputs, ...readKey(c) });
    noteAct(c, { after: { executionId } });
    return c.json({ executionId }, 200);
  });
}
