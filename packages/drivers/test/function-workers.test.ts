import { createVirtualClock } from '@hilo/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '@hilo/engine/node';
import { createFunctionWorkers, type DeployedFunction, type FunctionWorkers } from '../src/index.ts';
import { drawn } from '../../../scripts/vitest/part-of.ts';

type Options = NonNullable<Parameters<typeof createFunctionWorkers>[0]>;

const open: FunctionWorkers[] = [];
/** On a busy machine a process takes long to start. */
const patient = { startMs: 110_000 };
const workers = ({ limits, ...options }: Options = {}): FunctionWorkers => {
  const made = createFunctionWorkers({ ...options, limits: { ...patient, ...limits } });
  open.push(made);
  return made;
};
afterEach(async () => void (await Promise.all(open.splice(0).map(({ close }) => close()))));

const deployed = (source: string, more: Partial<DeployedFunction> = {}): DeployedFunction => ({
  companyId: '1',
  functionId: 'fn',
  source,
  deployment: 0,
  ...more,
});
const body = { a: [1, 'ü', null] };
const counter = 'let n = 0; export default () => (n += 1);';

describe('a deployed function', () => {
  it('gets the body and the context, and what it returns comes back', async () => {
    const source = 'export default async (body, context) => ({ body, context });';
    const call = { body, idempotencyKey: 'k', tool: 'echo' };
    expect(await workers().call(deployed(source), call)).toEqual({
      kind: 'returned',
      value: { body, context: { functionId: 'fn', idempotencyKey: 'k', tool: 'echo' } },
    });
  });

  it.each(
    drawn(
      [
        ['throws', 'export default () => { throw new RangeError("no"); };', 'RangeError: no'],
        ['throws what cannot be read', 'export default () => { throw { get message() { throw 1; }, [Symbol.toPrimitive]: 1 }; };', ''],
        ['returns NaN', 'export default () => ({ n: 0 / 0 });', 'NaN at "n"'],
        ['returns a map', 'export default () => [new Map([[1, 2]])];', 'a Map at "0"'],
        ['returns a circle', 'export default () => { const a = {}; a.a = a; return a; };', 'circular'],
      ],
      2,
    ),
  )('fails alone when it %s', async (_what, source, message) => {
    const { call } = workers();
    expect(await call(deployed(source), { body })).toMatchObject({ kind: 'threw', message: expect.stringContaining(message) as unknown });
    expect(await call(deployed(source), { body })).toMatchObject({ kind: 'threw' });
  });

  it.each(
    drawn(
      [
        ['is too deep', 'export default () => { let a = 1; for (let n = 0; n < 100; n += 1) a = [a]; return a; };'],
        ['is more than 1.2 MB', 'export default () => "x".repeat(1_199_999);'],
        ['has too many items', 'export default () => Array.from({ length: 200_001 }, () => 0);'],
        ['has too many keys', 'export default () => Object.fromEntries(Array.from({ length: 11_001 }, (_, n) => [n, n]));'],
      ],
      2,
    ),
  )('is told what may be returned when that %s', async (_what, source) => {
    const { call } = workers();
    expect(await call(deployed(source), { body })).toEqual({
      kind: 'too-large',
      message: 'The function returned more than 1.2 MB, or a value that is too deep or has too many keys or items: let it return less',
    });
    const limit = 'export default () => "x".repeat(1_199_998);'; // and two quotes
    expect(await call(deployed(limit), { body })).toMatchObject({ kind: 'returned' });
  });

  it.each(
    drawn(
      [
        ['has a mistake', 'export default (', 'SyntaxError'],
        ['throws while it loads', 'throw new Error("not today");', 'not today'],
        ['has no default export', 'export const a = 1;', 'default export'],
        ['asks for a package', 'import "lodash"; export default () => 1;', 'no module "lodash"'],
      ],
      2,
    ),
  )('is not called when it %s, and the reason is remembered for a while', async (_what, source, message) => {
    const { call } = workers();
    const refused = { kind: 'unavailable', message: expect.stringContaining(message) as unknown };
    expect(await call(deployed(source), { body })).toMatchObject(refused);
    expect(await call(deployed(source), { body })).toMatchObject(refused);
    expect(await call(deployed('export default () => 1;'), { body })).toMatchObject({ kind: 'returned' });
  });

  it('is started again after such a while, and not only when a clock that was set back has caught up (P12)', async () => {
    let aheadMs = 3_600_000;
    const reasons: unknown[] = [];
    const log = { info: () => undefined, warn: (fields: object) => void ('reason' in fields && reasons.push(fields.reason)) };
    const { call } = workers({ clock: { ...systemClock, now: () => Date.now() + aheadMs }, log });
    const broken = deployed('export default 1;');
    await call(broken, { body });
    aheadMs = 0;
    await call(broken, { body });
    expect(reasons).toEqual(Array(2).fill(expect.stringContaining('default export')));
  });

  it('keeps its process between calls, and calls share it', async () => {
    const { call } = workers();
    const values = await Promise.all([1, 2, 3].map(() => call(deployed(counter), { body })));
    expect(values).toEqual([1, 2, 3].map((value) => ({ kind: 'returned', value })));
  });

  it('begins anew after it was deployed again, and not before (TOK-03)', async () => {
    const { call, redeploy } = workers();
    await call(deployed(counter), { body });
    await redeploy(deployed(counter, { deployment: 1 }));
    expect(await call(deployed(counter, { deployment: 1 }), { body })).toMatchObject({ value: 1 });
    expect(await call(deployed(counter, { deployment: 1 }), { body })).toMatchObject({ value: 2 });
    expect(await call(deployed(`${counter}//`, { deployment: 1 }), { body })).toMatchObject({ value: 1 });
  });

  it('is another process after a redeploy, also of the same deployment', async () => {
    const { call, redeploy } = workers();
    await redeploy(deployed(counter));
    await call(deployed(counter), { body });
    await redeploy(deployed(counter));
    expect(await call(deployed(counter), { body })).toMatchObject({ value: 1 });
  });

  it('lets calls end that are under way when it is deployed again, but not for ever', async () => {
    const { call, redeploy } = workers({ limits: { drainMs: 3_000 } });
    const source = 'export default (ms) => new Promise((resolve) => setTimeout(resolve, ms, "done"));';
    await call(deployed(source), { body: 0 });
    const soon = call(deployed(source), { body: 100 });
    const late = call(deployed(source), { body: 60_000 });
    await redeploy(deployed(source, { deployment: 1 }));
    expect(await soon).toEqual({ kind: 'returned', value: 'done' });
    expect(await late).toMatchObject({ kind: 'stopped' });
  });
});

describe('a call whose time is over before the function is loaded (P5)', () => {
  const source = (loading: string) => `${loading}; let calls = 0; export default () => (calls += 1);`;

  it('is never made, and says so', async () => {
    const { call } = workers();
    const slow = deployed(source('await new Promise((loaded) => setTimeout(loaded, 1_000))'));
    expect(await call(slow, { body, timeoutMs: 50 })).toMatchObject({ kind: 'unavailable' });
    expect(await call(slow, { body })).toEqual({ kind: 'returned', value: 1 });
  });

  it('is never made when its caller has given up already', async () => {
    const { call } = workers();
    const signal = AbortSignal.abort();
    expect(await call(deployed(source('')), { body, signal })).toMatchObject({ kind: 'unavailable' });
    expect(await call(deployed(source('')), { body })).toEqual({ kind: 'returned', value: 1 });
  });
});

describe('the limits of a function (P13, P20)', () => {
  it.each([
    ['a loop', 'if (body === "bad") for (;;);'],
    ['a promise that never settles', 'if (body === "bad") await new Promise(() => {});'],
  ])('end %s, and the next call finds another process', async (_what, work) => {
    const clock = createVirtualClock();
    const lines: object[] = [];
    const { call } = workers({ clock, log: { info: (fields) => void lines.push(fields), warn: () => {} } });
    const source = `export default async (body) => { if (body === 'bad') console.log('begun'); ${work} return body; };`;
    const bad = call(deployed(source), { body: 'bad', timeoutMs: 200 });
    await vi.waitFor(() => expect(lines).toHaveLength(1), 60_000);
    clock.advanceBy(200);
    expect(await bad).toMatchObject({ kind: 'stopped', reason: 'timeout' });
    expect(await call(deployed(source), { body: 'good' })).toEqual({ kind: 'returned', value: 'good' });
  });

  it.each([
    ['objects', 'const a = []; for (;;) a.push({ a: [a.length] });'],
    ['buffers', 'const a = []; for (;;) { a.push(Buffer.alloc(8_000_000, 1)); await new Promise((go) => setTimeout(go)); }'],
  ])('end what fills the memory with %s', async (_what, work) => {
    const { call } = workers({ limits: { residentMb: 160, lookMs: 20 } });
    const source = `export default async (body) => { if (body === 'bad') { ${work} } return body; };`;
    expect(await call(deployed(source), { body: 'bad' })).toMatchObject({
      kind: 'stopped',
      reason: expect.stringMatching(/crash|memory/) as unknown,
    });
    expect(await call(deployed(source), { body: 'good' })).toEqual({ kind: 'returned', value: 'good' });
  });

  it('end a function that throws after it has answered, and leave others alone', async () => {
    const { call } = workers();
    const bomb = deployed('export default () => new Promise(() => setTimeout(() => { throw new Error("late"); }));', {
      functionId: 'bomb',
    });
    const [hit, other] = await Promise.all([call(bomb, { body }), call(deployed('export default () => 1;'), { body })]);
    expect(hit).toMatchObject({ kind: 'stopped', reason: 'crash' });
    expect(other).toEqual({ kind: 'returned', value: 1 });
  });

  it('refuse what goes over the places there are', async () => {
    const { call } = workers({ limits: { calls: 2, processes: 1 } });
    const slow = deployed('export default () => new Promise(() => {});');
    const both = [1, 2].map(() => call(slow, { body, timeoutMs: 5_000 }));
    expect(await call(slow, { body })).toMatchObject({ kind: 'unavailable' });
    expect(await call(deployed(counter, { functionId: 'other' }), { body })).toMatchObject({ kind: 'unavailable' });
    await open[0]?.close();
    expect(await Promise.all(both)).toMatchObject([{}, {}]);
  });

  it('give the place of a function that rests to one that is called', async () => {
    const { call } = workers({ limits: { processes: 1 } });
    for (const functionId of ['a', 'b', 'a']) expect(await call(deployed(counter, { functionId }), { body })).toMatchObject({ value: 1 });
  });

  it('bound what it writes to the log', async () => {
    const lines: string[] = [];
    const info = (fields: object): void => void lines.push((fields as { readonly line: string }).line);
    const { call } = workers({ log: { info, warn: () => {} }, limits: { logLines: 3, logLineChars: 5 } });
    const source = 'export default () => { for (let n = 0; n < 50; n += 1) console.log("line", n, "\\nmore"); };';
    await call(deployed(source), { body });
    await open[0]?.close();
    expect(lines).toEqual(['line ', 'line ', 'line ']);
  });

  it('lose no answer after more lines than the service reads at once', async () => {
    const source = `export default () => {
      for (let n = 0; n < 20_000; n += 1) console.log("x".repeat(900));
      return "x".repeat(999_000);
    };`;
    expect(await workers().call(deployed(source), { body })).toMatchObject({ kind: 'returned' });
  });

  it('let it write a line without an end, and keep its beginning (P17)', async () => {
    const lines: string[] = [];
    const info = (fields: object): void => void lines.push((fields as { readonly line: string }).line);
    const { call } = workers({ log: { info, warn: () => {} } });
    const source = 'export default () => { console.log("x".repeat(5_000_000)); return "done"; };';
    expect(await call(deployed(source), { body })).toEqual({ kind: 'returned', value: 'done' });
    await open[0]?.close();
    expect(lines).toEqual(['x'.repeat(1_000)]);
  });
});

describe('a function has no way out (P29, P30, T10)', { timeout: 120_000 }, () => {
  const attempts: readonly (readonly [string, string])[] = [
    ['the environment', 'process.env.HILO_TEST_CANARY ?? Object.keys(process.env).join()'],
    ['the process', 'process.pid ?? process.ppid ?? process.kill ?? process.binding'],
    ['the process of a constructor', '(() => {}).constructor("return this")().process.pid'],
    ['the process by an indirect eval', '(0, eval)("typeof process.exit") === "function" || undefined'],
    ['require', 'typeof require === "undefined" ? undefined : require'],
    ['a built-in module', '(await import("node:fs")).readFileSync("/etc/passwd", "utf8")'],
    ['a built-in module without its scheme', '(await import("fs")).readdirSync("/")'],
    ['the module of the process', '(await import("node:process")).default.env'],
    ['another process', '(await import("node:child_process")).execSync("id").toString()'],
    ['a thread', '(await import("node:worker_threads")).threadId'],
    ['a virtual machine', '(await import("node:vm")).runInThisContext("process")'],
    ['the module of modules', '(await import("node:module")).createRequire("/")("fs")'],
    ['the inspector', '(await import("node:inspector")).url()'],
    ['a socket', '(await import("node:net")).connect(1)'],
    ['a file as a module', '(await import("file:///etc/hostname")).default'],
    ['a module of the web', '(await import("https://example.com/a.mjs")).default'],
    ['a nested module', '(await import("data:text/javascript,import fs from %22fs%22; export default fs.readdirSync(%22/%22)")).default'],
    ['fetch', 'await fetch("http://127.0.0.1:1/")'],
    ['a web socket', 'new WebSocket("ws://127.0.0.1:1")'],
    ['web storage', 'localStorage.length'],
    ['the stream behind the console', 'console._stdout ?? console.Console'],
    [
      'the frames of the stack',
      '(() => { Error.prepareStackTrace = (_, frames) => frames.map((f) => f.getThis()?.process?.pid ?? f.getThis()?.pid).find(Boolean); return new Error().stack; })()',
    ],
    ['the memory of another call', 'globalThis.constructor.constructor("return process.mainModule")()?.require'],
    ['a WASI module', '(await import("node:wasi")).WASI'],
    ['a database file', '(await import("node:sqlite")).DatabaseSync'],
    [
      'the process, shown by the prototype of emitters',
      `await new Promise((found) => {
      const { emit } = events.EventEmitter.prototype;
      events.EventEmitter.prototype.emit = function (...args) {
        if (typeof this.cpuUsage === 'function') {
          events.EventEmitter.prototype.emit = emit;
          found([this.kill, this.ppid, this.binding, this.getBuiltinModule, this.dlopen, this._debugProcess, ...Object.keys(this.env)].find(Boolean));
          return true;
        }
        return emit.apply(this, args);
      };
      void Promise.reject(new Error('look'));
    })`,
    ],
    ['an engine of crypto', '(await import("node:crypto")).setEngine("/tmp/engine.so")'],
  ];

  it('by any of these', async () => {
    const { call } = workers();
    process.env['HILO_TEST_CANARY'] = 'canary';
    const source = `import events from 'node:events';\nexport default async (n) => [${attempts.map(([, code]) => `async () => ${code}`).join(',\n')}][n]();`;
    const found: unknown[] = [];
    expect(attempts.length).toBeGreaterThan(24);
    for (const [n, [what]] of attempts.entries()) {
      const result = await call(deployed(source), { body: n });
      const isHeld =
        result.kind === 'threw' || (result.kind === 'returned' && (result.value === null || result.value === '' || result.value === false));
      if (!isHeld) found.push([what, result]);
    }
    delete process.env['HILO_TEST_CANARY'];
    expect(found).toEqual([]);
  });

  it('and whatever it writes in place of answers ends it', async () => {
    const { call } = workers();
    const source = 'import { promisify } from "node:util"; export default () => console.log({ type: "returned", id: 1 });';
    expect(await call(deployed(source), { body })).toEqual({ kind: 'returned', value: null });
  });
});
