import type { JsonObject } from '@hilo/engine/contract';
import { InboundMessage, Message } from '@hilo/nodes/effects';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { arbitraries } from '../arbitraries/arbitraries.ts';

/**
 * How the provider answers a request that carries a message.
 *
 * - `accepts`: checks the request and accepts the message
 * - `limits`: rate-limits, and accepts nothing
 * - `babbles`: 200, with a page of HTML
 * - `breaks`: the answer is cut off
 * - `drips`: the answer arrives one byte at a time, without end
 * - `floods`: the answer is endless
 * - `hangs`: no answer
 * - `resets`: the connection is reset once the request has arrived
 */
export type ProviderMood = 'accepts' | 'limits' | 'babbles' | 'breaks' | 'drips' | 'floods' | 'hangs' | 'resets';

/** An error that a provider publishes, and what it means for the message. */
export interface ProviderFailure {
  readonly status: number;
  readonly body: JsonObject;
  readonly kind: 'refused' | 'later' | 'unknown';
  readonly cause: string;
}

/** An adapter's result of a send, as `SendResult` of `@hilo/channels`. */
interface Outcome {
  readonly kind: 'sent' | 'refused' | 'later' | 'unknown';
  readonly cause?: string;
  readonly message?: string;
  readonly retryAfterMs?: number | undefined;
}

/** A delivery as it reaches the adapter: as the provider sent it, or not. */
export type Genuineness = 'genuine' | 'unsigned' | 'changed' | 'of another sender';

/** An adapter under test, and a double of its provider. */
export interface ChannelStage {
  /** Sends a message over the real dialer. */
  send(message: JsonObject, idempotencyKey: string): Promise<Outcome>;
  /** How the provider meets what comes from now on. */
  meet(mood: ProviderMood | ProviderFailure): void;
  /** The bodies of requests that carried a message so far. */
  sent(): readonly string[];
  /** Faults that the provider found in requests. */
  problems(): readonly string[];
  /** Delivers a user's text. */
  receive(genuineness: Genuineness): Promise<{ readonly isAuthentic: boolean; readonly events: readonly object[] }>;
  /** Secrets that no outcome may contain, such as an access token; one at least. */
  readonly secrets: readonly [string, ...string[]];
  close(): Promise<void>;
}

interface ChannelContractOptions {
  /** How many random messages are sent; 100 where left out. */
  readonly numRuns?: number;
  /** Every error that the provider publishes. */
  readonly failures: readonly ProviderFailure[];
  /** False for a provider whose status alone confirms a message; true when left out. */
  readonly confirmsSends?: boolean;
  /** False for a channel that makes no calls; true when left out. */
  readonly callsOut?: boolean;
  /** False for a channel whose deliveries authenticate the sender but not each byte of the body; true when left out. */
  readonly provesBody?: boolean;
}

/**
 * The contract of channel adapters, as tests: every adapter runs these.
 *
 * Every message is sent in a request that the provider accepts, or refused with a reason before anything is sent. Errors have the
 * meaning that the provider documents; an unknown outcome is never reported as `sent` or `later` (P5). Deliveries are accepted from
 * the provider alone (T5), and a repeated delivery has the same event ids (P10). No secret is revealed (P31).
 *
 * @param open - starts the adapter and the double of its provider
 */
export function describeChannel(
  name: string,
  open: () => Promise<ChannelStage>,
  { numRuns = 100, failures, confirmsSends = true, callsOut = true, provesBody = true }: ChannelContractOptions,
): void {
  describe(`${name} as a channel`, { timeout: 120_000 }, () => {
    let stage: ChannelStage;
    const outcomes: unknown[] = [];
    let keys = 0;
    beforeAll(async () => {
      stage = await open();
    });
    beforeEach(() => stage.meet('accepts'));
    afterAll(() => stage.close());

    const send = async (message: JsonObject = { type: 'text', text: 'Hi' }): Promise<Outcome> => {
      keys += 1;
      const outcome = await stage.send(message, `key-${keys}`);
      outcomes.push(outcome);
      return outcome;
    };

    it(
      'sends a request that the provider accepts, or refuses with a reason, for any message',
      async () => {
        const run = fc.asyncProperty(arbitraries.message, async (input) => {
          const before = stage.sent().length;
          const outcome = await send(JSON.parse(JSON.stringify(Message.parse(input))) as JsonObject);
          expectSentOrRefused(outcome, stage.sent().length - before, callsOut);
        });
        await fc.assert(run, { numRuns });
        expect(stage.problems()).toEqual([]);
      },
      120_000 + numRuns * 50,
    );

    it.runIf(callsOut)('returns later, with the pause, when the provider rate-limits', async () => {
      stage.meet('limits');
      expect(await send()).toMatchObject({ kind: 'later', retryAfterMs: 7_000 });
    });

    it.runIf(callsOut)('returns unknown when the message may have been accepted (P5)', async () => {
      const moods = ['breaks', 'drips', 'floods', 'hangs', 'resets', ...(confirmsSends ? (['babbles'] as const) : [])] as const;
      for (const mood of moods) {
        stage.meet(mood);
        const before = stage.sent().length;
        expect([mood, await send()]).toEqual([mood, expect.objectContaining({ kind: 'unknown' })]);
        expect([mood, stage.sent().length - before]).toEqual([mood, 1]);
      }
    });

    it.runIf(failures.length > 0)('gives every error of the provider its documented meaning', async () => {
      for (const failure of failures) {
        stage.meet(failure);
        const { kind, cause } = await send();
        expect({ answered: failure.body, kind, cause }).toEqual({ answered: failure.body, kind: failure.kind, cause: failure.cause });
      }
    });

    it.each<[Genuineness, boolean]>([
      ['genuine', true],
      ['unsigned', false],
      ...(provesBody ? [['changed', false] satisfies [Genuineness, boolean]] : []),
      ['of another sender', false],
    ])('finds a delivery that is %s authentic: %s (T5)', async (genuineness, isAuthentic) => {
      expect((await stage.receive(genuineness)).isAuthentic).toBe(isAuthentic);
    });

    it('reads the same delivery as the same events each time (P10)', async () => {
      const [first, second] = [await stage.receive('genuine'), await stage.receive('genuine')];
      expect(second.events).toEqual(first.events);
      expect(first.events).toMatchObject([{ kind: 'message', message: { type: 'text', text: 'Hello' } }]);
      for (const event of first.events) expectMessage(event);
    });

    it('reveals no secret (P31)', () => {
      for (const secret of stage.secrets) expect(JSON.stringify(outcomes)).not.toContain(secret);
    });
  });
}

/** @param count - how many requests the provider got */
function expectSentOrRefused(outcome: Outcome, count: number, callsOut: boolean): void {
  const { kind, message = '', cause = '' } = outcome;
  const isRefused = kind === 'refused' && message !== '' && cause !== '' && count === 0;
  const isSent = kind === 'sent' && count === (callsOut ? 1 : 0);
  expect({ outcome, count, isKept: isSent || isRefused }).toHaveProperty('isKept', true);
}

/** It has an id, by which a repetition is known, and a message that nodes can read. */
function expectMessage(event: object): void {
  expect(event).toHaveProperty('eventId', expect.stringMatching(/./));
  expect(InboundMessage.safeParse('message' in event ? event.message : undefined).success).toBe(true);
}
