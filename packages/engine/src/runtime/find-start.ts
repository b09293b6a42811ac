// Which workflow a message starts.
import type { CompiledCanvas, CompiledNode } from '../canvas/compile.ts';
import { createOnce } from '../canvas/once.ts';
import { HiloError } from '../contract/errors.ts';
import { Channel, type Origin } from '../contract/execution.ts';
import type { AcceptedMessage } from '../contract/event.ts';
import { isJsonObject, type JsonObject } from '../contract/json.ts';
import { limits } from '../contract/limits.ts';
import type { Routing } from '../contract/node.ts';
import type { PublishedVersion } from '../contract/store.ts';
import type { Among, FoundStart, MatchingStart } from '../machine/reads.ts';
import type { EngineContext } from './context.ts';
import { gateInForce, loadStandIn } from './gates.ts';

/**
 * The published workflow whose `start` matches a message, by payload before by keyword, and that before by fallback; or why none does. Of
 * a bot for tests, the draft.
 *
 * A start that throws does not match; the first fault is emitted. All starts share one budget (P20).
 */
export async function findStart(
  context: EngineContext,
  companyId: string,
  { botId, userId, message, draft }: AcceptedMessage,
  among: Among,
): Promise<FoundStart> {
  const bot = await context.directory.bot(companyId, botId);
  const channel = Channel.safeParse(isJsonObject(bot) ? bot['channel'] : undefined).data;
  const isTest = draft !== undefined || context.directory.startsDrafts?.(companyId, botId) === true;
  const origin: Origin = {
    companyId,
    botId,
    userId,
    route: isTest ? 'test' : 'production',
    ...(channel === undefined ? {} : { channel }),
  };
  if (draft !== undefined) return findDraftStart(context, origin, { workflowId: draft, message }, among);
  let keyword: MatchingStart | undefined;
  let fallback: MatchingStart | undefined;
  let starts = 0;
  let faults = 0;
  let overBudget = false;
  const routing = createRouting(message);
  let isPaused = false;
  const nowMs = context.clock.now();
  for (const startable of await (isTest ? readDrafts(context, companyId) : context.canvases.published(companyId))) {
    const { hash, version, workflowId } = startable;
    const gate = gateInForce(startable, nowMs);
    if (gate?.state === 'unpublished' || context.directory.isArchived?.(companyId, workflowId) === true) continue;
    if (gate !== undefined && among === 'interrupting') continue; // a paused start ends nobody's conversation
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
      if (gate !== undefined && gate.says === undefined) {
        isPaused = true;
        continue;
      }
      const start =
        gate?.says === undefined
          ? { origin, canvas, version, entry: node.id }
          : { origin, canvas: await loadStandIn(context, companyId, canvas, gate.says), version: standInVersion, entry: node.id };
      if (matched === 'payload') return start;
      if (matched === 'keyword') keyword ??= start;
      else if (among === 'all') fallback ??= start;
    }
  }
  return keyword ?? fallback ?? (isPaused ? 'WORKFLOW_PAUSED' : starts === 0 ? 'NO_START_PUBLISHED' : 'NO_START_MATCHED');
}

/** What a bot for tests may start. No gate is in force there: what is paused, or not published yet, is tried all the same. */
async function readDrafts({ canvases }: Pick<EngineContext, 'canvases'>, companyId: string): Promise<readonly Startable[]> {
  const drafts = (await canvases.drafts?.(companyId)) ?? [];
  return drafts.map(({ canvas: { id: workflowId }, hash }) => ({ workflowId, hash, version: 'draft' }));
}

type Startable = Pick<MatchingStart, 'version'> & Pick<PublishedVersion, 'workflowId' | 'hash' | 'gate'>;

/**
 * The start of a draft that is tried: the one that the message matches, or its first. Its keywords are tried with the others', and who
 * tries it need not know them.
 */
async function findDraftStart(
  context: EngineContext,
  origin: Origin,
  { workflowId, message }: { readonly workflowId: string; readonly message: JsonObject },
  among: Among,
): Promise<FoundStart> {
  const draft = await context.canvases.draft(origin.companyId, workflowId);
  const canvas = draft === undefined ? undefined : await loadOrSkip(context, origin.companyId, draft.hash);
  if (canvas === undefined) return 'NO_START_PUBLISHED';
  const routing = createRouting(message);
  const matches = canvas.starts.map((node) => ({ node, matched: tryDraftStart(context, node, message, routing, among) }));
  const best = (['payload', 'keyword', 'fallback'] as const).flatMap((kind) => matches.find(({ matched }) => matched === kind) ?? []);
  const entry = best[0]?.node ?? (among === 'all' ? canvas.starts[0] : undefined);
  return entry === undefined ? 'NO_START_MATCHED' : { origin, canvas, version: 'draft', entry: entry.id };
}

/** As {@link tryStart}; a start that throws does not match. */
function tryDraftStart(
  { events }: Pick<EngineContext, 'events'>,
  node: CompiledNode,
  message: JsonObject,
  routing: Routing,
  among: Among,
): ReturnType<typeof tryStart> {
  try {
    return tryStart(node, message, routing, among);
  } catch (error) {
    events.emit('engine.fault', { error, while: `trying the start "${node.id}" of a draft` });
    return undefined;
  }
}

/** The number of the canvas that answers for a paused workflow: versions count from 1. */
const standInVersion = 0;

/** How a node matches a message; not at all when it is not `among` those that are asked for. */
function tryStart(
  { definition: { entry }, config }: CompiledNode,
  message: JsonObject,
  routing: Routing,
  among: Among,
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
  return { spend: (work) => (left -= work) >= 0, isOver: () => left < 0, once: createOnce(message) };
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
