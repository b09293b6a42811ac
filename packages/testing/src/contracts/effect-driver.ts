import type { BoundDriver, DriverContext, Json } from '@hilo/engine/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { driverContext } from './driver-context.ts';

/**
 * How the remote system answers a request.
 *
 * - `answers`: correctly
 * - `babbles`: with a malformed answer
 * - `breaks`: the answer is cut off
 * - `floods`: with an answer over any limit
 * - `hangs`: never
 * - `repeats`: with every secret that it received
 */
export type RemoteBehaviour = 'answers' | 'babbles' | 'breaks' | 'floods' | 'hangs' | 'repeats';

/** A driver under test, and the real thing that it speaks to. */
export interface DriverStage {
  readonly driver: BoundDriver;
  /** A request that the remote system meets in this way. */
  request(behaviour: RemoteBehaviour, timeoutMs: number): Json;
  /** The idempotency keys that reached the remote system, in order. */
  keys(): readonly (string | undefined)[];
  /** How many requests reached the remote system. */
  requests(): number;
  /** Secrets of company 7 that no outcome may contain, such as a password; one at least. */
  readonly secrets: readonly [string, ...string[]];
  close(): Promise<void>;
}

interface DriverContractOptions {
  /** What the remote system can do beside `answers` and `hangs`. */
  readonly behaviours: readonly Exclude<RemoteBehaviour, 'answers' | 'hangs'>[];
  /** Whether calls carry the idempotency key of the effect; true when left out. */
  readonly carriesKey?: boolean;
  /** A result is never longer, as JSON; 1,500,000 characters where left out. */
  readonly maxResultChars?: number;
}

/** The time of a call that must end by itself, or by its abort signal: longer than a test may take. */
const ampleMs = 240_000;
/** How long a test may take, on a busy machine too: a call that waits for its whole time fails it. */
const boundMs = 120_000;

/**
 * The contract of drivers that reach another system, as tests: every such driver runs these.
 *
 * It returns a result of its effect for any behaviour of the remote system (it throws only before anything was sent), ends in time and
 * when aborted (P13), keeps bounded data (P16), sends the key of the effect (P4), works for the requesting company alone (P28), and
 * reveals no secret (P31).
 *
 * @param open - starts both sides
 * @example
 * describeEffectDriver('http', openHttpStage, { behaviours: ['babbles', 'breaks', 'floods', 'repeats'] });
 */
export function describeEffectDriver(
  name: string,
  open: () => Promise<DriverStage>,
  { behaviours, carriesKey = true, maxResultChars = 1_500_000 }: DriverContractOptions,
): void {
  describe(`${name} as the driver of an effect`, { timeout: boundMs }, () => {
    let stage: DriverStage;
    beforeAll(async () => {
      stage = await open();
    });
    afterAll(() => stage.close());

    /** Performs one request: its result, which is one of the effect, or what the driver threw. */
    const perform = async (asked: RemoteBehaviour, timeoutMs: number, more: Partial<DriverContext> = {}): Promise<Performed> => {
      const { effect, perform: run } = stage.driver;
      const request = effect.request.parse(stage.request(asked, timeoutMs)) as never;
      try {
        const { success, data } = effect.result.safeParse(await run(request, driverContext(more)));
        return success ? { kind: 'result', result: data } : { kind: 'no result of the effect' };
      } catch (error) {
        return { kind: 'threw', error };
      }
    };

    it('returns a result of its effect', async () => {
      expect(await perform('answers', ampleMs)).toMatchObject({ kind: 'result' });
    });

    it.runIf(carriesKey)('carries the key of the effect, the same for every attempt of it (P4)', async () => {
      const before = stage.keys().length;
      for (const idempotencyKey of ['first', 'first', 'second']) await perform('answers', ampleMs, { idempotencyKey });
      expect(stage.keys().slice(before)).toEqual(['first', 'first', 'second']);
    });

    it('ends by itself when its time is over (P13)', async () => {
      expect(await perform('hangs', 300)).toMatchObject({ kind: 'result' });
    });

    it('ends when it is aborted, while the remote system is silent (P13)', async () => {
      const before = stage.requests();
      const controller = new AbortController();
      const performing = perform('hangs', ampleMs, { signal: controller.signal });
      await expect.poll(() => stage.requests(), { timeout: boundMs }).toBeGreaterThan(before);
      controller.abort();
      expect(await performing).toMatchObject({ kind: 'result' });
    });

    it('does nothing once it was aborted', async () => {
      const before = stage.requests();
      const controller = new AbortController();
      controller.abort();
      await perform('answers', ampleMs, { signal: controller.signal });
      expect(stage.requests()).toBe(before);
    });

    it.each(behaviours)('returns a bounded result of its effect when the remote system %s (P5, P16, P32)', async (asked) => {
      const performed = await perform(asked, ampleMs);
      expect(performed).toMatchObject({ kind: 'result' });
      expect(JSON.stringify(performed).length).toBeLessThan(maxResultChars);
    });

    it('reveals no secret (P31)', async () => {
      for (const asked of ['answers', ...behaviours] as const) {
        const outcome = describeOutcome(await perform(asked, ampleMs));
        for (const secret of stage.secrets) expect(outcome).not.toContain(secret);
      }
    });

    it('has nothing of this company for another (P28)', async () => {
      const before = stage.requests();
      await perform('answers', ampleMs, { origin: { companyId: '8', route: 'production' } });
      expect(stage.requests()).toBe(before);
    });
  });
}

type Performed =
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'no result of the effect' }
  | { readonly kind: 'threw'; readonly error: unknown };

const describeOutcome = (performed: Performed): string =>
  performed.kind === 'threw' ? String(performed.error) : JSON.stringify(performed);
