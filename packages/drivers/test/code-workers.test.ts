import { readFile } from 'node:fs/promises';
import { createVirtualClock } from '@hilo/testing';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type CodeResult, type CodeRun, type CodeWorkers, createCodeWorkers, type LimitReached } from '../src/index.ts';
import { childrenOf } from './child-processes.ts';
import { meddles, reaches, stops } from './escape-attempts.ts';
import { drawn } from '../../../scripts/vitest/part-of.ts';

type Options = NonNullable<Parameters<typeof createCodeWorkers>[0]>;

const open: CodeWorkers[] = [];
/** On a busy machine a process takes long to start, and a run to get its turn. */
const patient = { startMs: 110_000, waitMs: 110_000 };
const workers = ({ limits, ...options }: Options = {}): CodeWorkers => {
  const made = createCodeWorkers({ ...options, limits: { ...patient, ...limits } });
  open.push(made);
  return made;
};
afterEach(async () => void (await Promise.all(open.splice(0).map(({ close }) => close()))));
/** For what needs no process of its own. */
const shared = createCodeWorkers({ limits: patient });
afterAll(() => shared.close());

/** A busy machine must not fail a run that is meant to end. */
const patientMs = 10_000;
const runOf = (source: string, more: Partial<CodeRun> = {}): CodeRun => ({
  source,
  input: {},
  nowMs: 1e12,
  seed: 7,
  timeoutMs: patientMs,
  memoryMb: 64,
  ...more,
});
/** Runs code as company 1. */
const company = (options: Options = {}) => {
  const { run } = workers(options);
  return (source: string, more: Partial<CodeRun> = {}): Promise<CodeResult> => run('1', runOf(source, more));
};
const returned = (value: unknown) => ({ kind: 'returned', value });
/** Each of these takes all of its time, or of its memory: what each commit runs is every fourth, from one that the seed draws. */
const stopsNow = drawn(stops);
const canary = (): string => JSON.stringify([Object.keys(globalThis), Reflect.ownKeys(Object.prototype).map(String), typeof process.exit]);

describe('code of a canvas', { timeout: 120_000 }, () => {
  it('computes with its input, and what it returns comes back', async () => {
    const run = company();
    const input = { order: { lines: [1, 2, 'ü'] }, none: null };
    expect(await run('return { seen: input, more: input.order.lines.length + 1 };', { input })).toEqual(returned({ seen: input, more: 4 }));
    expect(await run('input.order.lines.push(3);', { input })).toEqual(returned(null));
    expect(await run('return;')).toEqual(returned(null));
  });

  it('sees an instant and random numbers that are given: the same run again is the same (P19)', async () => {
    const run = company();
    const source = 'return [Date.now(), new Date().toISOString(), Date(), Math.random(), Math.random(), new Date(2020, 0, 1).getTime()];';
    const first = await run(source);
    expect(first).toEqual(await workers().run('2', runOf(source)));
    expect(first).not.toEqual(await run(source, { seed: 8 }));
    expect(first).toMatchObject({
      value: [1e12, '2001-09-09T01:46:40.000Z', expect.any(String) as string, 0.011704753153026104, 0.06195825757458806, 1577836800000],
    });
  });

  it.each([
    ['throws', '\n\nthrow new TypeError("no");', 'broken', 'TypeError: no', 3],
    ['calls what throws', 'function f() {\n  null.a;\n}\nf();', 'broken', 'TypeError: cannot read property', 2],
    ['has a mistake', 'const a = 1;\nconst a = 2;', 'broken', 'SyntaxError', 2],
    ['returns a function', 'return () => 1;', 'result', 'a function', undefined],
    ['returns a promise', 'return Promise.resolve(1);', 'result', 'a promise', undefined],
    ['returns NaN in a list', 'return [1, NaN];', 'result', 'NaN at "1"', undefined],
    ['returns an infinite number', 'return { n: -1 / 0 };', 'result', '-Infinity at "n"', undefined],
    ['returns an undefined member', 'return { a: undefined };', 'result', 'undefined at "a"', undefined],
    ['returns a list with a hole', 'return [1, , 2];', 'result', 'undefined at "1"', undefined],
    ['returns a method', 'return { a() {} };', 'result', 'a function at "a"', undefined],
    ['returns a symbol in an object', 'return { a: Symbol() };', 'result', 'a symbol at "a"', undefined],
    ['returns a date', 'return { at: new Date() };', 'result', 'toISOString()', undefined],
    ['returns a map', 'return new Map([[1, 2]]);', 'result', 'Object.fromEntries()', undefined],
    ['returns a set', 'return { s: new Set([1]) };', 'result', 'Set at "s"', undefined],
    ['returns bytes', 'return [new Uint8Array(2)];', 'result', 'Uint8Array', undefined],
    ['returns an instance', 'class Order { n = 1; } return new Order();', 'result', 'Order', undefined],
    ['returns what writes itself', 'return { toJSON: () => 1 };', 'result', 'toJSON()', undefined],
    ['returns an error', 'return [new Error("x")];', 'result', 'Error', undefined],
    ['writes a number for a locale', 'return (1234.5).toLocaleString("es");', 'broken', 'formatNumber()', 1],
    ['writes a number for no locale', 'return (1234.5).toLocaleString();', 'broken', 'formatNumber()', 1],
    ['writes a list for a locale', 'return [1234.5].toLocaleString("es");', 'broken', 'formatNumber()', 1],
    ['writes a date for a zone', 'return new Date().toLocaleDateString("es-PE", { timeZone: "America/Lima" });', 'broken', 'format()', 1],
    ['writes a time for a locale', 'return new Date().toLocaleTimeString("es");', 'broken', 'format()', 1],
    ['compares by a locale', 'return "a".localeCompare("b", "es");', 'broken', 'no locales', 1],
    ['changes case by a locale', 'return "i".toLocaleUpperCase("tr");', 'broken', 'no locales', 1],
    ['returns a circle', 'const a = {}; a.a = a; return a;', 'result', 'circular', undefined],
    ['returns a bigint', 'return 1n;', 'result', 'BigInt', undefined],
    ['returns too much', 'return "x".repeat(70_000);', 'result', 'bytes', undefined],
    ['returns too much as UTF-8', 'return "ü".repeat(40_000);', 'result', 'bytes', undefined],
    ['returns what is too deep', 'let a = 1; for (let n = 0; n < 100; n += 1) a = [a]; return a;', 'result', 'too deep', undefined],
    ['takes all of the stack', 'const f = () => f() + 1; return f();', 'broken', 'Maximum call stack', 1],
    ['takes all of the memory', 'const a = []; for (;;) a.push(new Uint8Array(1e6).fill(1));', 'memory', '64 MB', undefined],
    ['fills the memory with small things', 'const a = []; for (;;) a.push({ a });', 'memory', '64 MB', undefined],
  ] as const)('says what is wrong when it %s', async (_what, source, reason, message, line) => {
    const result = await shared.run('1', runOf(source));
    expect(result).toMatchObject({ kind: 'failed', reason, message: expect.stringContaining(message) as string });
    expect(result.kind === 'failed' && reason !== 'result' && result.line).toBe(reason === 'result' ? false : line);
  });

  it('ends in its time, and the next run is another one (P13, P20)', async () => {
    const run = company();
    expect(await run('for (;;);', { timeoutMs: 200 })).toMatchObject({ kind: 'failed', reason: 'timeout' });
    expect(await run('return 1;')).toEqual(returned(1));
  });

  it('goes on while a busy machine gives it no processor, and not for ever (P13)', async () => {
    const clock = createVirtualClock();
    const { run } = workers({ clock });
    const others = childrenOf(process.pid, 'code-runner');
    expect(await run('1', runOf('return 1;'))).toEqual(returned(1));
    const [pid = 0] = childrenOf(process.pid, 'code-runner').filter((child) => !others.includes(child));
    const starved = async (source: string, mayGoOn: (passedMs: number) => boolean): Promise<CodeResult> => {
      process.kill(pid, 'SIGSTOP');
      const answer = run('1', runOf(source, { timeoutMs: 1_000 }));
      answered = false;
      void answer.finally(() => (answered = true));
      for (let passedMs = 0; !answered && !mayGoOn(passedMs); passedMs += 500) {
        await readFile(`/proc/${pid}/stat`); // as what the process has used is read, before time goes on
        clock.advanceBy(500);
      }
      process.kill(pid, 'SIGCONT');
      return answer;
    };
    let answered = false;
    expect(await starved('return 2;', (passedMs) => passedMs === 15_000)).toEqual(returned(2));
    expect(await starved('return 3;', () => false)).toMatchObject({ kind: 'failed', reason: 'timeout' });
  });

  it('keeps its process between runs, and only its own company is in there (T10)', async () => {
    const { run } = workers();
    const source = 'globalThis.runs = (globalThis.runs ?? 0) + 1; return globalThis.runs;';
    for (const companyId of ['1', '2', '1']) expect(await run(companyId, runOf(source))).toEqual(returned(1));
  });

  it('takes its turn: one company that asks much does not keep another waiting for all of it (P23)', async () => {
    const { run } = workers({ limits: { atOnce: 1, turnMs: 60_000 } });
    const ended: string[] = [];
    const asked = ['1', '1', '1', '2'].map((companyId) => run(companyId, runOf('return 1;')).then(() => ended.push(companyId)));
    await Promise.all(asked);
    expect(ended).toEqual(['1', '2', '1', '1']);
  });

  it('goes on in turns where others wait, so that what loops in one company keeps no other from its own (P20, P23)', async () => {
    const reached: LimitReached[] = [];
    const { run, close } = workers({ limits: { atOnce: 1, turnMs: 200 }, onLimit: (limit) => void reached.push(limit) });
    let loopsEnded = 0;
    // A turn may last for seconds where a busy machine is late to end it: together the loops are longer than three of these.
    const endless = Array.from({ length: 2 }, () =>
      run('alpha', runOf('for (;;);', { timeoutMs: 60_000 })).finally(() => (loopsEnded += 1)),
    );
    for (let n = 0; n < 3; n += 1) expect(await run('beta', runOf('return 1 + 1;'))).toEqual(returned(2));
    expect(loopsEnded).toBeLessThan(2);
    expect(reached).toContainEqual(expect.objectContaining({ limit: 'code-turn', holder: 'alpha' }));
    await close();
    await Promise.all(endless);
  });

  it('has its time where it runs in turns, whoever stands still meanwhile: nothing is cut short, and nothing goes on for ever', async () => {
    const { run } = workers({ limits: { atOnce: 1, turnMs: 200 } });
    const loops = Array.from({ length: 2 }, () => run('alpha', runOf('for (;;);', { timeoutMs: 500 })));
    const summing = 'let sum = 0; for (let n = 0; n < 3_000_000; n += 1) sum += n % 7; return sum;';
    expect(await run('beta', runOf(summing))).toMatchObject({ kind: 'returned' });
    expect(await Promise.all(loops)).toMatchObject(loops.map(() => ({ kind: 'failed', reason: 'timeout' })));
  });

  it('is refused where too much waits, where it waits too long, and where nobody wants it any more (P22)', async () => {
    const controller = new AbortController();
    const { run } = workers({ limits: { atOnce: 1, waiting: 1 } });
    const [first, second, third] = [1, 2, 3].map(() => run('1', runOf('return 1;'), controller.signal));
    const busy = { kind: 'failed', reason: 'unavailable', retryAfterMs: 1_000 };
    expect(await third).toMatchObject(busy);
    controller.abort();
    expect(await second).toMatchObject(busy);
    expect(await first).toMatchObject({ kind: 'failed', reason: 'unavailable' });
    expect(await run('1', runOf('return 1;'))).toEqual(returned(1));
    expect(await run('1', runOf('return 1;'), controller.signal)).toMatchObject(busy);
    const hasty = workers({ limits: { atOnce: 1, waitMs: 1 } });
    const [, late] = [1, 2].map(() => hasty.run('1', runOf('return 1;')));
    expect(await late).toMatchObject(busy);
  });

  it('gives the process of a company that rests to another', async () => {
    const { run } = workers({ limits: { processes: 1, restMs: 600_000 } });
    for (const companyId of ['1', '2', '1']) expect(await run(companyId, runOf('return 1;'))).toEqual(returned(1));
  });

  it('starts anew after it rested, and is over when all is closed', async () => {
    const made = workers({ limits: { restMs: 1 } });
    expect(await made.run('1', runOf('return 1;'))).toEqual(returned(1));
    expect(await made.run('1', runOf('return 1;'))).toEqual(returned(1));
    const last = made.run('1', runOf('for (;;);'));
    await made.close();
    expect(await last).toMatchObject({ kind: 'failed', reason: 'unavailable' });
    expect(await made.run('1', runOf('return 1;'))).toMatchObject({ reason: 'unavailable' });
  });
});

describe('code has no way out (T10)', { timeout: 120_000 }, () => {
  it('is tried in more than 60 ways', () => expect(reaches.length + meddles.length + stops.length).toBeGreaterThanOrEqual(100));

  it('finds nothing to reach', async () => {
    const run = company();
    const before = canary();
    const found: unknown[] = [];
    for (const [what, source] of reaches) {
      const result = await run(source, { input: { list: [1], text: 'a' } });
      if (result.kind !== 'returned' || result.value !== null) found.push([what, result]);
    }
    expect(found).toEqual([]);
    expect(canary()).toBe(before);
  });

  it('leaves nothing behind for the next run, and changes nothing of the host', async () => {
    const run = company();
    const before = canary();
    const probe =
      'return [globalThis.left, {}.left, [].left, {}.toJSON, JSON.stringify({}), Object.isFrozen(globalThis)].map((one) => one === undefined ? null : one);';
    const clean = returned([null, null, null, null, '{}', false]);
    const marked: unknown[] = [];
    for (const [what, source] of meddles) {
      const result = await run(source);
      const said = JSON.stringify(result);
      if (said.length > 2_000 || said.includes('forged') || /line":[0-9]{5}/.test(said)) marked.push([what, result]);
      const next = await run(probe);
      if (JSON.stringify(next) !== JSON.stringify(clean)) marked.push([what, next]);
    }
    expect(marked).toEqual([]);
    expect(canary()).toBe(before);
    expect(({} as { readonly left?: unknown }).left).toBeUndefined();
  });

  it('is ended whatever it takes, and the host goes on meanwhile (P20)', async () => {
    const { run } = workers();
    let turns = 0;
    const turning = setInterval(() => (turns += 1), 1);
    const held: unknown[] = [];
    for (const [what, source] of stopsNow) {
      const before = turns;
      const result = await run('1', runOf(source, { timeoutMs: 300, memoryMb: 32 }));
      if (result.kind !== 'failed' || turns === before) held.push([what, result]);
    }
    clearInterval(turning);
    expect(held).toEqual([]);
    expect(await run('1', runOf('return 1;'))).toEqual(returned(1));
  });
});
