import { checkCanvasText } from './canvas/check.ts';
import { canvasHash } from './canvas/hash.ts';
import { parseCanvas } from './canvas/parse.ts';
import { HiloError } from './contract/errors.ts';
import { Channel, type Origin } from './contract/execution.ts';
import { isJsonObject, type Json, type JsonObject } from './contract/json.ts';
import type { Problem } from './contract/problem.ts';
import type { ExecutionRecord, HistoryRecord } from './contract/store.ts';
import { readFields, readJson, readObject, readParts, readText, type WebhookParts } from './host-input.ts';
import { finalStatuses } from './machine/lifecycle.ts';
import { readCheckOptions, type Connections } from './runtime/canvas-library.ts';
import type { EngineContext } from './runtime/context.ts';
import type { ExecutionRef } from './runtime/events.ts';
import type { InboundMessage, MessageOutcome, WebhookAccepted } from './runtime/lane-runtime.ts';
import { receiveMessage } from './runtime/message.ts';
import { cancelExecution, readExecution, readHistory, releaseExecution } from './runtime/operate.ts';
import { sendSignal } from './runtime/signal.ts';
import { pinCanvas, startExecution } from './runtime/start.ts';
import { receiveWebhook } from './runtime/webhook.ts';

/** The functions of one company: no call reaches another company's canvases or executions. */
export interface Company {
  /**
   * Checks a canvas, stores it and makes it the version of new executions; running ones keep theirs. Publishing unchanged content changes
   * nothing.
   *
   * @param canvas - JSON text, or the object
   * @param connections - the company's channels and names; without them, names are not checked
   * @throws {HiloError} `INVALID_CANVAS` with every problem in `details.problems`; nothing is stored then
   */
  publish(canvas: string | object, connections?: Connections): Promise<PublishedCanvas>;
  /**
   * Accepts a request to the webhook of a workflow: starts an execution, or resumes the one that it names. Durable when the promise
   * resolves. The caller has checked its credentials.
   *
   * @param request - a web standard `Request`, or its parts with the body parsed
   * @throws {HiloError} whose `status` is the one to answer with: 400, 404, 405, 409 or 503
   */
  webhook(workflowId: string, request: Request | WebhookParts, options?: WebhookOptions): Promise<WebhookResult>;
  /**
   * Accepts a message of a user: it answers the open wait of their execution, or starts a workflow. Durable when the promise resolves.
   *
   * @returns `duplicate` when the delivery was accepted before: it has no second consequence within eight days
   * @throws {HiloError} `INVALID_REQUEST` for a delivery without bot, user or id, or with a value that is no JSON; `STORE_CONFLICT`, `STORE_UNAVAILABLE`
   */
  message(delivery: Delivery): Promise<{ readonly outcome: MessageOutcome }>;
  /** Starts a workflow by its name. @throws {HiloError} `WORKFLOW_NOT_FOUND` */
  start(workflowId: string, options?: StartOptions): Promise<{ readonly executionId: string }>;
  /** Resumes every execution that waits for this name and correlation; returns those that continued. */
  signal(name: string, options?: SignalOptions): Promise<{ readonly executionIds: readonly string[] }>;
  /** An execution as it is now. @throws {HiloError} `CELL_ELSEWHERE` for one of another cell */
  execution(executionId: string): Promise<ExecutionRecord | undefined>;
  /** All that an execution did, oldest first. @throws {HiloError} `CELL_ELSEWHERE` */
  history(executionId: string): Promise<readonly HistoryRecord[]>;
  /** Cancels an execution and its children. @throws {HiloError} `EXECUTION_NOT_FOUND` */
  cancel(executionId: string, reason?: string): Promise<ExecutionRecord>;
  /** Lets an execution that was quarantined after crashes continue. @throws {HiloError} `EXECUTION_NOT_FOUND` */
  release(executionId: string): Promise<ExecutionRecord>;
}

/** A canvas that new executions run. */
export interface PublishedCanvas {
  readonly workflowId: string;
  /** From 1. */
  readonly version: number;
  readonly warnings: readonly Problem[];
}

export interface WebhookOptions {
  /** The bot through which the user is reached; needed where the canvas sends messages. */
  readonly bot?: string;
  /** The channel of the user; that of the bot in the directory, else `web`, when left out. */
  readonly channel?: Channel;
  /** The webhook node; the one of the canvas, when left out. */
  readonly node?: string;
  /** The same key within eight days gives the same answer; by default the headers `idempotency-key` and `webhook-id`. */
  readonly idempotencyKey?: string;
  /** The valid user ids: `strict` (default) accepts phone numbers, and business-scoped ids on channels that have them (UID-05). */
  readonly userIdFormat?: 'strict' | 'open';
  /** How long a canvas with `respond: "onFinish"` may take before its caller is answered as accepted, in milliseconds; 30,000. */
  readonly finishWithinMs?: number;
}

/** The result of a request to a webhook. */
export interface WebhookResult extends Omit<WebhookAccepted, 'respond'> {
  /** The answer for the caller: accepted, or with `respond: "onFinish"` the canvas's response. */
  readonly response: { readonly status: number; readonly headers: { readonly [name: string]: string }; readonly body: Json };
}

/** A message of a user, as a channel delivers it. */
export interface Delivery extends Pick<InboundMessage, 'user' | 'message'> {
  readonly bot: string;
  /** The channel's own id of this delivery. */
  readonly deliveryId: string;
}

export interface StartOptions {
  readonly inputs?: JsonObject;
  readonly user?: { readonly id: string };
  readonly bot?: string;
  readonly channel?: Channel;
  /** The latest, when left out. */
  readonly version?: number;
  /** The same key within eight days gives the same execution. */
  readonly idempotencyKey?: string;
}

export interface SignalOptions {
  /** Must equal what the wait names; empty by default. */
  readonly correlation?: string;
  /** At most 64 KB of JSON. */
  readonly payload?: Json;
  /** The same key within eight days has no second consequence. */
  readonly idempotencyKey?: string;
}

/** @throws {HiloError} `INVALID_REQUEST` for an id that is no text */
export function createCompany(context: EngineContext, companyId: string): Company {
  readText('A company has an id', companyId);
  return {
    publish: (canvas, connections) => publish(context, companyId, canvas, connections),
    webhook: (workflowId, request, options = {}) => webhook(context, companyId, workflowId, request, options),
    message: (delivery) => message(context, companyId, delivery),
    async start(workflowId, { inputs, user, bot, channel, version, idempotencyKey } = {}) {
      const origin: Origin = {
        companyId,
        route: 'production',
        ...(user !== undefined && { userId: user.id }),
        ...(bot !== undefined && { botId: bot }),
        ...((bot !== undefined || channel !== undefined) && { channel: await findChannel(context, companyId, bot, channel) }),
      };
      return startExecution(context, {
        origin,
        workflowId,
        ...(inputs !== undefined && { inputs: readFields('"inputs"', inputs) }),
        ...(version !== undefined && { version }),
        ...(idempotencyKey !== undefined && { idempotencyKey }),
      });
    },
    async signal(name, { correlation = '', payload = null, idempotencyKey } = {}) {
      readText('A signal has a name', name);
      if (typeof correlation !== 'string') throw new HiloError('INVALID_REQUEST', { reason: '"correlation" of a signal must be a text' });
      const kept = readJson('The payload of the signal', payload);
      return sendSignal(context, { companyId, name, correlation, payload: kept, ...(idempotencyKey !== undefined && { idempotencyKey }) });
    },
    execution: (executionId) => readExecution(context, companyId, executionId),
    history: (executionId) => readHistory(context, companyId, executionId),
    cancel: (executionId, reason = 'Cancelled on request') => cancelExecution(context, companyId, executionId, reason),
    release: (executionId) => releaseExecution(context, companyId, executionId),
  };
}

async function publish(
  context: EngineContext,
  companyId: string,
  input: string | object,
  connections: Connections = {},
): Promise<PublishedCanvas> {
  const { canvas } = parseCanvas(input);
  const problems = checkCanvasText(input, await readCheckOptions(context, companyId, canvas ?? { nodes: [] }, connections));
  if (canvas === undefined || problems.some(({ severity }) => severity === 'error'))
    throw new HiloError('INVALID_CANVAS', { workflowId: canvas?.id ?? 'without an id', problems });
  const hash = canvasHash(canvas);
  await context.canvases.saveDraft(companyId, canvas, hash);
  const { version } = await context.canvases.publish(companyId, canvas, hash, context.clock.now());
  return { workflowId: canvas.id, version, warnings: problems };
}

async function webhook(
  context: EngineContext,
  companyId: string,
  workflowId: string,
  request: Request | WebhookParts,
  { bot, channel, node, idempotencyKey, userIdFormat, finishWithinMs = 30_000 }: WebhookOptions,
): Promise<WebhookResult> {
  const { method, headers, query, body } = await readParts(request);
  const nodeId = node ?? (await pinCanvas(context, { companyId, route: 'production' }, workflowId)).canvas.webhook?.id;
  if (nodeId === undefined) throw new HiloError('NODE_NOT_FOUND', { workflowId, nodeId: '' });
  const key = idempotencyKey ?? headers['idempotency-key'] ?? headers['webhook-id'];
  const { respond, ...accepted } = await receiveWebhook(context, {
    companyId,
    workflowId,
    nodeId,
    route: 'production',
    channel: await findChannel(context, companyId, bot, channel),
    request: { method, headers, query, body },
    ...(bot !== undefined && { botId: bot }),
    ...(key !== undefined && { idempotencyKey: key }),
    ...(userIdFormat !== undefined && { userIdFormat }),
  });
  const taken = { success: true, ...accepted };
  const isAwaited = respond === 'onFinish' && accepted.ignored === undefined;
  const finish = isAwaited ? await awaitFinish(context, companyId, accepted, finishWithinMs) : undefined;
  if (finish !== undefined && 'body' in finish) return { ...accepted, response: finish };
  return { ...accepted, response: jsonResponse(finish === undefined ? taken : { ...taken, status: finish.ended }) };
}

type Response = WebhookResult['response'];

const jsonResponse = (body: JsonObject): Response => ({ status: 200, headers: { 'content-type': 'application/json' }, body });

/** The effect by which a canvas answers the request that is still open. */
const respondEffect = 'webhook.respond';

/** Waits for the response of an execution, or for its end. @returns `undefined` when neither comes in time */
async function awaitFinish(
  context: EngineContext,
  companyId: string,
  { executionId, isNewExecution }: Pick<WebhookAccepted, 'executionId' | 'isNewExecution'>,
  withinMs: number,
): Promise<Response | { readonly ended: string } | undefined> {
  const { promise, resolve } = Promise.withResolvers<Response | { readonly ended: string } | undefined>();
  const isOurs = (ref: ExecutionRef): boolean => ref.executionId === executionId && ref.companyId === companyId;
  const offs = [
    context.events.on('effect.requested', (ref, { effect }) => {
      if (isOurs(ref) && effect?.type === respondEffect) resolve(readResponse(effect.request));
    }),
    context.events.on('execution.ended', (ref, { status }) => void (isOurs(ref) && resolve({ ended: status }))),
  ];
  const timer = context.clock.setTimeout(() => resolve(undefined), withinMs);
  try {
    // Earlier events are in the store. A further request does not get the response to the first.
    const status = (await context.store.load(companyId, executionId))?.state.status;
    const recorded = isNewExecution ? findRecordedResponse(await context.store.history(companyId, executionId)) : undefined;
    if (recorded !== undefined) resolve(recorded);
    else if (status !== undefined && finalStatuses.has(status)) resolve({ ended: status });
    return await promise;
  } finally {
    context.clock.clearTimeout(timer);
    for (const off of offs) off();
  }
}

function findRecordedResponse(records: readonly HistoryRecord[]): Response | undefined {
  for (const { event, entries } of records) {
    if (event.type === 'webhook.received') return undefined;
    const answered = entries.find(({ effect }) => effect?.type === respondEffect)?.effect?.request;
    if (answered !== undefined) return readResponse(answered);
  }
  return undefined;
}

/** Reads an HTTP response from the request of the effect; `undefined` when the node keeps it out of the history. */
function readResponse(request: Json | undefined): Response | undefined {
  if (request === undefined || !isJsonObject(request)) return undefined;
  const { status, headers = {}, body = null } = request;
  if (typeof status !== 'number' || !isJsonObject(headers)) return undefined;
  const texts = Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []));
  return { status, headers: Object.fromEntries(texts), body };
}

async function message(context: EngineContext, companyId: string, delivery: Delivery): Promise<{ readonly outcome: MessageOutcome }> {
  const { bot, deliveryId, user, message } = readObject('A delivery', delivery);
  const known = readFields('"user" of the delivery', user ?? {});
  return receiveMessage(context, {
    companyId,
    botId: readText('A delivery has a "bot"', bot),
    eventId: readText('A delivery has a "deliveryId"', deliveryId),
    user: { ...known, id: readText('A delivery has a "user.id"', known['id']) },
    message: readFields('"message" of the delivery', message),
  });
}

/** The named channel, else the bot's, else `web`. */
async function findChannel(context: EngineContext, companyId: string, bot?: string, named?: Channel): Promise<Channel> {
  if (named !== undefined) return named;
  const known = bot === undefined ? undefined : await context.directory.bot(companyId, bot);
  return Channel.safeParse(known?.['channel']).data ?? 'web';
}
