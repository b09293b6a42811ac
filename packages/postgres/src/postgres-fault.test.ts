import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { reasonOf, retry, unavailable } from './postgres-fault.ts';

/** Every attempt fails with a transient error after `attemptMs`. */
async function failing(attemptMs: number): Promise<{ readonly attempts: number; readonly error: unknown }> {
  let attempts = 0;
  const failed = retry(async () => {
    attempts += 1;
    vi.advanceTimersByTime(attemptMs);
    throw new Error('Connection terminated unexpectedly');
  }).catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  return { attempts, error: await failed };
}

describe('a transient failure', () => {
  beforeAll(() => void vi.useFakeTimers());
  afterAll(() => void vi.useRealTimers());

  it.each([
    ['six times when each attempt fails at once', 0, 6],
    ['twice when each attempt takes 2.5 s: none begins once 5 s have passed (P13, P26)', 2_500, 2],
    ['once when the first attempt takes 5 s (P13, P26)', 5_000, 1],
  ])('is tried %s', async (_how, attemptMs, attempts) => {
    expect(await failing(attemptMs)).toEqual({ attempts, error: expect.objectContaining({ code: 'STORE_UNAVAILABLE' }) as unknown });
  });
});

it('reports calls on an ended pool as those on a closed store', () => {
  const ended = new Error('Cannot use a pool after calling end on the pool');
  expect(unavailable(ended)).toMatchObject({ code: 'STORE_UNAVAILABLE', details: { reason: 'The store is closed', isClosed: true } });
});

const failure = (message: string, fields: object): Error => Object.assign(new Error(message), fields);

describe('the reason why a server is not reached', () => {
  it.each([
    [
      failure('could not extend file: No space left on device', { code: '53100', severity: 'ERROR' }),
      "could not extend file: No space left on device: make room on the server's disk",
    ],
    [
      failure('connect ETIMEDOUT 10.0.0.9:5432', { code: 'ETIMEDOUT' }),
      'connect ETIMEDOUT 10.0.0.9:5432: correct the host, or let this machine reach it',
    ],
    [
      failure('Connection terminated unexpectedly', {}),
      'Connection terminated unexpectedly: correct host and port: no PostgreSQL answers there',
    ],
    [failure('something else', { code: 'XX000', severity: 'ERROR' }), 'something else'],
    [
      new AggregateError([failure('connect ECONNREFUSED ::1:5432', { code: 'ECONNREFUSED' })]),
      'connect ECONNREFUSED ::1:5432: start PostgreSQL there, or correct host and port',
    ],
  ])('%s', (error, sentence) => {
    expect(reasonOf(error)).toBe(sentence);
  });
});
