import type { CompiledNode } from '../canvas/compile.ts';
import { HiloError, isHiloError } from '../contract/errors.ts';
import type { Channel, Origin } from '../contract/execution.ts';
import type { Json } from '../contract/json.ts';
import type { WebhookAdmission } from '../contract/node.ts';
import type { Awaitable, ExecutionRecord } from '../contract/store.ts';
import { phoneNumberChannels } from '../contract/user-variables.ts';
import type { WebhookRequest } from '../contract/webhook.ts';
import { admit } from '../machine/decide.ts';
import { isExecutionId } from '../machine/new-execution.ts';
import { advance, type Advanced } from './advance.ts';
import { andThen, rescue } from './retry.ts';
import { callLane } from './call-lane.ts';
import { refuseForeignExecution, type WebhookAccepted, type WebhookCall } from './lane-runtime.ts';
import type { EngineContext } from './context.ts';
import type { KnownContact } from './perform-effect.ts';
import { acceptStart, pinnedCanvas } from './start.ts';

/**
 * Accepts a request to a webhook: starts an execution, or answers the wait of one. Durable when the promise resolves.
 *
 * @throws {HiloError} `WORKFLOW_NOT_FOUND`, `NODE_NOT_FOUND`, `METHOD_NOT_ALLOWED`, `INVALID_REQUEST`, `INVALID_USER_ID`,
 *   `EXECUTION_NOT_FOUND` (WEB-22, WEB-25), `EXECUTION_NOT_WAITING` (WEB-23)
 */
export async function receiveWebhook(context: EngineContext, call: WebhookCall): Promise<WebhookAccepted> {
  const { companyId, route, workflowId, nodeId, channel, request } = call;
  const pinning = pinnedCanvas(context, call, workflowId);
  const pinned = pinning instanceof Promise ? await pinning : pinning;
  const node = pinned.canvas.webhook?.id === nodeId ? pinned.canvas.webhook : undefined;
  const admission = node === undefined ? undefined : admittedBy(node, request);
  const isRefused = admission === undefined || admission instanceof HiloError;
  const named = isRefused ? await namedToEarlierVersion(context, call) : admission.executionId;
  if (named !== undefined) return resume(context, call, named);
  if (admission instanceof HiloError) throw admission;
  if (node === undefined || admission === undefined) throw new HiloError('NODE_NOT_FOUND', { workflowId, nodeId });

  const finding = pinned.canvas.canvas.kind === 'tool' ? undefined : newUser(context, call, admission);
  const user = finding instanceof Promise ? await finding : finding;
  const keys = call.idempotencyKey === undefined ? [] : [`${companyId}:webhook:${workflowId}:${nodeId}:${route}:${call.idempotencyKey}`];
  const accepting = acceptStart(context, {
    origin: originOf(call, user?.id),
    canvas: pinned.canvas,
    version: pinned.version,
    entry: node.id,
    keys,
    contact: user,
    contacts:
      user === undefined || user.contact !== undefined || call.botId === undefined
        ? []
        : [{ companyId, botId: call.botId, userId: user.id, ...identity(user.id, channel) }],
    trigger: (id) => ({ kind: 'webhook', writes: admission.writes({ executionId: id, mode: 'new' }) }),
  });
  const { executionId } = accepting instanceof Promise ? await accepting : accepting;
  return { executionId, mode: 'new', isNewExecution: true, respond: admission.respond };
}

const originOf = ({ companyId, route, channel, botId }: WebhookCall, userId: string | undefined): Origin =>
  botId !== undefined && userId !== undefined
    ? { companyId, route, channel, botId, userId }
    : { companyId, route, channel, ...(botId !== undefined && { botId }), ...(userId !== undefined && { userId }) };

/** A request that names more executions than this names none: each of them is looked up. */
const mostNamed = 100;

/**
 * The execution that a request names to the webhook as that execution's own version has it: it can still be resumed after a publish has
 * removed the webhook or changed its methods (P14). Where the id stands, only that version knows; what an id looks like, everyone does.
 *
 * @throws {HiloError} `CELL_ELSEWHERE`, where none is here and one would be in another cell
 */
async function namedToEarlierVersion(context: EngineContext, call: WebhookCall): Promise<string | undefined> {
  const { companyId, workflowId, nodeId, request } = call;
  const named = [...new Set([...idsIn(request.query), ...idsIn(request.body)])].slice(0, mostNamed);
  for (const executionId of named) {
    const member = await memberOf(context, companyId, executionId, workflowId);
    const { webhook } = member === undefined ? {} : await context.library.load(companyId, member.state.canvasHash);
    if (webhook?.id === nodeId && admittedBy(webhook, request).executionId === executionId) return executionId;
  }
  for (const executionId of named) refuseForeignExecution(context, executionId);
  return undefined;
}

/** The texts in a value that may be the id of an execution. */
function idsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return isExecutionId(value) ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(idsIn) : [];
}

/** What a webhook makes of a request, or that it does not take the method. @throws {HiloError} for what else is wrong with it */
function admittedBy(node: CompiledNode, request: WebhookRequest): WebhookAdmission | (HiloError & { readonly executionId?: never }) {
  try {
    return admit(node, request);
  } catch (error) {
    if (isHiloError(error, 'METHOD_NOT_ALLOWED')) return error;
    throw error;
  }
}

/** The user of a new execution: named by the request in production (WEB-12), by the tester on the test route (WEB-13). */
function newUser(
  context: EngineContext,
  { companyId, botId, route, channel, testUserId, userIdFormat = 'strict' }: WebhookCall,
  admission: WebhookAdmission,
): Awaitable<(KnownContact & { readonly id: string }) | undefined> {
  const named = route === 'test' ? testUserId : admission.userId(channel, userIdFormat);
  if (named === undefined && route === 'production') throw new HiloError('INVALID_REQUEST', { reason: 'userId is missing' });
  if (named === undefined) return undefined;
  const reading = botId === undefined ? undefined : context.store.contact(companyId, botId, [named]);
  return andThen(reading, (contact) => ({ id: contact?.userId ?? named, contact }));
}

/** The contact fields in the id of a user who is not known yet. */
const identity = (userId: string, channel: Channel): { readonly phone?: string; readonly bsuid?: string } => {
  if (!phoneNumberChannels.has(channel)) return {};
  return /^\d+$/.test(userId) ? { phone: userId } : { bsuid: userId };
};

/** Answers the wait of an execution, in its turn. Of many at once under `oneTimeOnly`, one wins (P7). */
export async function resume(context: EngineContext, call: WebhookCall, executionId: string): Promise<WebhookAccepted> {
  const { companyId, workflowId, nodeId, idempotencyKey } = call;
  const keys = idempotencyKey === undefined ? [] : [`${companyId}:webhook:${workflowId}:${nodeId}:resume:${executionId}:${idempotencyKey}`];
  refuseForeignExecution(context, executionId);
  const found = await memberOf(context, companyId, executionId, workflowId);
  if (found === undefined) throw new HiloError('EXECUTION_NOT_FOUND', { executionId });
  const { lane } = found;
  return callLane(
    context,
    lane,
    () => ({ type: 'resume', call, executionId }),
    () => resumeInTurn(context, call, executionId, found, keys),
  );
}

function resumeInTurn(
  context: EngineContext,
  { companyId, workflowId, nodeId, request }: WebhookCall,
  executionId: string,
  found: ExecutionRecord,
  keys: readonly string[],
): Promise<WebhookAccepted> {
  const event = { type: 'webhook', executionId, nodeId, request } as const;
  return context.lanes.run(found.lane, async () => {
    // Mostly it is unchanged since it was found; otherwise the commit is refused and decided again (P8).
    const atOnce = await rescue<Advanced | undefined>(() => advance(context, found, event, { known: found, keys }), whereNotWaiting);
    if (atOnce?.isApplied === true) return atOnce.answer as unknown as WebhookAccepted;
    const repeated = keys.length === 0 ? undefined : await context.store.seenAnswer(keys);
    if (repeated !== undefined) return repeated.answer as unknown as WebhookAccepted;
    const known = await memberOf(context, companyId, executionId, workflowId);
    const resumed = known === undefined ? undefined : await advance(context, known, event, { known, keys });
    if (resumed?.record === undefined) throw new HiloError('EXECUTION_NOT_FOUND', { executionId }); // retention was faster
    return resumed.answer as unknown as WebhookAccepted;
  });
}

/** An execution that does not wait may have been resumed by the same request before, or have continued since it was found. */
function whereNotWaiting(error: unknown): undefined {
  if (!isHiloError(error, 'EXECUTION_NOT_WAITING')) throw error;
}

/** The execution, or its waiting descendant that runs this workflow: they share `$context.executionId`. */
async function memberOf(
  context: EngineContext,
  companyId: string,
  executionId: string,
  workflowId: string,
): Promise<ExecutionRecord | undefined> {
  let record = await context.store.load(companyId, executionId);
  while (record !== undefined && !(await runs(context, record, workflowId))) {
    const childId: string | undefined = record.state.wait?.childId;
    record = childId === undefined ? undefined : await context.store.load(companyId, childId);
  }
  return record;
}

/** Whether an execution is in this workflow: started so, or after a jump. */
const runs = async (
  { library }: EngineContext,
  { companyId, workflowId: started, state }: ExecutionRecord,
  workflowId: string,
): Promise<boolean> => started === workflowId || (await library.load(companyId, state.canvasHash)).canvas.id === workflowId;
