/** Forms that ask for their next screen: the question that offered one is found, and a workflow answers it. */
import type { FormAnswer, FormQuestion } from '@hilo/channels';
import { getPath, HiloError, isHiloError, type JsonObject, type ExecutionRecord } from '@hilo/engine/contract';
import { pick } from '@hilo/stores';
import { messages } from '../platform/tables/messages.ts';
import { loadContinuation } from '../platform/load-continuation.ts';
import type { Bot } from '../tenants/companies.ts';
import type { ChannelParts } from './channels.ts';

/** Providers wait about ten seconds for a screen, and some of that is the network's. */
export const exchangeMs = 8_000;

/** A message that a workflow sent, by its name. */
const sentByWorkflow = messages.read(
  ['message', 'userId', 'executionId', 'nodeId'],
  pick(messages.columns, 'botId', 'messageId'),
  (rows, given) =>
    rows.where('bot_id', '=', given.botId).where('message_id', '=', given.messageId).where('direction', '=', 'outbound').limit(1),
);

type Parts = Pick<ChannelParts, 'store' | 'engine' | 'clock'>;

/**
 * Answers what a form asks. The workflow runs in a lane of its own, since that of the user may be busy; it is of kind `tool`, and its
 * outputs are the next screen. Nothing is deduplicated: such a workflow reads, and the form that is sent in the end is what counts. A
 * question that names its workflow in `exchange` is answered by no other one.
 *
 * @param untilMs - when the answer must be there
 */
export async function answerForm(
  { store, engine, clock }: Parts,
  { companyId, id: botId }: Bot,
  workflowId: string,
  token: string,
  question: FormQuestion,
  untilMs: number,
): Promise<FormAnswer> {
  const sent = await store.runner.readOne(sentByWorkflow({ companyId, botId, messageId: token }));
  if (sent?.executionId === undefined) return { kind: 'over' };
  const { executionId: askedBy, nodeId, message, userId } = sent;
  const record = await loadContinuation(store.executions, companyId, askedBy);
  const standing = record === undefined ? 'over' : standingOf(record, nodeId, token);
  if (standing === 'over') return { kind: 'over' };
  if (standing === 'aside') return { kind: 'aside' };
  if (standing === 'opening') return { kind: 'failed' };
  const named = getPath(message, ['parameters', 'exchange', 'workflowId']);
  if (named !== undefined && named !== workflowId) return { kind: 'unknown' };
  const latest = await store.canvases.latest(companyId, workflowId);
  if (latest === undefined || latest.canvas.kind !== 'tool') return { kind: 'unknown' };
  const context = getPath(message, ['parameters', 'exchange', 'context']) ?? null;
  const contact = await store.executions.contact(companyId, botId, [userId]);
  const { names = null, phone = null, locale = null, timeZone = null } = contact ?? {};
  const inputs: JsonObject = { ...question, user: { id: userId, names, phone, locale, timeZone }, context };
  const { inputs: declared } = latest.canvas.settings;
  const isWanted = (name: string): boolean => declared === undefined || Object.keys(declared).length === 0 || name in declared;
  try {
    const { executionId } = await engine.startWorkflow({
      origin: { companyId, route: 'production' },
      workflowId,
      inputs: Object.fromEntries(Object.entries(inputs).filter(([name]) => isWanted(name))),
      from: askedBy,
    });
    const limitMs = Math.max(0, untilMs - clock.now());
    const finish = await engine.awaitFinish(companyId, { executionId, isNewExecution: true }, { limitMs });
    const { state } = (finish === undefined ? undefined : await store.executions.load(companyId, executionId)) ?? {};
    return state?.status === 'completed' && state.ending !== undefined
      ? { kind: 'answered', outputs: state.ending.outputs }
      : { kind: 'failed' };
  } catch (error) {
    if (isHiloError(error, 'WORKFLOW_NOT_FOUND') || isHiloError(error, 'WORKFLOW_ARCHIVED')) return { kind: 'unknown' };
    if (error instanceof HiloError) return { kind: 'failed' };
    throw error;
  }
}

/**
 * How the question that this message asked stands. It is `aside` while its execution is set aside, until an operator lets it go on (P17), and
 * `opening` until the execution waits for its answer, which takes as long as a restart
 * where the process ended meanwhile: the phone has the message then, and who is told that the form is over could never fill it in.
 */
function standingOf(
  { state: { status, wait, visit } }: ExecutionRecord,
  nodeId: string | undefined,
  messageId: string,
): 'opening' | 'open' | 'aside' | 'over' {
  if (visit === undefined) return 'over';
  const at = visit.results.findIndex((result) => result.kind === 'result' && getPath(result.value, ['messageId']) === messageId);
  // Its node may have another name since: a migration renames it.
  if (at === -1 && visit.nodeId !== nodeId) return 'over';
  if (status === 'waiting') return wait?.kind === 'reply' && at !== -1 ? 'open' : 'over';
  const isLast = at === -1 || at === visit.results.length - 1;
  if (!isLast) return 'over';
  return status === 'running' ? 'opening' : status === 'quarantined' ? 'aside' : 'over';
}
