import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from './logger.ts';
import type { RequestFields } from './request-lines.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Few paths, so that they repeat; some have a secret, some need an escape, and some are longer than what is kept. */
const pieces = [
  '/v1',
  '/swordfish',
  '/a b',
  '/%73wordfish',
  '/é',
  '/"',
  '/\\',
  '/\u0000',
  '/\u009b',
  '/\u2028',
  '/\ud800',
  'x'.repeat(600),
];
const path = fc.array(fc.constantFrom(...pieces), { maxLength: 3 }).map((parts) => parts.join(''));
const fields: fc.Arbitrary<RequestFields> = fc.record({
  requestId: fc.constant(''),
  surface: fc.constantFrom('gateway', 'legacy'),
  status: fc.constantFrom(200, 404, 500),
  method: fc.constantFrom('GET', 'POST'),
  path,
  durationMs: fc.nat({ max: 99_999 }).map((tenths) => tenths / 10),
});
type Step = { readonly request: RequestFields } | { readonly secret: string } | { readonly passMs: number };
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ request: fields }) },
    fc.record({ secret: fc.constantFrom('swordfish', '/v1/v1', 'xxxxxxxx', 'another-secret') }),
    fc.record({ passMs: fc.nat({ max: 1_500 }) }),
  ),
  { maxLength: 30 },
);

describe('the line of a request', () => {
  it('is the one that the log writes of its fields, to the letter, whatever becomes a secret meanwhile (P31, T17)', () =>
    fc.assert(
      fc.property(steps, (given) => {
        let secrets: readonly string[] = [];
        const written: string[] = [];
        const log = createLogger({ format: 'json', secrets: () => secrets, write: (line) => written.push(line) });
        const leaks = () => secrets.filter((secret) => written.some((line) => line.includes(secret)));
        const lines = given.flatMap((step) => {
          if ('secret' in step) secrets = [...secrets, step.secret];
          else if ('passMs' in step) vi.advanceTimersByTime(step.passMs);
          else {
            const request = { ...step.request, requestId: randomUUID() };
            log.request?.(request);
            log.info(request, 'request');
            return [{ leaked: leaks(), line: written.splice(0) }];
          }
          return [];
        });
        for (const { leaked, line } of lines) {
          expect(leaked).toEqual([]);
          expect(line[0]).toBe(line[1]);
        }
      }),
    ));

  it('is made anew for each of more paths than are kept', () => {
    const written: string[] = [];
    const log = createLogger({ format: 'json', secrets: () => ['swordfish'], write: (line) => written.push(line) });
    for (let round = 0; round < 2; round += 1)
      for (let at = 0; at < 1_500; at += 1)
        log.request?.({ requestId: 'r', surface: 'gateway', status: 200, method: 'GET', path: `/${at}/swordfish`, durationMs: 1 });
    expect(written).toHaveLength(3_000);
    for (const [at, line] of written.entries()) expect(JSON.parse(line)).toMatchObject({ path: `/${at % 1_500}/[redacted]` });
  });

  it('is left to the pretty log where people read it', () => {
    expect(createLogger({ format: 'pretty', secrets: () => [] }).request).toBeUndefined();
  });
});
