import type { DriverContext } from '@hilo/engine/contract';

/** What the engine gives a driver beside the request: the first try of a node for company 7, but for what a test says of it. */
export const driverContext = (more: Partial<DriverContext> = {}): DriverContext => ({
  idempotencyKey: 'c0ffee',
  executionId: 'e1',
  nodeId: 'n1',
  attempt: 1,
  origin: { companyId: '7', route: 'production' },
  contact: undefined,
  nowMs: 0,
  signal: new AbortController().signal,
  ...more,
});
