// What is written when a rule has fallen due: a start that waits for its turn, or one that a job makes for each contact; and what was missed.
import { createHash } from 'node:crypto';
import type { Cell } from '@hilo/engine';
import { type CronRule, type DateRule, lastCronMs, listCronMs, type ScheduleRule } from '@hilo/nodes';
import type { Call, DurableStore, GivenOf, ItemOf } from '@hilo/stores';
import type { Jobs } from '../platform/jobs/jobs.ts';
import { scheduledStarts, type schedules } from '../platform/tables/schedules.ts';
import type { Companies } from '../tenants/companies.ts';
import { readDatedPage } from './audience.ts';
import type { WorkflowRules } from './rules.ts';
import { audienceJob, audienceOf } from './start-jobs.ts';

interface FiringParts {
  readonly store: Pick<DurableStore, 'runner'>;
  readonly companies: Pick<Companies, 'company' | 'bots'>;
  readonly jobs: Pick<Jobs, 'insert'>;
  /** The cell whose users this process serves: of several, one makes the start of a company. */
  readonly cell?: Cell | undefined;
}

/** How far a rule is. */
export type Cursor = ItemOf<typeof schedules.columns>;

/** A rule with its workflow. */
export interface Ruled extends Omit<WorkflowRules, 'rules'> {
  readonly rule: ScheduleRule;
}

interface Now {
  readonly nowMs: number;
  /** The company's. */
  readonly zone: string;
}

/** So many due times of a rule are counted, where many were missed. */
const maxCounted = 1_000;
/** Starts a second, where the company has no limit. */
const usualRate = 2_000;

/** Starts a second for what is due of a company: four fifths of its limit, so that its users and webhooks have room beside them. */
export function startRate({ companies }: Pick<FiringParts, 'companies'>, companyId: string): number {
  const perMinute = companies.company(companyId)?.limits?.startsPerMinute;
  return perMinute === undefined ? usualRate : Math.max(1, Math.floor((perMinute * 0.8) / 60));
}

/** The statements of what a rule has had due since it was looked at last. */
export const fire = (parts: FiringParts, ruled: Ruled, cursor: Cursor, now: Now): Promise<readonly Call[]> | readonly Call[] =>
  ruled.rule.kind === 'cron' ? fireCron(parts, ruled, ruled.rule, cursor, now) : fireDate(parts, ruled, ruled.rule, cursor, now);

/** Only the last of its due times is made up for: the others are missed, together. */
function fireCron(parts: FiringParts, ruled: Ruled, rule: CronRule, { throughMs }: Cursor, { nowMs, zone }: Now): readonly Call[] {
  const lastMs = lastCronMs(rule, zone, { afterMs: throughMs, upToMs: nowMs });
  if (lastMs === undefined) return [];
  const isLate = nowMs - lastMs > rule.graceMs;
  const missed = listCronMs(rule, zone, { afterMs: throughMs, upToMs: isLate ? lastMs : lastMs - 1, atMost: maxCounted });
  const lastMissedMs = isLate ? lastMs : missed.at(-1);
  const calls: Call[] = [];
  if (lastMissedMs !== undefined) {
    const ended = { times: Math.max(1, missed.length), reason: isLate ? 'LATE' : 'SUPERSEDED', endedAtMs: nowMs } as const;
    calls.push(...scheduledStarts.insert([{ ...makeStart(ruled, lastMissedMs, nowMs), status: 'missed', ...ended }]));
  }
  if (isLate) return calls;
  const start = makeStart(ruled, lastMs, nowMs);
  if (rule.audience !== 'company') return [...calls, ...askForAudience(parts, ruled, start, { nowMs, afterMs: throughMs })];
  // The digits of the hash are those of a slot.
  if (parts.cell?.elsewhere(Number.parseInt(start.id.slice(0, 3), 16)) !== undefined) return calls;
  return [...calls, ...scheduledStarts.insert([start])];
}

/** A job is asked for only where somebody has such a date: four times an hour it would find nobody. */
async function fireDate(parts: FiringParts, ruled: Ruled, rule: DateRule, { throughMs }: Cursor, { nowMs }: Now): Promise<readonly Call[]> {
  let after: string | null = '';
  while (after !== null) {
    const query = { companyId: ruled.companyId, channels: undefined, after, size: 1 };
    const page = await readDatedPage(parts, query, { rule, afterMs: throughMs, upToMs: nowMs });
    if (page.recipients.length > 0) return askForAudience(parts, ruled, makeStart(ruled, nowMs, nowMs), { nowMs, afterMs: throughMs });
    after = page.next;
  }
  return [];
}

type Start = GivenOf<typeof scheduledStarts.columns>;

function makeStart({ companyId, workflowId, rule }: Ruled, dueAtMs: number, nowMs: number): Start {
  const name = JSON.stringify([companyId, workflowId, rule.nodeId, rule.text, dueAtMs]);
  return {
    companyId,
    id: createHash('sha256').update(name).digest('hex').slice(0, 32),
    workflowId,
    nodeId: rule.nodeId,
    audience: audienceOf(rule),
    botId: '',
    userId: '',
    inputs: {},
    status: 'waiting',
    dueAtMs,
    graceMs: rule.graceMs,
    times: 1,
    createdBy: 'schedule',
    createdAtMs: nowMs,
  };
}

/** A start for many, and the job that makes it. */
function askForAudience(
  parts: FiringParts,
  { companyId, workflowId, rule }: Ruled,
  start: Start,
  { nowMs, afterMs }: { readonly nowMs: number; readonly afterMs: number },
): readonly Call[] {
  const { id: startId, dueAtMs } = start;
  const { jobId, calls } = parts.jobs.insert(audienceJob, {
    companyId,
    spec: { startId, workflowId, nodeId: rule.nodeId, rule: rule.text, dueAtMs, askedAtMs: nowMs, afterMs },
    createdBy: 'schedule',
    rate: startRate(parts, companyId),
  });
  return [...scheduledStarts.insert([{ ...start, status: 'running', jobId }]), ...calls];
}
