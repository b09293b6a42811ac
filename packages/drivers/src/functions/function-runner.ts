import { read, writeSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { StringDecoder } from 'node:string_decoder';
import { format } from 'node:util';
import { createFetch, type FetchAnswer, type FetchBounds, type FetchByMessage } from './function-fetch.ts';

/**
 * The program of the process that runs one function. Each request is a line of JSON on its input, each result one on its output. The
 * process is started without an environment, and without access to files, sockets, processes and threads; here the function loses what
 * would lead around that: it sees no `process`, and no module but those that only compute. Its `fetch` asks the parent process.
 *
 * Lines are read and written by file descriptor: a stream of `process` is a `net.Socket`, and a function that patches the prototype of
 * emitters would see that class (T10).
 */

const [input, output, log] = [0, 1, 2];
const exit = process.exit.bind(process);
const maxAnswerBytes = 1_200_000; // a body of 1 MB, and what a function puts around it: `answerBytes` of the limits
const fullPipeMs = 2;
const sleepCell = new Int32Array(new SharedArrayBuffer(4));
const { wait } = Atomics; // the function may replace its own
const maxLogChars = 10_000; // the log keeps less, and a line has its bound

const modules: ReadonlySet<string> = new Set(
  [
    'assert',
    'assert/strict',
    'buffer',
    'crypto',
    'events',
    'path',
    'path/posix',
    'querystring',
    'string_decoder',
    'timers',
    'timers/promises',
    'url',
    'util',
    'util/types',
    'zlib',
  ].flatMap((name) => [name, `node:${name}`]),
);

/** Members of `process` that reach or reveal other processes. */
const dangerous = [
  'kill',
  '_kill',
  'ppid',
  '_debugProcess',
  '_debugEnd',
  'binding',
  '_linkedBinding',
  'getBuiltinModule',
  'dlopen',
  'mainModule',
  'execve',
  'abort',
  'chdir',
  'umask',
  'loadEnvFile',
  'report',
  'setuid',
  'seteuid',
  'setgid',
  'setegid',
  'setgroups',
  'initgroups',
  'openStdin',
  'stdin',
  'stdout',
  'stderr',
  '_getActiveHandles',
  '_getActiveRequests',
];

interface Start {
  readonly type: 'start';
  readonly source: string;
  readonly fetches: FetchBounds;
}

interface Call {
  readonly type: 'call';
  readonly id: number;
  readonly body: unknown;
  readonly context: object;
}

type Deployed = (body: unknown, context: object) => unknown;

let deployed: Deployed | undefined;
let byMessage: FetchByMessage | undefined;
removeAccess();
readInput();

/** Reads lines until the end of the input, which is the end of the parent process. */
function readInput(): void {
  const buffer = Buffer.alloc(64 * 1024);
  const decoder = new StringDecoder('utf8');
  let begun: string[] = [];
  const readNext = (): void =>
    read(input, buffer, 0, buffer.length, null, (error, bytes) => {
      if (error !== null || bytes === 0) return exit(0);
      const [rest = '', ...lines] = decoder.write(buffer.subarray(0, bytes)).split('\n');
      begun.push(rest);
      for (const line of lines) {
        take(begun.join(''));
        begun = [line];
      }
      readNext();
    });
  readNext();
}

function take(line: string): void {
  const said = JSON.parse(line) as Start | Call | FetchAnswer;
  switch (said.type) {
    case 'start':
      return void start(said);
    case 'call':
      return void call(said);
    default:
      return byMessage?.settle(said);
  }
}

async function start({ source, fetches }: Start): Promise<void> {
  byMessage = createFetch(answer, fetches);
  Object.defineProperty(globalThis, 'fetch', { value: byMessage.fetch, writable: true, configurable: true });
  try {
    const module = (await import(`data:text/javascript;base64,${Buffer.from(source).toString('base64')}`)) as {
      readonly default?: unknown;
    };
    if (typeof module.default !== 'function') throw new TypeError('The module has no function as its default export');
    deployed = module.default as Deployed;
    answer({ type: 'ready' });
  } catch (error) {
    answer({ type: 'failed', message: describeError(error) });
  }
}

async function call({ id, body, context }: Call): Promise<void> {
  try {
    const value = await deployed?.(body, Object.freeze(context));
    const text = JSON.stringify(value, refuseLost) ?? 'null';
    if (Buffer.byteLength(text) > maxAnswerBytes) answer({ type: 'excess', id });
    else write(output, `{"type":"returned","id":${id},"value":${text}}\n`);
  } catch (error) {
    answer({ type: 'threw', id, message: describeError(error) });
  }
}

/** A replacer that changes nothing, and refuses what JSON would make null or empty in silence. */
function refuseLost(key: string, value: unknown): unknown {
  const place = key === '' ? '' : ` at "${key}"`;
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new TypeError(`The function returned ${value}${place}, which JSON cannot hold`);
  if (value instanceof Map || value instanceof Set)
    throw new TypeError(
      `The function returned a ${value instanceof Map ? 'Map' : 'Set'}${place}, which JSON cannot hold: give an object or a list`,
    );
  return value;
}

function answer(fields: object): void {
  write(output, `${JSON.stringify(fields)}\n`);
}

/** Waits where the parent has not read what was written before: it may have other work for a while. */
function write(descriptor: number, text: string): void {
  let bytes = Buffer.from(text);
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(descriptor, bytes));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
      wait(sleepCell, 0, 0, fullPipeMs); // sleeps, since nothing notifies the cell
    }
  }
}

/** The text of any thrown value, which may be unreadable. */
function describeError(error: unknown): string {
  try {
    return (error instanceof Error ? `${error.name}: ${error.message}` : format('%s', error)).slice(0, 1_000);
  } catch {
    return 'Something was thrown that cannot be shown';
  }
}

function removeAccess(): void {
  const say = (...what: readonly unknown[]): void =>
    write(
      log,
      `${format(...what)
        .slice(0, maxLogChars)
        .replaceAll('\n', ' ')}\n`,
    );
  // The parent ends the process then: this process cannot end before the next line is read.
  process.on('uncaughtException', (error) => {
    say(error);
    answer({ type: 'broke', message: describeError(error) });
  });
  // Loaded lazily, they would need `process` after it was removed.
  const load = createRequire(import.meta.url);
  for (const name of modules) load(name);
  void [Request, Response, Headers, FormData, Blob];
  registerHooks({
    resolve(specifier, context, next) {
      if (modules.has(specifier) || specifier.startsWith('data:')) return next(specifier, context);
      throw new Error(`A function has no module "${specifier}": it is one file, and of Node.js it has what computes`);
    },
  });
  // A change to the prototype of all emitters would reveal each of them, `process` included.
  for (const name of dangerous) Object.defineProperty(process, name, { value: undefined, writable: false, configurable: false });
  const hidden = ['process', 'fetch', 'WebSocket', 'EventSource', 'BroadcastChannel', 'MessageChannel', 'MessagePort', 'Storage'];
  for (const name of hidden) Reflect.deleteProperty(globalThis, name);
  const console = Object.freeze({ log: say, info: say, debug: say, warn: say, error: say, trace: say, dir: say, table: say });
  Object.defineProperty(globalThis, 'console', { value: console, writable: false, configurable: false });
  Object.defineProperty(globalThis, 'process', { value: Object.freeze({ env: Object.freeze({}) }), writable: false, configurable: false });
}
