// The metrics of a service.
import { executionStatuses } from '@hilo/engine/contract';
import { type DurableStore, call } from '@hilo/stores';
import { Counter, Gauge, type Registry } from 'prom-client';
import { statement } from '../platform/database/schema.ts';
import type { Platform } from '../platform/platform.ts';
import { createDurations, exportMetrics } from '../platform/telemetry-metrics.ts';
import type { CommitTimes } from '../platform/database/commit-times.ts';
import type { LimitReports } from '../platform/logging/limit-reports.ts';
import type { JobCounts } from '../platform/jobs/job-counts.ts';
import type { ChannelRegistry } from '../channels/channels.ts';
import { sql } from 'kysely';
import { collectProcess } from './process-metrics.ts';

/** What metrics are read from. */
export type MetricsParts = Pick<Platform, 'engine' | 'store' | 'clock' | 'log' | 'isAccepting'> & {
  /** Without it `/metrics` has no durations of commits. */
  readonly commitTimes?: CommitTimes;
  /** Without it `/metrics` has no counts of exceeded limits. */
  readonly limitReports?: LimitReports;
  /** Without it `/metrics` has no counts of what providers deliver beside messages. */
  readonly channels?: Pick<ChannelRegistry, 'notices' | 'exchanges'>;
  /** Without it `/metrics` has no counts of jobs. */
  readonly jobCounts?: JobCounts;
};

/** How many executions of a company have a status. */
export interface StatusCount {
  readonly companyId: string;
  readonly status: string;
  readonly count: number;
}

/** How much of what there is. */
export interface Counts {
  readonly byStatus: readonly StatusCount[];
  /** What retention removed, by the status it had. */
  readonly pruned: readonly StatusCount[];
  /** All executions ever accepted. */
  readonly byCompany: readonly { readonly companyId: string; readonly count: number }[];
  /** Accepted, and without consequence yet. */
  readonly queued: number;
}

/** One statement, so that all is counted at one moment; each part is read from an index alone. */
const selectCounts = statement()((db) =>
  db
    .selectFrom('executions')
    .select(({ fn }) => ['company_id', 'status', fn.countAll().as('count'), sql<string>`'kept'`.as('kind')])
    .groupBy(['company_id', 'status'])
    .unionAll(
      db
        .selectFrom('pruned_executions')
        .select(['company_id', 'status', sql<number | string | bigint>`number`.as('count'), sql<string>`'pruned'`.as('kind')]),
    )
    .unionAll(
      db
        .selectFrom('queue')
        .select(({ fn }) => [
          sql<string>`''`.as('company_id'),
          sql<string>`''`.as('status'),
          fn.countAll().as('count'),
          sql<string>`'queued'`.as('kind'),
        ]),
    ),
);

/** Counts what the store holds, all at one moment (P35). */
async function countAll({ runner }: Pick<DurableStore, 'runner'>): Promise<Counts> {
  const rows = (await runner.read(call(selectCounts, {}))).map(({ kind, company_id: companyId, status, count }) => ({
    kind,
    count: { companyId, status, count: Number(count) },
  }));
  const filterCounts = (wanted: string) => rows.flatMap(({ kind, count }) => (kind === wanted ? [count] : []));
  const [byStatus, pruned] = [filterCounts('kept'), filterCounts('pruned')];
  return {
    byStatus,
    pruned,
    byCompany: [...Map.groupBy([...byStatus, ...pruned], ({ companyId }) => companyId)].map(([companyId, counts]) => ({
      companyId,
      count: counts.reduce((sum, { count }) => sum + count, 0),
    })),
    queued: filterCounts('queued')[0]?.count ?? 0,
  };
}

/** Counting goes through an index of every execution: it is not done more often than this. */
const countEveryMs = 5_000;

/** Registers the service's metrics, also with OpenTelemetry; gauges over the store are read when they are scraped. */
export function collectMetrics(service: MetricsParts, metrics: Registry): void {
  const registers = [metrics];
  collectProcess(metrics);
  collectEvents(service, registers);
  collectCounts(service, registers);
  exportMetrics(metrics, service.isAccepting);
}

function collectEvents({ engine, commitTimes, limitReports, channels, jobCounts }: MetricsParts, registers: Registry[]): void {
  const commits = createDurations({
    name: 'hilo_store_commit_duration_seconds',
    help: 'Time of a commit, the wait for its group included',
    buckets: [0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers,
  });
  commitTimes?.listen((durationMs) => commits.observe({}, durationMs / 1000));
  const limits = new Counter({
    name: 'hilo_limits_reached_total',
    help: 'Work that was refused or ended because it reached a bound; the log says whose it was',
    labelNames: ['limit'],
    registers,
  });
  limitReports?.listen(({ limit }) => limits.inc({ limit }));
  const started = new Counter({
    name: 'hilo_executions_started_total',
    help: 'Executions this process began',
    labelNames: ['company'],
    registers,
  });
  engine.on('execution.started', ({ companyId }) => started.inc({ company: companyId }));
  const ended = new Counter({
    name: 'hilo_executions_ended_total',
    help: 'Executions that ended in this process',
    labelNames: ['company', 'status'],
    registers,
  });
  engine.on('execution.ended', ({ companyId }, { status }) => ended.inc({ company: companyId, status }));
  collectFailures(engine, registers);
  const notices = new Counter({
    name: 'hilo_provider_notices_total',
    help: 'What providers delivered that is no message of a person to the bot in private, by what it is',
    labelNames: ['company', 'bot', 'what'],
    registers,
  });
  channels?.notices.listen(({ companyId: company, id: bot, what, count }) => notices.inc({ company, bot, what }, count));
  const exchanges = new Counter({
    name: 'hilo_flow_requests_total',
    help: 'Forms that asked for their next screen, by what they asked and how it ended',
    labelNames: ['bot', 'action', 'outcome'],
    registers,
  });
  channels?.exchanges.listen((told) => exchanges.inc({ ...told }));
  const worked = new Counter({
    name: 'hilo_job_things_total',
    help: 'Executions, and other things, that jobs of this process have acted on or left, by what became of them',
    labelNames: ['kind', 'outcome'],
    registers,
  });
  jobCounts?.listen((kind, outcome, count) => worked.inc({ kind, outcome }, count));
  const faults = new Counter({ name: 'hilo_engine_faults_total', help: 'What should not have happened in the engine, and did', registers });
  engine.on('engine.fault', () => faults.inc());
  new Gauge({
    name: 'hilo_engine_lanes',
    help: 'Lanes in which the engine works, or waits for the answer of an effect',
    labelNames: ['state'],
    registers,
    collect() {
      const { working, blocked } = engine.activity();
      this.set({ state: 'working' }, working);
      this.set({ state: 'blocked' }, blocked);
    },
  });
}

/** Series that are kept of each counter: the names of workflows and causes come from canvases, so their number has no other bound. */
const maxSeries = 5_000;

function collectFailures(engine: MetricsParts['engine'], registers: Registry[]): void {
  const failed = new Counter({
    name: 'hilo_executions_failed_total',
    help: 'Executions that failed in this process, by workflow and cause',
    labelNames: ['company', 'workflow', 'cause'],
    registers,
  });
  const unmatched = new Counter({
    name: 'hilo_messages_unmatched_total',
    help: 'Messages that no workflow took in this process, by bot and cause',
    labelNames: ['company', 'bot', 'cause'],
    registers,
  });
  const isKept = createSeriesBound();
  engine.on('execution.ended', ({ companyId: company, workflowId }, { status, failure }) => {
    if (status !== 'failed') return;
    const cause = failure?.cause ?? 'none';
    failed.inc(
      isKept(company, workflowId, cause) ? { company, workflow: workflowId, cause } : { company, workflow: 'others', cause: 'others' },
    );
  });
  engine.on('message.unmatched', ({ companyId: company, botId: bot, cause }) => unmatched.inc({ company, bot, cause }));
}

/** Limits how many series a metric may have. */
function createSeriesBound(): (...labels: readonly string[]) => boolean {
  const known = new Set<string>();
  return (...labels) => {
    const name = JSON.stringify(labels);
    if (known.size < maxSeries) known.add(name);
    return known.has(name);
  };
}

/** The equation of P35: accepted is the sum of all statuses and of what retention removed, for each company. */
function collectCounts({ store, clock, log }: MetricsParts, registers: Registry[]): void {
  let counted: { readonly atMs: number; readonly counts: Promise<Counts | undefined> } | undefined;
  const counts = (): Promise<Counts | undefined> => {
    const atMs = clock.now();
    if (counted === undefined || atMs - counted.atMs >= countEveryMs) counted = { atMs, counts: countAll(store).catch(reportUncounted) };
    return counted.counts;
  };
  const reportUncounted = (error: unknown): undefined => {
    log.warn({ error }, 'the store could not be counted');
    counted = undefined;
  };

  new Gauge({
    name: 'hilo_executions',
    help: 'Executions in the store by status',
    labelNames: ['company', 'status'],
    registers,
    async collect() {
      const { byStatus = [] } = (await counts()) ?? {};
      this.reset();
      for (const companyId of new Set(byStatus.map((row) => row.companyId)))
        for (const status of executionStatuses) this.set({ company: companyId, status }, 0);
      for (const { companyId, status, count } of byStatus) this.set({ company: companyId, status }, count);
    },
  });
  new Gauge({
    name: 'hilo_executions_pruned',
    help: 'Executions that retention removed, by the status they had',
    labelNames: ['company', 'status'],
    registers,
    async collect() {
      this.reset();
      for (const { companyId, status, count } of (await counts())?.pruned ?? []) this.set({ company: companyId, status }, count);
    },
  });
  new Gauge({
    name: 'hilo_executions_accepted',
    help: 'Executions that were ever accepted: the sum of those of every status and of those that retention removed',
    labelNames: ['company'],
    registers,
    async collect() {
      this.reset();
      for (const { companyId, count } of (await counts())?.byCompany ?? []) this.set({ company: companyId }, count);
    },
  });
  new Gauge({
    name: 'hilo_queue_length',
    help: 'What was accepted and has had no consequence yet',
    registers,
    async collect() {
      const now = await counts();
      if (now === undefined) this.remove();
      else this.set(now.queued);
    },
  });
}
