// The node `webhook`.
import {
  type Channel,
  defineNode,
  durationMs,
  getPath,
  HiloError,
  interruptible,
  type Json,
  kindOf,
  leave,
  type Path,
  parsePath,
  perform,
  TimedDuration,
  VariableName,
  type WebhookAdmission,
  webhookCall,
  type WebhookData,
  WebhookMethod,
  type WebhookRequest,
} from '@hilo/engine/contract';
import { z } from 'zod';
import { callbackFields, callNames, dropSecretHeaders, lifeOf, writeCallData } from './callback.ts';
import { WebhookAuth } from './webhook-auth.ts';
import { type UserIdFormat, userIdProblem } from './messages/send-request.ts';
import { namesAt } from './names-at.ts';

/** The place of a value in a request's body: `user.id`, `items[0].code`. In the canvas a text, here its steps. */
const BodyPath = z
  .string()
  .meta({ examples: ['user.id', 'meta.executionId'] })
  .transform((text, context): Path => {
    const path = parsePath(text);
    if (path !== undefined) return path;
    context.addIssue(`"${text}" is not a place in a body; write its steps with dots, such as user.id or items[0].code`);
    return z.NEVER;
  });

const Config = z
  .strictObject({
    variableName: VariableName.meta({
      description: 'The name of the request: its body is read as $webhook.NAME.body',
      examples: ['order'],
    }),
    methods: z.array(WebhookMethod).default([]).meta({ description: 'The accepted HTTP methods; an empty list accepts none' }),
    userIdPath: BodyPath.optional().meta({
      description: 'Where the body has the id of the user; without it, or where the body has none, the query parameter userId is read',
    }),
    executionIdPath: BodyPath.optional().meta({
      description: 'Where the body has the id of the execution to resume; else the query parameter executionId is read',
    }),
    oneTimeOnly: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether only the first resume of an execution counts; later ones are answered and change nothing' }),
    inherit: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether a request that this workflow receives as a child replaces that of its caller' }),
    storage: z
      .enum(['webhook', 'context'])
      .default('webhook')
      .meta({ description: 'Where the request is kept: under $webhook, or directly in $context as in canvases of the earlier host' }),
    waitTimeout: TimedDuration.optional().meta({ description: 'How long the node waits for a resume before it leaves by "timeout"' }),
    respond: z.enum(['onAccept', 'onFinish']).default('onAccept').meta({
      description:
        'When the caller gets its answer: when the request is stored, or when the execution has responded or ended, within 10 to 60 seconds by plan',
    }),
    ...callbackFields,
    auth: WebhookAuth.default({ kind: 'apiKey' }).meta({
      description:
        'How the production address knows its callers: by the API key of the company, or by what the node verifies itself, where a request has no key',
    }),
    legacyId: z
      .string()
      .regex(/^[A-Za-z0-9_:-]{1,128}$/, 'A webhook id has 1 to 128 letters, digits, "_", "-" or ":"')
      .optional()
      .meta({ description: 'The id in the address of an earlier host, under which the webhook is called as well', examples: ['wh_4711'] }),
  })
  .refine(({ storage, variableName }) => storage === 'webhook' || variableName !== 'executionId', {
    path: ['variableName'],
    error: '$context.executionId is read-only; choose another name',
  });
type Config = z.output<typeof Config>;

/**
 * Starts an execution by HTTP; reached in the middle of one, waits for a request that names it. With an edge at `interrupted`, a message of
 * the user's ends that wait.
 */
export const webhook = defineNode({
  type: 'webhook',
  config: Config,
  visual: {
    label: 'Webhook',
    category: 'entry',
    icon: 'webhook',
    colour: '#16a34a',
    description:
      'Starts the flow when another system calls its address. Placed inside a flow, it waits there for such a call, or for a message from the user.',
    summary: ({ variableName, methods = [], storage = 'webhook' }) =>
      `${methods.length === 0 ? 'No method' : methods.join(', ')} → $${storage}.${variableName ?? '…'}`,
    formHints: { waitTimeout: 'duration', expires: 'duration' },
  },
  references: ({ auth }) => (auth.kind === 'apiKey' ? [] : [{ kind: 'credential', id: auth.secret, at: ['auth', 'secret'] }]),
  facts: {
    needs: 'an API key of the company, or a credential in "auth"',
    limits: 'one for each canvas; a body of 1 MB, 64 levels, 10,000 keys and 50,000 values',
  },
  ports: ['new'],
  optionalPorts: ['resume', 'timeout', 'interrupted'],
  portsWhenEntered: ['resume'],
  entry: { kind: 'webhook', admit, handsBack: ({ inherit, variableName }) => (inherit ? variableName : undefined) },
  callback: {
    rules: ({ methods, confirm, oneTimeOnly, respond, expires, waitTimeout }) => ({
      methods,
      confirm,
      oneTimeOnly,
      respond,
      lifeMs: lifeOf(expires, waitTimeout),
    }),
    writes: ({ storage, variableName }, request, { executionId }) => [
      { path: [scopes[storage], variableName], value: { ...writeCallData(request, executionId) } },
    ],
  },
  run({ config: { waitTimeout }, variables, trigger, isConnected }) {
    if (trigger?.kind === 'webhook') return leave('new', trigger.writes);
    const dueInMs = waitTimeout === undefined ? undefined : durationMs(waitTimeout, variables);
    const call = webhookCall({ ...(dueInMs !== undefined && { dueInMs }) });
    return perform(interruptible(call, isConnected), (answer) => {
      if (answer.kind === 'interrupted') return leave('interrupted');
      return answer.kind === 'request'
        ? leave('resume', answer.writes)
        : leave('timeout', [], { failure: { cause: 'TIMEOUT', message: `No request came within ${dueInMs} ms` } });
    });
  },
  heardBefore: () => ['interrupted'],
  waitFields: { waitTimeout: ['timeout'] },
  writingFields: ['variableName'],
  waitsBefore: () => ['resume', 'timeout', 'interrupted'],
  shapes: ({ storage, variableName }) => namesAt([scopes[storage], variableName], callNames),
  writes: ({ storage, variableName }) => {
    const written = [`$${storage}.${variableName}`];
    return { new: written, resume: written, interrupted: ['$message'] };
  },
  check: ({ methods }) =>
    methods.length > 0
      ? []
      : [
          {
            code: 'WEBHOOK_WITHOUT_METHODS',
            severity: 'warning',
            message: 'The webhook takes no method, so it refuses every request',
            hint: 'Choose at least one method; otherwise every request is refused.',
            at: ['methods'],
          },
        ],
});

const scopes = { webhook: '$webhook', context: '$context' } as const;

/**
 * Reads a request to this node (WEB-07 to WEB-16).
 *
 * @throws {HiloError} `METHOD_NOT_ALLOWED` for a method that is not configured, `INVALID_REQUEST` for an execution id
 *   that is empty, no text, or given twice with two values
 */
function admit(config: Config, request: WebhookRequest): WebhookAdmission {
  const { methods, userIdPath, executionIdPath, oneTimeOnly, respond, storage, variableName } = config;
  const { method, query, body } = request;
  if (!methods.some((allowed) => allowed === method)) throw new HiloError('METHOD_NOT_ALLOWED', { method, allowed: methods });
  const getFromBody = (path: Path | undefined) => (path === undefined ? undefined : getPath(body, path));
  const getFromQuery = (name: string) => getPath(query, [name]);
  const headers = dropSecretHeaders(request.headers);
  return {
    executionId: readExecutionId(getFromBody(executionIdPath), getFromQuery('executionId')),
    userId: (channel, format) => readUserId(getFromBody(userIdPath) ?? getFromQuery('userId'), channel, format),
    oneTimeOnly,
    respond,
    writes: ({ executionId, mode }) => {
      const value = { body, headers, query, method, mode, executionId, isNewExecution: mode === 'new' } satisfies WebhookData;
      return [{ path: [scopes[storage], variableName], value }];
    },
  };
}

/** The id of the execution to resume, or `undefined` for a new one. A malformed id never starts a new one (WEB-10, WEB-11). */
function readExecutionId(inBody: Json | undefined, inQuery: Json | undefined): string | undefined {
  const [first, second] = [readId(inBody, 'body'), readId(inQuery, 'query')];
  if (first !== undefined && second !== undefined && first !== second) {
    throw new HiloError('INVALID_REQUEST', {
      reason: `executionId is "${first}" in the body and "${second}" in the query: give one of them`,
    });
  }
  return first ?? second;
}

function readId(value: Json | undefined, place: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' && value !== '') return value;
  const found = value === '' ? 'empty' : 'not a text';
  throw new HiloError('INVALID_REQUEST', {
    reason: `executionId in the ${place} is ${found}: leave it out for a new execution, or give the id of one`,
  });
}

/** @throws {HiloError} `INVALID_USER_ID` when a user id is present but malformed (UID-03) */
function readUserId(value: Json | undefined, channel: Channel, format: UserIdFormat): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' && userIdProblem(value, channel, format) === undefined) return value;
  throw new HiloError(
    'INVALID_USER_ID',
    typeof value === 'string' ? { userId: value } : { userId: JSON.stringify(value), kind: kindOf(value) },
  );
}
