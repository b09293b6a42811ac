import { executionStatuses } from '@hilo/engine/contract';
import { collectDefaultMetrics, Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Service } from '../service.ts';
import { type Counts, countAll } from './counts.ts';

/** Counting goes through an index of every execution: it is not done more often than this. */
const countEveryMs = 5_000;

/** Writes what the service does into a registry; what the store holds is counted when it is asked for. */
export function collectMetrics(service: Service, metrics: Registry): void {
  const registers = [metrics];
  collectDefaultMetrics({ register: metrics }); // process, memory, and the delay of the event loop
  collectEvents(service, registers);
  collectCounts(service, registers);
}

function collectEvents({ engine, commitTimes, limitReports }: Service, registers: Registry[]): void {
  const commits = new Histogram({
    name: 'hilo_store_commit_duration_seconds',
    help: 'Time of a commit, the wait for its group included',
    buckets: [0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers,
  });
  commitTimes?.listen((durationMs) => commits.observe(durationMs / 1000));
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

/** Series that are kept of each counter: workflows and causes are named by whoever writes canvases. */
const mostSeries = 5_000;

function collectFailures(engine: Service['engine'], registers: Registry[]): void {
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
  const isKept = boundedSeries();
  engine.on('execution.ended', ({ companyId: company, workflowId }, { status, failure }) => {
    if (status !== 'failed') return;
    const cause = failure?.cause ?? 'none';
    failed.inc(
      isKept(company, workflowId, cause) ? { company, workflow: workflowId, cause } : { company, workflow: 'others', cause: 'others' },
    );
  });
  engine.on('message.unmatched', ({ companyId: company, botId: bot, cause }) => unmatched.inc({ company, bot, cause }));
}

/** Whether a series may be one of its own. */
function boundedSeries(): (...labels: readonly string[]) => boolean {
  const known = new Set<string>();
  return (...labels) => {
    const name = JSON.stringify(labels);
    if (known.size < mostSeries) known.add(name);
    return known.has(name);
  };
}

/** The equation of P35: accepted is the sum of all statuses and of what retention removed, for each company. */
function collectCounts({ store, clock, log }: Service, registers: Registry[]): void {
  let counted: { readonly atMs: number; readonly counts: Promise<Counts | undefined> } | undefined;
  const counts = (): Promise<Counts | undefined> => {
    const atMs = clock.now();
    if (counted === undefined || atMs - counted.atMs >= countEveryMs) counted = { atMs, counts: countAll(store).catch(untold) };
    return counted.counts;
  };
  const untold = (error: unknown): undefined => {
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
