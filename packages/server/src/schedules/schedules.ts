// The clock of the service: finds what has fallen due by the rules of published canvases, and has it started. How far each rule is stands in
// the store, and is moved on in the transaction that keeps what fell due, so that of several processes one does it, once.
import type { Cell } from '@hilo/engine';
import type { Clock, Random } from '@hilo/engine/contract';
import { nextCronMs, nextDateMs, type ScheduleRule } from '@hilo/nodes';
import { asCondition, type DurableStore } from '@hilo/stores';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { Logger } from '../platform/logging/logger.ts';
import { createPoller } from '../platform/poller.ts';
import { schedules } from '../platform/tables/schedules.ts';
import type { Companies } from '../tenants/companies.ts';
import { type Cursor, fire, type Ruled, startRate } from './fire.ts';
import { createRuleReader } from './rules.ts';
import { deleteEndedStarts, moveThrough, replaceRule, selectDueCompanies, selectNextDue } from './sql.ts';
import { dueStartsJob } from './start-jobs.ts';

/** What the clock works with. */
interface SchedulerParts {
  readonly store: Pick<DurableStore, 'runner'>;
  readonly companies: Pick<Companies, 'company' | 'isArchived' | 'bots'>;
  readonly jobs: Pick<Jobs, 'insert' | 'ask' | 'wake' | 'list'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Pick<Logger, 'warn'>;
  /** The cell whose users this process serves. */
  readonly cell?: Cell | undefined;
}

/** What routes have of the clock. */
export interface ScheduleClock {
  /** Something may be due at this instant. */
  wake(atMs: number): void;
  /** The id of a start. */
  createId(): string;
}

/** The clock of a service. */
export interface Scheduler extends ScheduleClock {
  start(): void;
  /** Looks at nothing more, and leaves the rest to the next process. */
  stop(): Promise<void>;
}

/** How often the store is asked for what other processes have published. */
const pollMs = 15_000;
/** A rule that nobody has seen before begins when its version was published, if that was so long ago at most; else now. */
const recentMs = 60_000;
/** So many due times are remembered. */
const maxKnown = 10_000;

/** Makes the clock. */
export function createScheduler(parts: SchedulerParts): Scheduler {
  const { store, companies, clock, log } = parts;
  const reader = createRuleReader(parts);
  const keepRule = createRuleKeeping(parts);

  /** @returns when the next rule is due */
  const keepRules = async (nowMs: number): Promise<number> => {
    const workflows = await reader.read(nowMs);
    const cursors = await readCursors(store, companies);
    let nextMs = Number.POSITIVE_INFINITY;
    const kept = new Set<string>();
    for (const { rules, ...workflow } of workflows)
      for (const rule of rules) {
        const name = nameRule(workflow.companyId, workflow.workflowId, rule.nodeId, rule.kind);
        kept.add(name);
        try {
          nextMs = Math.min(nextMs, (await keepRule({ ...workflow, rule }, cursors.get(name), nowMs)) ?? nextMs);
        } catch (error) {
          log.warn({ ...workflow, nodeId: rule.nodeId, error: String(error) }, 'A schedule could not be looked at; the next try is soon');
        }
      }
    const gone = [...cursors].flatMap(([name, cursor]) => (kept.has(name) ? [] : [schedules.remove(cursor)]));
    if (gone.length > 0) await store.runner.write(gone);
    return nextMs;
  };

  /** Asks for the jobs that make what is due. */
  const askForDue = async (nowMs: number): Promise<void> => {
    for (const { companyId } of await store.runner.read(selectDueCompanies({ nowMs }))) {
      const open = await parts.jobs.list({ companyIds: [companyId], kind: dueStartsJob.kind, limit: 20 });
      if (open.some(({ endedAtMs, status }) => endedAtMs === undefined && status !== 'cancelled')) continue;
      await parts.jobs.ask(dueStartsJob, { companyId, spec: {}, createdBy: 'schedule', rate: startRate(parts, companyId) });
    }
  };

  const poller = createPoller({
    clock,
    log,
    everyMs: pollMs,
    async poll(nowMs) {
      const nextRuleMs = await keepRules(nowMs);
      await askForDue(nowMs);
      const nextStartMs = (await store.runner.readOne(selectNextDue({ nowMs })))?.atMs;
      const nextMs = Math.min(nextRuleMs, nextStartMs ?? Number.POSITIVE_INFINITY);
      if (Number.isFinite(nextMs)) poller.wake(Math.max(nextMs, nowMs + 1));
    },
    failure: 'Schedules could not be looked at',
  });
  return {
    start() {
      poller.start();
      poller.wake(clock.now());
    },
    wake: poller.wake,
    createId: () => Buffer.from(parts.random.bytes(16)).toString('hex'),
    stop: poller.stop,
  };
}

/** How rules are kept up with the time, each on its own. */
function createRuleKeeping(parts: SchedulerParts) {
  const { store, companies } = parts;
  const dueTimes = createDueTimes();

  /** Writes down where a rule begins. @returns undefined where another process was first */
  const beginRule = async (ruled: Ruled, before: Cursor | undefined, nowMs: number): Promise<Cursor | undefined> => {
    const { rule, companyId, workflowId, publishedAtMs } = ruled;
    const isRecent = before !== undefined || nowMs - publishedAtMs <= recentMs;
    const throughMs = Math.max(isRecent ? Math.min(nowMs, publishedAtMs) : nowMs, before?.throughMs ?? 0);
    const begun: Cursor = { companyId, workflowId, nodeId: rule.nodeId, kind: rule.kind, rule: rule.text, throughMs };
    const [writing] =
      before === undefined
        ? schedules.insertMissing([begun])
        : [replaceRule({ ...begun, before: before.rule, fromMs: before.throughMs, toMs: throughMs })];
    if (writing === undefined) return undefined;
    return (await store.runner.write([writing])).rowsOf(writing).length > 0 ? begun : undefined;
  };

  /** Does what a rule has due. @returns when it is due next; undefined for one that waits, or never comes again */
  return async (ruled: Ruled, known: Cursor | undefined, nowMs: number): Promise<number | undefined> => {
    const { rule, companyId } = ruled;
    const zone = companies.company(companyId)?.timeZone ?? 'UTC';
    const cursor = known?.rule === rule.text ? known : await beginRule(ruled, known, nowMs);
    if (cursor === undefined) return nowMs + 1_000;
    if (ruled.isPaused) return undefined;
    const nextMs = dueTimes.next(rule, zone, cursor.throughMs);
    if (nextMs === undefined || nextMs > nowMs) return nextMs;
    const moving = asCondition(moveThrough({ ...cursor, fromMs: cursor.throughMs, toMs: nowMs }));
    const calls = await fire(parts, ruled, cursor, { nowMs, zone });
    const { failed } = await store.runner.write([moving, ...calls]);
    // Something else than its place: what is due was made before, such as by a version that was published, withdrawn and published again.
    if (failed !== undefined && failed !== moving) await store.runner.write([moving]);
    if (failed === undefined && calls.length > 0) parts.jobs.wake();
    return dueTimes.next(rule, zone, nowMs);
  };
}

const nameRule = (...parts: readonly string[]): string => JSON.stringify(parts);

/** How far the rules of the companies here are. */
async function readCursors(
  { runner }: Pick<DurableStore, 'runner'>,
  companies: Pick<Companies, 'company'>,
): Promise<ReadonlyMap<string, Cursor>> {
  const all = await runner.read(schedules.allOfEveryCompany());
  const here = all.filter(({ companyId }) => companies.company(companyId) !== undefined);
  return new Map(here.map((cursor) => [nameRule(cursor.companyId, cursor.workflowId, cursor.nodeId, cursor.kind), cursor]));
}

/** The next due time of each rule, computed once: a cron expression costs 0.1 ms. */
function createDueTimes(): { next(rule: ScheduleRule, zone: string, afterMs: number): number | undefined } {
  const known = new Map<string, { readonly afterMs: number; readonly nextMs: number | undefined }>();
  return {
    next(rule, zone, afterMs) {
      const name = nameRule(rule.text, zone);
      const last = known.get(name);
      if (last !== undefined && last.afterMs <= afterMs && (last.nextMs === undefined || last.nextMs > afterMs)) return last.nextMs;
      const nextMs = rule.kind === 'cron' ? nextCronMs(rule, zone, afterMs) : nextDateMs(rule, afterMs);
      if (known.size >= maxKnown) known.clear();
      known.set(name, { afterMs, nextMs });
      return nextMs;
    },
  };
}

/** So many starts are removed at a time. */
const batch = 500;

/** Removes starts that ended before an instant. @returns how many */
export async function pruneStarts({ runner }: Pick<DurableStore, 'runner'>, beforeMs: number): Promise<number> {
  for (let removed = 0; ; ) {
    const remove = deleteEndedStarts({ beforeMs, limit: batch });
    const count = (await runner.write([remove])).rowsOf(remove).length;
    removed += count;
    if (count < batch) return removed;
  }
}

export { audienceJob, dueStartsJob } from './start-jobs.ts';
