import { defineEffect, drive, type Driver, type EffectDefinition, Json } from '../contract/index.ts';
import { createContext } from './context.ts';
import { settle } from './perform-effect.ts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const limitCause = { cause: 'TIMEOUT', message: '' };
const origin = { companyId: '1', route: 'production' } as const;
const called = { key: 'k', type: 'ask', request: null, nodeId: 'n', attempt: 1, limitMs: 1, limitCause, executionId: 'e', origin };
const call = { ...called, parentId: undefined };

/** What an effect is performed with. */
function stage(perform: Driver<EffectDefinition<'ask', null, unknown>>, result: z.ZodType = Json) {
  const effect = defineEffect('ask', { request: z.null(), result });
  const nothing = async (): Promise<void> => undefined;
  return createContext(
    {
      nodes: [],
      drivers: [drive(effect, perform)],
      clock: { now: () => 0, setTimeout: () => undefined, clearTimeout: () => undefined },
      random: { bytes: (length) => new Uint8Array(length) },
    },
    {
      processNext: () => undefined,
      recoverLane: nothing,
      takeHandedCall: async () => undefined,
      fireDueTimers: async () => 0,
      recover: nothing,
    },
  );
}

/** The end of an effect whose driver returns this result. */
async function answered(answer: unknown, result?: z.ZodType) {
  const settled = await settle(
    stage(async () => answer, result),
    call,
    undefined,
  );
  return settled.kind === 'failure' ? settled.failure.cause : settled.value;
}

describe('the answer of a driver', () => {
  it('is kept as its effect has it', async () => {
    expect(await answered({ a: [1, 'b', null] })).toEqual({ a: [1, 'b', null] });
  });

  it('that is too large is refused before it is read (P16, P20)', async () => {
    let reads = 0;
    const result = z.unknown().refine(() => (reads += 1) > 0);
    expect(
      await answered(
        Array.from({ length: 350_000 }, () => []),
        result,
      ),
    ).toBe('VALUE_TOO_LARGE');
    expect(reads).toBe(0);
    expect(await answered([[]], result)).toEqual([[]]);
    expect(reads).toBe(1);
  });

  class Own {}
  const thrower = {
    get a(): never {
      throw new Error('Not for you');
    },
  };
  it.each([
    ['nothing', undefined],
    ['a function', () => 1],
    ['a symbol', Symbol('s')],
    ['a bigint', 1n],
    ['no number', Number.NaN],
    ['nothing in a list', [undefined]],
    ['a date', { at: new Date(0) }],
    ['a map', new Map([['a', 1]])],
    ['an instance', [new Own()]],
    ['a property that throws', thrower],
    ['an object that can only be looked at with an error', [new Proxy({}, { ownKeys: () => fail() })]],
  ])('that is no JSON is an answer of the wrong shape: %s', async (_name, answer) => {
    expect(await answered(answer)).toBe('DRIVER_ANSWER_INVALID');
  });

  it.each([
    ['any value', z.any(), new Date(0)],
    ['a date', z.strictObject({ at: z.date() }), { at: new Date(0) }],
    ['a date made of a text', z.coerce.date(), '2026-12-01'],
    ['any number', z.any(), [Number.NaN]],
    ['bytes', z.any(), new Uint8Array(2)],
  ])('that no store can keep is refused though its effect has %s', async (_name, result, answer) => {
    expect(await answered(answer, result)).toBe('DRIVER_ANSWER_INVALID');
  });

  it('may be made JSON by its effect', async () => {
    expect(
      await answered(
        new Date(0),
        z.date().transform((date) => date.toISOString()),
      ),
    ).toBe('1970-01-01T00:00:00.000Z');
  });

  it('that contains itself fails like one that is too deep', async () => {
    const own: unknown[] = [];
    own.push(own);
    expect(await answered(own)).toBe('VALUE_TOO_LARGE');
  });
});

describe('the progress of an effect', () => {
  it('is told by the event until the effect is over, and no longer', async () => {
    const told: unknown[] = [];
    let tell: ((value: Json) => void) | undefined;
    const end = Promise.withResolvers<null>();
    const context = stage((_request, { progress }) => {
      tell = progress;
      progress?.({ text: 'a' });
      return end.promise;
    });
    context.events.on('effect.progressed', (progress) => told.push(progress));
    const settling = settle(context, call, undefined);
    tell?.({ text: 'ab' });
    end.resolve(null);
    expect(await settling).toEqual({ kind: 'result', value: null });
    tell?.({ text: 'abc' });
    const of = { companyId: '1', origin, executionId: 'e', nodeId: 'n', key: 'k' };
    expect(told).toEqual([
      { ...of, value: { text: 'a' } },
      { ...of, value: { text: 'ab' } },
    ]);
  });

  it('comes to nothing once the effect is let go of, or a listener throws', async () => {
    const told: unknown[] = [];
    let abort: (() => void) | undefined;
    let tell: ((value: Json) => void) | undefined;
    const context = stage((_request, { progress }) => {
      tell = progress;
      return new Promise(() => undefined);
    });
    context.events.on('effect.progressed', ({ value }) => {
      told.push(value);
      throw new Error('A listener of the host');
    });
    void settle(context, call, undefined, (how) => (abort = how));
    tell?.(1);
    abort?.();
    tell?.(2);
    expect(told).toEqual([1]);
  });
});

const fail = (): never => {
  throw new Error('Not for you');
};
