import { expect } from 'vitest';
import type { Caller } from './caller.ts';

/**
 * Waits until a company has no work in progress, then compares the metrics with the executions themselves (P35). Counts over the store
 * are cached for some seconds: metrics must not have been read before.
 *
 * @returns the number of executions
 */
export async function expectAccountedFor(caller: Caller, companyId = '1'): Promise<number> {
  const executions = await caller.atRest(companyId);
  const metrics = metricsIn((await caller.call('GET /metrics')).text, companyId);
  const counted = Object.entries(metrics.byStatus).filter(([, count]) => count > 0);
  const expected = [...Map.groupBy(executions, ({ status }) => status)].map(([status, of]) => [status, of.length]);
  expect(Object.fromEntries(counted)).toEqual(Object.fromEntries(expected));
  expect(metrics.accepted).toBe(Object.values(metrics.byStatus).reduce((sum, count) => sum + count, 0));
  expect({ accepted: metrics.accepted, queued: metrics.queued }).toEqual({ accepted: executions.length, queued: 0 });
  return executions.length;
}

interface Metrics {
  readonly byStatus: { readonly [status: string]: number };
  readonly accepted: number;
  readonly queued: number;
}

function metricsIn(text: string, companyId: string): Metrics {
  const statuses = text.matchAll(new RegExp(String.raw`^hilo_executions\{company="${companyId}",status="(\w+)"\} (\d+)$`, 'gm'));
  const numberOf = (name: string): number => Number(new RegExp(String.raw`^${name} (\d+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
  return {
    byStatus: Object.fromEntries([...statuses].map(([, status = '', count]) => [status, Number(count)])),
    accepted: numberOf(String.raw`hilo_executions_accepted\{company="${companyId}"\}`),
    queued: numberOf('hilo_queue_length'),
  };
}
