import { existsSync } from 'node:fs';
import { createVirtualClock } from '@hilo/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createFunctionWorkers, type DeployedFunction, type FunctionWorkers, type LimitReached } from '../src/index.ts';
import { childrenOf, statusOf } from './child-processes.ts';
import { dialer } from './dialers.ts';

const open: FunctionWorkers[] = [];
afterEach(async () => void (await Promise.all(open.splice(0).map(({ close }) => close()))));

/** Workers whose every line and every reached limit is kept. */
function workers({ limits, ...options }: NonNullable<Parameters<typeof createFunctionWorkers>[0]> = {}) {
  const reached: LimitReached[] = [];
  const lines: object[] = [];
  const note = (fields: object, message: string): void => void lines.push({ ...fields, message });
  const onLimit = (limit: LimitReached): void => void reached.push(limit);
  // On a busy machine a process takes long to start.
  const made = createFunctionWorkers({ log: { info: note, warn: note }, onLimit, ...options, limits: { startMs: 110_000, ...limits } });
  open.push(made);
  return { ...made, reached, lines };
}

const deployed = (work: string, more: Partial<DeployedFunction> = {}): DeployedFunction => ({
  companyId: '1',
  functionId: 'fn',
  source: `import events from 'node:events';\nexport default async (body) => { ${work} };`,
  deployment: 0,
  ...more,
});
const body = null;

/** The one process that runs a function now. */
const onlyProcess = (): number => {
  const [pid = 0, ...others] = childrenOf(process.pid, 'function-runner');
  expect([pid > 0, others]).toEqual([true, []]);
  return pid;
};

describe('a function and the network (P30, T10)', () => {
  it('does not run where Node.js cannot keep it from there', async () => {
    const { call, lines } = workers({ nodeFlags: new Set() });
    const message = expect.stringMatching(/cannot keep them from the network: run the service with version 26\.1 or newer$/) as unknown;
    expect(await call(deployed('return 1;'), { body })).toEqual({ kind: 'unavailable', message, retryAfterMs: 60_000, isLasting: true });
    expect(lines).toEqual([{ node: process.version, message }]);
    expect(childrenOf(process.pid, 'function-runner')).toEqual([]);
  });

  it('is shown no socket by a patched prototype of emitters, whatever comes in and goes out', async () => {
    const { call } = workers();
    const work = `
      const seen = (globalThis.seen ??= new Set());
      const { emit } = events.EventEmitter.prototype;
      events.EventEmitter.prototype.emit = function (...a) {
        for (let kind = this; kind; kind = Object.getPrototypeOf(kind)) seen.add(kind.constructor?.name);
        if (typeof this.connect === 'function' || typeof this.write === 'function') globalThis.S = this.constructor;
        return emit.apply(this, a);
      };
      console.log('a line', 'x'.repeat(100));
      await fetch('http://127.0.0.1:1/').catch(() => {});
      await new Promise((later) => setTimeout(later, 20));
      new events.EventEmitter().emit('looked');
      return [...seen, typeof globalThis.S];`;
    await call(deployed(work), { body: 'x'.repeat(200_000) });
    const result = await call(deployed(work), { body });
    const seen = result.kind === 'returned' ? JSON.stringify(result.value) : result.message;
    expect(seen).toMatch(/"EventEmitter".*"undefined"\]$/);
    expect(seen).not.toMatch(/socket|stream|readable|writable|pipe|tty/i);
  });
});

describe.runIf(existsSync('/proc/self/status'))('a function that has answered (P20, P22)', () => {
  it('uses no processor: it stands still until the next call, in which it goes on', async () => {
    const { call } = workers();
    const source = deployed(`
      setTimeout(() => { globalThis.late = true; }, 1);
      if (body === 'loop') setTimeout(() => { for (;;) {} }, 100);
      if (body === 'wait') await new Promise((later) => setTimeout(later, 20));
      return globalThis.late ?? 'ok';`);
    expect(await call(source, { body })).toEqual({ kind: 'returned', value: 'ok' });
    const pid = onlyProcess();
    await vi.waitFor(() => expect(statusOf(pid)?.state).toBe('T'), 60_000);
    expect(await call(source, { body: 'wait' })).toEqual({ kind: 'returned', value: true });
    expect(await call(source, { body: 'loop' })).toMatchObject({ kind: 'returned' });
    await vi.waitFor(() => expect(statusOf(pid)?.state).toBe('T'), 60_000);
    // What it left behind is its own affair: the call that finds the loop under way ends, and another process serves the next. Which
    // call that is depends on how much of the 100 ms is over.
    const kinds: string[] = [];
    while (kinds.length < 20 && !kinds.some((kind) => kind !== 'returned'))
      kinds.push((await call(source, { body: 'wait', timeoutMs: 1_000 })).kind);
    expect(kinds.at(-1)).toMatch(/stopped|unavailable/);
    expect(await call(source, { body })).toMatchObject({ kind: 'returned' });
  });

  it('holds no memory that grows after its answer', async () => {
    const { call } = workers();
    const grow = `globalThis.k = []; setTimeout(() => { const t = setInterval(() => {
      if (k.length >= 12) return clearInterval(t); k.push(Buffer.alloc(50e6, 1)) }, 150) }, 300); return "ok";`;
    expect(await call(deployed(grow), { body })).toEqual({ kind: 'returned', value: 'ok' });
    await vi.waitFor(() => expect(statusOf(onlyProcess())?.state).toBe('T'), 60_000);
  });

  it('is ended when it keeps more than a process may that rests, with a report', async () => {
    const { call, reached } = workers({ limits: { residentMb: 2_000, restingMb: 128 } });
    const keep = deployed('globalThis.n = (globalThis.n ?? 0) + 1; globalThis.k = Buffer.alloc(150e6, 1); return globalThis.n;');
    expect(await call(keep, { body })).toEqual({ kind: 'returned', value: 1 });
    await vi.waitFor(() => expect(childrenOf(process.pid, 'function-runner')).toEqual([]), 60_000);
    expect(await call(keep, { body })).toEqual({ kind: 'returned', value: 1 });
    expect(reached[0]).toMatchObject({ limit: 'function-memory', holder: '1', functionId: 'fn' });
  });

  it('is ended when it is not loaded in time, and its call is told to come again', async () => {
    const { call, lines } = workers({ limits: { startMs: 100 } });
    const neverLoads = { ...deployed(''), source: 'await new Promise((later) => setTimeout(later, 1e9)); export default () => 1;' };
    expect(await call(neverLoads, { body })).toMatchObject({ kind: 'unavailable', message: 'The function was not loaded within 100 ms' });
    expect(lines).toContainEqual(expect.objectContaining({ functionId: 'fn', reason: 'The function was not loaded within 100 ms' }));
    await vi.waitFor(() => expect(childrenOf(process.pid, 'function-runner')).toEqual([]), 60_000);
  });

  it('is looked at while it loads, before anybody has called it', async () => {
    const { call, redeploy, reached } = workers({ limits: { residentMb: 160, lookMs: 20 } });
    await call(deployed('return 1;'), { body });
    const source = `const k = []; for (;;) { k.push(Buffer.alloc(8e6, 1)); await new Promise((go) => setTimeout(go, 1)); } export default () => 1;`;
    await redeploy({ ...deployed(''), source, deployment: 1 });
    expect(reached).toMatchObject([{ limit: 'function-memory' }]);
  });

  it('comes behind those that need less, once it has used much of a processor (P23)', async () => {
    const { call } = workers({ limits: { lookMs: 20, foregroundMs: 100 } });
    const looping = call(deployed('for (;;) {}'), { body, timeoutMs: 100_000 });
    await vi.waitFor(() => expect(statusOf(onlyProcess())?.nice).toBe(10), 60_000);
    await vi.waitFor(() => expect(statusOf(onlyProcess())?.nice).toBe(19), 60_000);
    await open[0]?.close();
    expect(await looping).toMatchObject({ kind: 'stopped' });
  });
});

describe('places of functions (P23)', () => {
  const sleeping = (companyId: string, n: number): DeployedFunction =>
    deployed('await new Promise(() => {});', { companyId, functionId: `${companyId}-${n}` });

  it('are not all for one company, however many of its functions are called', async () => {
    const { call, reached, close } = workers({ limits: { processes: 8 } });
    const alpha = Array.from({ length: 9 }, (_, n) => call(sleeping('alpha', n), { body, timeoutMs: 50_000 }));
    expect(await Promise.race(alpha)).toMatchObject({ kind: 'unavailable' });
    expect(await call(deployed('return 1 + 1;', { companyId: 'beta', functionId: 'b' }), { body })).toEqual({ kind: 'returned', value: 2 });
    expect(reached).toHaveLength(5); // half of 8 while nobody else wants one
    expect(reached[0]).toMatchObject({ limit: 'function-places', holder: 'alpha' });
    await close();
    const kinds = (await Promise.all(alpha)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'unavailable').length).toBeGreaterThanOrEqual(5);
  });

  it('are given back with the last call, however it ended, and processes that were replaced count until then', async () => {
    const clock = createVirtualClock(); // however long a process takes to start on a busy machine, these calls are in it
    const { call, lines } = workers({ clock, limits: { processes: 2, share: 1, drainMs: 60_000 } });
    const fn = (deployment: number): DeployedFunction =>
      deployed('if (body === "sleep") { console.log("asleep"); await new Promise(() => {}); } return body;', { deployment });
    const first = call(fn(0), { body: 'sleep', timeoutMs: 3_000 });
    const second = call(fn(1), { body: 'sleep', timeoutMs: 3_000 });
    expect(await call(fn(2), { body })).toMatchObject({ kind: 'unavailable' });
    await vi.waitFor(() => expect(lines).toHaveLength(2), 60_000);
    clock.advanceBy(3_000);
    expect(await Promise.all([first, second])).toMatchObject([{ kind: 'stopped' }, { kind: 'stopped' }]);
    for (const deployment of [3, 4, 5]) expect(await call(fn(deployment), { body: 'now' })).toEqual({ kind: 'returned', value: 'now' });
    expect(await call(deployed('throw 1;', { functionId: 'throws' }), { body })).toMatchObject({ kind: 'threw' });
    const both = await Promise.all([call(fn(6), { body: 'x' }), call(deployed('return 2;', { functionId: 'other' }), { body })]);
    expect(both).toMatchObject([{ kind: 'returned' }, { kind: 'returned' }]);
  });
});

it('writes no more lines to the log for calls that are refused than for its own (T17, P22)', async () => {
  const refused: object[] = [];
  const outside = dialer({ log: { warn: (fields) => void refused.push(fields) } });
  const { call, lines } = workers({ dialer: outside, limits: { logLines: 5 } });
  const work = `for (let n = 0; n < 30; n += 1) await fetch('http://127.0.0.1:' + (n + 1) + '/').catch(() => {});
    for (let n = 0; n < 10; n += 1) console.log('printed'); return 1;`;
  expect(await call(deployed(work), { body })).toEqual({ kind: 'returned', value: 1 });
  expect([refused.length, lines.length]).toEqual([5, 0]);
  await call(deployed('console.log("printed"); return 1;', { functionId: 'other' }), { body });
  await vi.waitFor(() => expect(lines).toHaveLength(1), 60_000); // what is printed comes by another pipe than the answer
});
