// Loaded into a service before its own code: kills the process at the place that HILO_TEST_DEATH names.
import { writeSync } from 'node:fs';
import { IncomingMessage, Server, ServerResponse } from 'node:http';
import { StatementSync } from 'node:sqlite';
import { isMainThread } from 'node:worker_threads';
import { type Death, lastWords, type Point } from './points.ts';

const death = JSON.parse(process.env['HILO_TEST_DEATH'] ?? '') as Death;
let left = death.passed;

function die(): void {
  writeSync(2, lastWords(death));
  process.kill(process.pid, 'SIGKILL'); // does not come back
}

/** @returns whether this is the place and the time to die */
function isDue(point: Point, side: Death['side']): boolean {
  if (point !== death.point || side !== death.side) return false;
  left -= 1;
  return left < 0;
}

/** Whether a request brings something to be stored. */
const brings = ({ method, url = '' }: Pick<IncomingMessage, 'method' | 'url'>): boolean =>
  method === 'POST' && url.startsWith('/workflows/');

/** Whether a request may have caused a write: nothing else leads from the writer thread to an execution. */
let isAsked = !isMainThread;

const emit = Server.prototype.emit;
Server.prototype.emit = function (this: Server, name: string, ...args: unknown[]): boolean {
  const [request] = args;
  if (name !== 'request' || !(request instanceof IncomingMessage) || !brings(request)) return emit.call(this, name, ...args);
  if (isDue('request head', 'before')) die();
  isAsked = true;
  const heard = emit.call(this, name, ...args);
  if (isDue('request head', 'after')) die();
  return heard;
};

/** A statement is run for its rows or for their number. */
for (const name of ['all', 'run'] as const) {
  const run = StatementSync.prototype[name] as (this: StatementSync, ...values: unknown[]) => unknown;
  const dying = function (this: StatementSync, ...values: unknown[]): unknown {
    const point = pointOf(this.sourceSQL);
    if (point !== undefined && isDue(point, 'before')) die();
    const done = Reflect.apply(run, this, values);
    if (point !== undefined && isDue(point, 'after')) die();
    return done;
  };
  Object.defineProperty(StatementSync.prototype, name, { value: dying });
}

function pointOf(sql: string): Point | undefined {
  if (isAsked && sql.startsWith('insert into "executions"')) return 'first write';
  return sql.startsWith('update "campaigns" set "status"') ? 'campaign status' : undefined;
}

const { write, end } = ServerResponse.prototype;

/** Writes a part of an answer, or all but a part, and dies. */
function writeHalf(this: ServerResponse, ...args: Parameters<typeof write>): boolean {
  const body: unknown = args[0];
  const isOurs = brings(this.req) && (typeof body === 'string' || body instanceof Uint8Array);
  if (!isOurs || !isDue('half an answer', 'before')) return write.apply(this, args);
  return write.call(this, body.slice(0, body.length / 2), 'utf8', die);
}

ServerResponse.prototype.write = writeHalf as typeof write;
ServerResponse.prototype.end = function (this: ServerResponse, ...args: Parameters<typeof end>) {
  const body: unknown = args[0];
  if (brings(this.req) && isDue('half an answer', 'after')) this.once('finish', die);
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) return end.apply(this, args);
  this.write(body);
  end.call(this, undefined, 'utf8');
  return this;
} as typeof end;
