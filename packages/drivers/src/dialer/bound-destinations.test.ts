import { createVirtualClock } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import { DriverError, isDialerError } from '../driver-error.ts';
import { boundDestinations, type DestinationBounds } from './bound-destinations.ts';
import type { Dialer, DialerRequest, DialerResponse } from './dialer.ts';

const url = 'https://api.test/orders';
const response: DialerResponse = { status: 200, headers: {}, body: new Uint8Array(), url, retryAfterMs: undefined };

/** A dialer whose calls end when told, behind bounds. */
function bounded(bounds: DestinationBounds = {}) {
  const clock = createVirtualClock();
  const open: { readonly request: DialerRequest; answer(): void; fail(error: Error): void }[] = [];
  const inner: Dialer = {
    request(request) {
      const { promise, resolve, reject } = Promise.withResolvers<DialerResponse>();
      open.push({ request, answer: () => resolve(response), fail: reject });
      return promise;
    },
    close: () => Promise.resolve(),
  };
  const dialer = boundDestinations(inner, { clock, ...bounds });
  const call = (more: Partial<DialerRequest> = {}): Promise<string> =>
    dialer.request({ method: 'GET', url, timeoutMs: 60_000, ...more }).then(
      ({ status }) => String(status),
      (error: unknown) => (isDialerError(error) ? `${error.code} ${error.retryAfterMs ?? ''}`.trim() : String(error)),
    );
  /** Lets all that is ready happen. */
  const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
  return { clock, open, call, settle };
}

const down = new DriverError('CONNECT_FAILED', 'down');

describe('a destination', () => {
  it('gets so many calls at once, in the order they came, and no more wait than may (P24)', async () => {
    const { open, call, settle } = bounded({ maxConcurrent: 2, maxQueued: 2 });
    const calls = ['a', 'b', 'c', 'd', 'e'].map((path) => call({ url: `https://api.test/${path}` }));
    await settle();
    expect(open.map(({ request }) => request.url)).toEqual(['https://api.test/a', 'https://api.test/b']);
    expect(await calls[4]).toBe('DESTINATION_BUSY');
    open[1]?.answer();
    await settle();
    open[0]?.fail(new DriverError('RESET', 'broken', { wasSent: true }));
    await settle();
    expect(open.slice(2).map(({ request }) => request.url)).toEqual(['https://api.test/c', 'https://api.test/d']);
    for (const { answer } of open) answer();
    expect(await Promise.all(calls)).toEqual(['RESET', '200', '200', '200', 'DESTINATION_BUSY']);
    const next = call();
    await settle();
    open[4]?.answer();
    expect(await next).toBe('200');
  });

  it('lets a call in beyond its own bound that says how many may be under way at once, and no other', async () => {
    const { open, call, settle } = bounded({ maxConcurrent: 1 });
    const many = { queueing: { timeoutMs: 1_000, atOnce: 3 } };
    const calls = [call(many), call(), call(many), call(many), call(many)];
    await settle();
    expect(open).toHaveLength(3); // the second waits, and so does the last
    for (let answered = 0; answered < 5; answered += 1) {
      open[answered]?.answer();
      await settle();
    }
    expect(await Promise.all(calls)).toEqual(['200', '200', '200', '200', '200']);
  });

  it('gives a call no more time than it had when the clock is set back while it waits (P12, P13)', async () => {
    const real = createVirtualClock();
    let aheadMs = 3_600_000;
    const clock = { ...real, now: () => real.now() + aheadMs };
    const { open, call, settle } = bounded({ maxConcurrent: 1, clock });
    const calls = [call(), call({ timeoutMs: 5_000 })];
    await settle();
    aheadMs = 0;
    open[0]?.answer();
    await settle();
    expect(open[1]?.request.timeoutMs).toBe(5_000);
    open[1]?.answer();
    expect(await Promise.all(calls)).toEqual(['200', '200']);
  });

  it('costs its own users only: another origin and another company have bounds of their own (P24)', async () => {
    const { open, call, settle } = bounded({ maxConcurrent: 1, maxQueued: 0 });
    const calls = [
      call({ scope: '1' }),
      call({ scope: '2' }),
      call({ scope: '1', url: 'https://other.test/' }),
      call({ scope: '1', url: 'http://api.test/' }),
    ];
    expect(await call({ scope: '1', url: 'https://API.test:443/other' })).toBe('DESTINATION_BUSY');
    await settle();
    for (const { answer } of open) answer();
    expect(await Promise.all(calls)).toEqual(['200', '200', '200', '200']);
  });

  it('takes the wait for a place from the time of the call (P13)', async () => {
    const { clock, open, call, settle } = bounded({ maxConcurrent: 1 });
    const calls = [call(), call({ timeoutMs: 5_000 }), call({ timeoutMs: 2_000 })];
    clock.advanceBy(2_000);
    expect(await calls[2]).toBe('TIMEOUT');
    open[0]?.answer();
    await settle();
    expect(open[1]?.request.timeoutMs).toBe(3_000);
    open[1]?.answer();
    expect(await Promise.all(calls)).toEqual(['200', '200', 'TIMEOUT']);
    expect(clock.nextMs()).toBeUndefined();
  });

  it('leaves a call its whole time where the wait for its turn has limits of its own (P13, P22)', async () => {
    const { clock, open, call, settle } = bounded({ maxConcurrent: 1 });
    const stopping = new AbortController();
    const queueing = { timeoutMs: 30_000, signal: stopping.signal };
    const calls = [call(), ...[1, 2, 3].map(() => call({ timeoutMs: 5_000, queueing }))];
    await settle();
    clock.advanceBy(29_999);
    open[0]?.answer();
    await settle();
    expect(open[1]?.request.timeoutMs).toBe(5_000);
    clock.advanceBy(1);
    expect(await Promise.all(calls.slice(2))).toEqual(['DESTINATION_BUSY', 'DESTINATION_BUSY']);

    const last = call({ timeoutMs: 5_000, queueing });
    stopping.abort();
    expect(await last).toBe('DESTINATION_BUSY');
    open[1]?.answer(); // whoever has the turn keeps it
    expect(await calls[1]).toBe('200');
    expect(open.length).toBe(2);
    expect(clock.nextMs()).toBeUndefined();
  });

  it('lets calls that yield wait for every other, whoever came first', async () => {
    const { open, call, settle } = bounded({ maxConcurrent: 1, maxQueued: 4 });
    const urgent = { timeoutMs: 30_000 };
    const yielding = { timeoutMs: 30_000, yields: true };
    const order: string[] = [];
    const named = (name: string, queueing: typeof urgent) => call({ queueing }).then((status) => void order.push(`${name} ${status}`));
    const calls = [named('first', yielding), named('campaign 1', yielding), named('campaign 2', yielding)];
    await settle();
    calls.push(named('conversation 1', urgent), named('conversation 2', urgent));
    await settle();
    expect(await call({ queueing: urgent })).toBe('DESTINATION_BUSY'); // both lines together are bounded
    for (let turn = 0; turn < calls.length; turn += 1) {
      open[turn]?.answer();
      await settle();
    }
    await Promise.all(calls);
    expect(order).toEqual(['first', 'conversation 1', 'conversation 2', 'campaign 1', 'campaign 2'].map((name) => `${name} 200`));
  });

  it('is not waited for by a caller who gave up', async () => {
    const { open, call, settle } = bounded({ maxConcurrent: 1 });
    const controller = new AbortController();
    const calls = [call(), call({ signal: controller.signal })];
    controller.abort();
    expect(await calls[1]).toBe('TIMEOUT');
    expect(await call({ signal: controller.signal })).toBe('TIMEOUT');
    open[0]?.answer();
    expect(await calls[0]).toBe('200');
    await settle();
    expect(open.length).toBe(1);
  });
});

describe('the breaker of a destination', () => {
  /** Makes calls one after the other that end with this error. */
  const failing = async ({ open, call, settle }: ReturnType<typeof bounded>, times: number, error: Error = down): Promise<string[]> => {
    const outcomes: string[] = [];
    for (let time = 0; time < times; time += 1) {
      const outcome = call();
      await settle();
      open.at(-1)?.fail(error);
      outcomes.push(await outcome);
    }
    return outcomes;
  };

  it('opens after connections failed one after the other, and says for how long (P24)', async () => {
    const world = bounded({ failuresToOpen: 3, openMs: 10_000 });
    expect(await failing(world, 4)).toEqual(['CONNECT_FAILED', 'CONNECT_FAILED', 'CONNECT_FAILED', 'CIRCUIT_OPEN 10000']);
    world.clock.advanceBy(9_999);
    expect(await world.call()).toBe('CIRCUIT_OPEN 1');
    expect(world.open.length).toBe(3);
  });

  it('is open no longer than that when the clock is set back (P12)', async () => {
    const real = createVirtualClock();
    let aheadMs = 3_600_000;
    const clock = { ...real, now: () => real.now() + aheadMs };
    const world = bounded({ failuresToOpen: 3, openMs: 10_000, clock });
    expect(await failing(world, 4)).toEqual(['CONNECT_FAILED', 'CONNECT_FAILED', 'CONNECT_FAILED', 'CIRCUIT_OPEN 10000']);
    aheadMs = 0;
    real.advanceBy(10_000);
    expect(await failing(world, 1)).toEqual(['CONNECT_FAILED']);
    expect(await world.call()).toBe('CIRCUIT_OPEN 10000');
  });

  it('lets one call try, and closes when that reaches it (P24)', async () => {
    const world = bounded({ failuresToOpen: 3, openMs: 10_000 });
    await failing(world, 3);
    world.clock.advanceBy(10_000);
    const probe = world.call();
    await world.settle();
    expect(await world.call()).toBe('CIRCUIT_OPEN 0');
    world.open.at(-1)?.answer();
    expect(await probe).toBe('200');
    expect(await failing(world, 2)).toEqual(['CONNECT_FAILED', 'CONNECT_FAILED']);
  });

  it('stays open when that one fails (P24)', async () => {
    const world = bounded({ failuresToOpen: 3, openMs: 10_000 });
    await failing(world, 3);
    world.clock.advanceBy(10_000);
    expect(await failing(world, 2)).toEqual(['CONNECT_FAILED', 'CIRCUIT_OPEN 10000']);
  });

  it('lets the next one try when that one told nothing', async () => {
    const world = bounded({ failuresToOpen: 3, openMs: 10_000 });
    await failing(world, 3);
    world.clock.advanceBy(10_000);
    const refused = new DriverError('EGRESS_REFUSED', 'refused');
    expect(await failing(world, 2, refused)).toEqual(['EGRESS_REFUSED', 'EGRESS_REFUSED']);
    expect(await failing(world, 1, new TypeError('a bug'))).toEqual(['TypeError: a bug']);
  });

  it.each([
    ['an answer between them', undefined],
    ['a connection that broke', new DriverError('RESET', 'broken', { wasSent: true })],
    ['a call that timed out after it was sent', new DriverError('TIMEOUT', 'late', { wasSent: true })],
  ])('counts anew after %s', async (_, between) => {
    const world = bounded({ failuresToOpen: 2 });
    await failing(world, 1);
    const call = world.call();
    await world.settle();
    if (between === undefined) world.open.at(-1)?.answer();
    else world.open.at(-1)?.fail(between);
    await call;
    expect(await failing(world, 1)).toEqual(['CONNECT_FAILED']);
    expect(await failing(world, 1)).toEqual(['CONNECT_FAILED']);
    expect(await world.call()).toMatch('CIRCUIT_OPEN');
  });

  it('forgets destinations that nobody calls, before they are too many', async () => {
    const world = bounded({ failuresToOpen: 1 });
    await failing(world, 1);
    expect(await world.call()).toMatch('CIRCUIT_OPEN');
    const others = Array.from({ length: 1_000 }, (_, index) => world.call({ url: `https://other-${index}.test/` }));
    await world.settle();
    for (const { answer } of world.open) answer();
    await Promise.all(others);
    const again = world.call();
    await world.settle();
    world.open.at(-1)?.answer();
    expect(await again).toBe('200');
  });
});
