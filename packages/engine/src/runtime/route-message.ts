import type { CompiledCanvas, CompiledNode } from '../canvas/compile.ts';
import { HiloError } from '../contract/errors.ts';
import { Channel, type Origin } from '../contract/execution.ts';
import type { AcceptedMessage } from '../contract/event.ts';
import { isJsonObject, type JsonObject } from '../contract/json.ts';
import { limits } from '../contract/limits.ts';
import type { Routing } from '../contract/node.ts';
import type { ExecutionRecord, InboxItem } from '../contract/store.ts';
import { formatTimestamp } from '../expressions/time.ts';
import { Timestamp } from '../expressions/value.ts';
import type { Callable } from '../machine/reads.ts';
import { advance, dropItem } from './advance.ts';
import type { EngineContext } from './context.ts';
import type { RoutedMessage } from './events.ts';
import { findOpenQuestions } from './open-question.ts';
import { commitStart } from './start.ts';

/**
 * The target of a user's message: none during a conversation with an operator, else a start that interrupts, else the wait that it
 * answers, else the start that matches it, else none. While a question is open that it does not answer, it begins no fallback.
 *
 * @param onFound - called once the starts were tried, before anything else can fail: they are not to be tried again for this message
 */
export async function routeMessage(
  context: EngineContext,
  item: InboxItem,
  accepted: AcceptedMessage,
  onFound?: (start: FoundStart) => void,
): Promise<RoutedMessage> {
  const { companyId } = item;
  const { botId, userId, message: given, writtenAtMs } = accepted;
  if (await context.directory.isAttended?.(companyId, botId, userId)) {
    await dropItem(context, item);
    context.events.emit('message.attended', { companyId, botId, userId, message: given });
    return 'held';
  }
  await context.recoveries.turn();
  const message = { ...given, at: formatTimestamp(new Timestamp(writtenAtMs ?? item.acceptedAtMs)) };
  const { answered: known, newest, areThere } = await findOpenQuestions(context, item, accepted);
  const begin = async (start: MatchingStart, interrupts?: ExecutionRecord): Promise<'started'> => {
    // The execution that waited for the reply ends in the commit that begins this one: neither happens without the other.
    const trigger = () => ({ kind: 'message', message }) as const;
    await commitStart(context, { ...start, keys: [], trigger, dequeue: [item], interrupts }, 'now');
    return 'started';
  };
  const among = newest !== undefined ? 'interrupting' : areThere || accepted.isOpening === true ? 'named' : 'all';
  const start = await findStart(context, companyId, accepted, among);
  onFound?.(start);
  if (typeof start === 'object') return begin(start, known ?? newest);
  if (known?.state.wait !== undefined) {
    // When another process has answered the wait since, the message is routed again.
    await advance(context, known, { type: 'reply.received', waitId: known.state.wait.id, message }, { item, known, mustApply: true });
    return 'resumed';
  }
  const beside = newest === undefined ? start : await findStart(context, companyId, accepted, 'named');
  onFound?.(beside);
  if (typeof beside === 'object') return begin(beside);
  await dropItem(context, item);
  const cause = areThere ? 'ANSWERS_NO_OPEN_QUESTION' : beside;
  context.events.emit('message.unmatched', { companyId, botId, userId, message: given, cause });
  return 'unmatched';
}

/** A published workflow that begins with a message, and where. */
export interface MatchingStart extends Callable {
  readonly origin: Origin;
}

/** The start that a message matches; or why none does. */
export type FoundStart = MatchingStart | 'NO_START_PUBLISHED' | 'NO_START_MATCHED';

/**
 * The published workflow whose `start` matches a message, by payload before by keyword, and that before by fallback; or why none does.
 *
 * A start that throws does not match; the first fault is emitted. All starts share one budget (P20).
 *
 * @param among - `interrupting`: only starts that interrupt an open question, and never by fallback; `named`: any, never by fallback
 */
export async function findStart(
  context: EngineContext,
  companyId: string,
  { botId, userId, message }: AcceptedMessage,
  among: 'all' | 'named' | 'interrupting' = 'all',
): Promise<FoundStart> {
  const bot = await context.directory.bot(companyId, botId);
  const channel = Channel.safeParse(isJsonObject(bot) ? bot['channel'] : undefined).data;
  const origin: Origin = { companyId, botId, userId, route: 'production', ...(channel === undefined ? {} : { channel }) };
  let keyword: MatchingStart | undefined;
  let fallback: MatchingStart | undefined;
  let starts = 0;
  let faults = 0;
  let overBudget = false;
  const routing = createRouting(message);
  for (const { hash, version, workflowId } of await context.canvases.published(companyId)) {
    if (context.directory.isArchived?.(companyId, workflowId) === true) continue;
    const canvas = context.library.get(companyId, hash) ?? (await loadOrSkip(context, companyId, hash));
    if (canvas === undefined || !takesPart(canvas, channel)) continue;
    for (const node of canvas.starts) {
      starts += 1;
      let matched: ReturnType<typeof tryStart>;
      try {
        matched = tryStart(node, message, routing, among);
      } catch (error) {
        const { id } = canvas.canvas;
        if (faults === 0) context.events.emit('engine.fault', { error, while: `trying the start "${node.id}" of workflow ${id}` });
        faults += 1;
      }
      if (routing.isOver() && !overBudget) {
        overBudget = true;
        reportOverBudget(context, canvas, node);
      }
      if (matched === undefined) continue;
      const start = { origin, canvas, version, entry: node.id };
      if (matched === 'payload') return start;
      if (matched === 'keyword') keyword ??= start;
      else if (among === 'all') fallback ??= start;
    }
  }
  return keyword ?? fallback ?? (starts === 0 ? 'NO_START_PUBLISHED' : 'NO_START_MATCHED');
}

/** How a node matches a message; not at all when it is not `among` those that are asked for. */
function tryStart(
  { definition: { entry }, config }: CompiledNode,
  message: JsonObject,
  routing: Routing,
  among: 'all' | 'named' | 'interrupting',
): 'payload' | 'keyword' | 'fallback' | undefined {
  if (entry?.kind !== 'message' || (among === 'interrupting' && entry.interrupts?.(config) !== true)) return undefined;
  return entry.match(config, message, routing);
}

/** Says, once for a version and a start, that the work of a message was used up there: from it on, no keyword matches such a message. */
function reportOverBudget({ events, overBudgetStarts }: EngineContext, { canvas }: CompiledCanvas, node: CompiledNode): void {
  if (overBudgetStarts.has(node)) return;
  overBudgetStarts.add(node);
  const error = new Error(
    'The keywords take more work than one message may: from this start on, they did not match it. Use fewer or simpler patterns',
  );
  events.emit('engine.fault', { error, while: `trying the start "${node.id}" of workflow ${canvas.id}` });
}

/** One budget for all starts that are tried with a message, and one place for what they make of it. */
function createRouting(message: JsonObject): Routing & { isOver(): boolean } {
  let left: number = limits.routingWork;
  const made = new Map<unknown, unknown>();
  return {
    spend: (work) => (left -= work) >= 0,
    isOver: () => left < 0,
    once<Made>(make: (message: JsonObject) => Made): Made {
      if (!made.has(make)) made.set(make, make(message));
      return made.get(make) as Made; // kept under the very function that made it
    },
  };
}

/** Whether users of a channel can write to a canvas. A tool has no conversation: it is only called. */
const takesPart = ({ canvas: { kind, settings } }: CompiledCanvas, channel: Channel | undefined): boolean =>
  kind === 'skill' && (settings.channels === undefined || (channel !== undefined && settings.channels.includes(channel)));

/** One canvas that no longer compiles must not keep every other from starting (P17). */
async function loadOrSkip(context: EngineContext, companyId: string, hash: string): Promise<CompiledCanvas | undefined> {
  try {
    return await context.library.load(companyId, hash);
  } catch (error) {
    if (error instanceof HiloError && error.code !== 'STORE_UNAVAILABLE') return undefined;
    throw error;
  }
}
