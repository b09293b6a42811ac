// The jobs that make starts which are due: of a company, one after the other; of a rule, one for each contact of its audience. Each start has
// a key of its rule, its due time and its contact, by which the engine makes it once, whatever dies on the way.
import { isHiloError, type Json, type JsonObject } from '@hilo/engine/contract';
import { type Audience, readSchedules, type ScheduleRule } from '@hilo/nodes';
import type { Call, ItemOf } from '@hilo/stores';
import { z } from 'zod';
import { asHttpError, type HttpError } from '../platform/http/errors.ts';
import { defineJob, type JobPage, type PageCall } from '../platform/jobs/define-job.ts';
import type { Platform } from '../platform/platform.ts';
import type { JobProblem } from '../platform/tables/jobs.ts';
import type { scheduledStarts } from '../platform/tables/schedules.ts';
import type { Tenancy } from '../tenants/companies.ts';
import { type Shares, withShare } from '../tenants/company-limits.ts';
import { type AudienceQuery, readDatedPage, readSetPage, type Recipient, type RecipientPage } from './audience.ts';
import { endStart, selectDueStarts, stepStart } from './sql.ts';

/** What these jobs work with. */
export type StartParts = Pick<Platform, 'store' | 'clock' | 'engine'> & Tenancy & { readonly shares?: Shares };

/** A start as its row has it. */
export type StartRecord = ItemOf<typeof scheduledStarts.columns>;

/** How long a job waits where the company may start nothing more now, or its workflow is paused. */
const pauseMs = 15_000;

/** What became of one start. */
type Outcome =
  | { readonly kind: 'started'; readonly executionId: string }
  /** It cannot be made now, and may be later. */
  | { readonly kind: 'later'; readonly atMs: number }
  /** Another cell serves this user. */
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };

interface Start {
  readonly companyId: string;
  readonly workflowId: string;
  readonly nodeId: string | undefined;
  readonly by: Recipient['by'];
  readonly inputs?: JsonObject;
  readonly key: string;
}

/** Makes a start, by the door of every other. */
async function begin({ engine, shares, clock }: StartParts, start: Start): Promise<Outcome> {
  const { companyId, workflowId, nodeId, by, inputs, key } = start;
  try {
    const { executionId } = await withShare(shares?.takeStart(companyId), () =>
      engine.startWorkflow({
        origin: { companyId, route: 'production', ...by },
        workflowId,
        idempotencyKey: key,
        ...(nodeId !== undefined && { nodeId }),
        ...(inputs !== undefined && { inputs }),
      }),
    );
    return { kind: 'started', executionId };
  } catch (error) {
    if (isHiloError(error, 'CELL_ELSEWHERE')) return { kind: 'elsewhere' };
    if (isHiloError(error, 'WORKFLOW_PAUSED')) return { kind: 'later', atMs: clock.now() + pauseMs };
    const refusal = asHttpError(error);
    if (refusal === undefined || refusal.status >= 500) throw error;
    if (refusal.status === 429) return { kind: 'later', atMs: clock.now() + readRetryMs(refusal) };
    return { kind: 'failed', code: refusal.code, message: refusal.message };
  }
}

function readRetryMs({ headers }: HttpError): number {
  const seconds = Number(new Headers(headers).get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds * 1_000 : pauseMs;
}

/** Makes the starts of a company that are due, each for one user or for none. */
export const dueStartsJob = defineJob({
  kind: 'start',
  queue: 'starts',
  spec: z.strictObject({}),
  async page({ companyId, size, each }, parts: StartParts): Promise<JobPage> {
    const { store, clock } = parts;
    const due = await store.runner.read(selectDueStarts({ companyId, nowMs: clock.now(), limit: size }));
    // Taken before they are made, so that none is cancelled in the middle of it.
    const taken = new Set<string>();
    const taking = due.map(({ id, status }) => stepStart({ companyId, id, from: status, to: 'running' }));
    const { rowsOf } = await store.runner.write(taking);
    for (const [index, one] of taking.entries()) if (rowsOf(one).length > 0) taken.add(due[index]?.id ?? '');
    const counts: { [outcome: string]: number } = {};
    let laterMs: number | undefined;
    const endings: Call[] = [];
    const end = (start: StartRecord, to: 'started' | 'missed' | 'failed', more: { executionId?: string; reason?: string }): void => {
      counts[to] = (counts[to] ?? 0) + 1;
      const { executionId, reason } = more;
      endings.push(endStart({ companyId, id: start.id, to, executionId, reason, counts: undefined, nowMs: clock.now() }));
    };
    await each(
      due.filter(({ id }) => taken.has(id)),
      async (start) => {
        if (clock.now() - start.dueAtMs > start.graceMs) return end(start, 'missed', { reason: 'LATE' });
        const by = readUser(parts, start);
        const { workflowId, nodeId, inputs } = start;
        const outcome = await begin(parts, { companyId, workflowId, nodeId, inputs, by, key: `at:${start.id}` });
        if (outcome.kind === 'started') return end(start, 'started', { executionId: outcome.executionId });
        if (outcome.kind === 'later') return void (laterMs = Math.max(laterMs ?? 0, outcome.atMs));
        return end(start, 'failed', { reason: outcome.kind === 'elsewhere' ? 'CELL_ELSEWHERE' : outcome.code });
      },
    );
    if (endings.length > 0) await store.runner.write(endings);
    const isMore = due.length === size || laterMs !== undefined;
    return { next: isMore ? true : null, read: due.length, counts, ...(laterMs !== undefined && { notBeforeMs: laterMs }) };
  },
});

/** The user of a start that names one. */
function readUser({ companies }: StartParts, { companyId, botId, userId }: StartRecord): Recipient['by'] {
  const bot = companies.botOf(companyId, botId);
  return bot === undefined || userId === '' ? undefined : { botId: bot.id, channel: bot.channel, userId };
}

/** What a job for an audience is told. */
const AudienceSpec = z.strictObject({
  startId: z.string(),
  workflowId: z.string(),
  nodeId: z.string(),
  /** What the rule says: where the published one says something else, the job ends. */
  rule: z.string(),
  dueAtMs: z.int(),
  /** When it was asked for: what was late then is missed. */
  askedAtMs: z.int(),
  /** For dates: those that fell due after this instant. */
  afterMs: z.int(),
});
type AudienceSpec = z.output<typeof AudienceSpec>;

/** How far it is. */
const Place = z.strictObject({ after: z.string(), atMs: z.int(), isMissed: z.boolean() });

/**
 * Makes the starts of a rule, one for each contact. Where it stood still for longer than the rule allows, since the service was away or the
 * workflow was paused, the rest is counted as missed.
 */
export const audienceJob = defineJob({
  kind: 'schedule',
  queue: 'schedules',
  spec: AudienceSpec,
  async page(call: PageCall<AudienceSpec>, parts: StartParts): Promise<JobPage> {
    const { companyId, spec, size } = call;
    const { clock, store } = parts;
    const place = Place.safeParse(call.place).data ?? { after: '', atMs: spec.askedAtMs, isMissed: false };
    const rule = await findRule(parts, companyId, spec);
    if (rule === undefined) return endAudience(parts, call, 'cancelled', 'REPLACED');
    const isMissed = place.isMissed || clock.now() - place.atMs > rule.graceMs;
    const channels = (await store.canvases.latest(companyId, spec.workflowId))?.canvas.settings.channels;
    const page = await readPage(parts, { companyId, channels, after: place.after, size }, rule, spec);
    if (page === undefined) return endAudience(parts, call, 'failed', 'SEGMENT_NOT_FOUND');
    const made = await startEach(call, parts, { page, isMissed, graceMs: rule.graceMs });
    const { counts } = made;
    if (made.laterMs !== undefined) {
      // The page is done again: what was started is found by its key, and counted then.
      return { next: { ...place, isMissed }, notBeforeMs: made.laterMs, problems: made.problems };
    }
    const read = page.recipients.length;
    if (page.next === null) {
      await keepEnd(parts, call, isMissed ? 'missed' : 'started', addUp(call.counts, counts), isMissed ? 'LATE' : undefined);
      return { next: null, read, counts, problems: made.problems };
    }
    return { next: { after: page.next, atMs: isMissed ? place.atMs : clock.now(), isMissed }, read, counts, problems: made.problems };
  },
});

/** The rule that a job is about, where the published canvas still has it. A paused workflow has it as well. */
async function findRule({ store, companies }: StartParts, companyId: string, spec: AudienceSpec): Promise<ScheduleRule | undefined> {
  const latest = await store.canvases.latest(companyId, spec.workflowId);
  if (latest === undefined || latest.gate?.state === 'unpublished' || companies.isArchived(companyId, spec.workflowId)) return undefined;
  return readSchedules(latest.canvas).find(({ nodeId, text }) => nodeId === spec.nodeId && text === spec.rule);
}

/** @returns undefined for a segment that is not there, or whose condition fits the declared fields no more */
async function readPage(
  parts: StartParts,
  query: AudienceQuery,
  rule: ScheduleRule,
  { dueAtMs, afterMs }: AudienceSpec,
): Promise<RecipientPage | undefined> {
  if (rule.kind === 'date') return readDatedPage(parts, query, { rule, afterMs, upToMs: dueAtMs });
  const { audience } = rule;
  if (typeof audience !== 'object') return undefined;
  try {
    return await readSetPage(parts, query, { of: audience, dueAtMs });
  } catch (error) {
    const status = asHttpError(error)?.status;
    if (status !== 404 && status !== 422) throw error;
    return 'group' in audience ? { recipients: [], next: null } : undefined; // a group without a member is empty
  }
}

interface Made {
  readonly counts: { readonly [outcome: string]: number };
  readonly problems: readonly JobProblem[];
  /** When those are tried again that could not be started now. */
  readonly laterMs: number | undefined;
}

async function startEach(
  { companyId, spec, each }: PageCall<AudienceSpec>,
  parts: StartParts,
  { page, isMissed, graceMs }: { readonly page: RecipientPage; readonly isMissed: boolean; readonly graceMs: number },
): Promise<Made> {
  const counts: { [outcome: string]: number } = {};
  const problems: JobProblem[] = [];
  let laterMs: number | undefined;
  const count = (outcome: string): void => void (counts[outcome] = (counts[outcome] ?? 0) + 1);
  const isTooLate = (dueAtMs: number): boolean => isMissed || spec.askedAtMs - dueAtMs > graceMs;
  const due = page.recipients.filter(({ dueAtMs }) => !isTooLate(dueAtMs));
  if (due.length < page.recipients.length) counts['missed'] = page.recipients.length - due.length;
  await each(due, async ({ key, by, dueAtMs }) => {
    if (laterMs !== undefined) return;
    if (by === undefined) return count('noBot');
    const { workflowId, nodeId } = spec;
    const outcome = await begin(parts, { companyId, workflowId, nodeId, by, key: `clock:${nodeId}:${dueAtMs}:${key}` });
    if (outcome.kind === 'later') return void (laterMs = outcome.atMs);
    count(outcome.kind);
    if (outcome.kind === 'failed') problems.push({ executionId: '', code: outcome.code, message: `${key}: ${outcome.message}` });
  });
  return { counts, problems, laterMs };
}

const addUp = (before: { readonly [outcome: string]: number }, more: { readonly [outcome: string]: number }) => ({
  ...before,
  ...Object.fromEntries(Object.entries(more).map(([outcome, count]) => [outcome, (before[outcome] ?? 0) + count])),
});

/** Keeps what has become of the start, in its own row. */
async function keepEnd(
  { store, clock }: StartParts,
  { companyId, spec }: PageCall<AudienceSpec>,
  to: 'started' | 'missed' | 'cancelled' | 'failed',
  counts: { readonly [outcome: string]: number },
  reason: string | undefined,
): Promise<void> {
  await store.runner.writeOne(endStart({ companyId, id: spec.startId, to, counts, reason, executionId: undefined, nowMs: clock.now() }));
}

async function endAudience(parts: StartParts, call: PageCall<AudienceSpec>, to: 'cancelled' | 'failed', reason: string): Promise<JobPage> {
  await keepEnd(parts, call, to, call.counts, reason);
  return { next: null, failure: { code: reason, message: endWords[reason] ?? reason } };
}

const endWords: { readonly [reason: string]: string } = {
  REPLACED: 'The published canvas has this rule no more: what it had not begun yet is left out',
  SEGMENT_NOT_FOUND: 'The company has no segment of this name, or its condition fits the declared fields no more',
};

/** What a rule is for, as its start keeps it. */
export const audienceOf = (rule: ScheduleRule): Json => (rule.kind === 'date' ? { field: rule.field } : spreadAudience(rule.audience));

const spreadAudience = (audience: Audience): Json => (typeof audience === 'string' ? audience : { ...audience });
