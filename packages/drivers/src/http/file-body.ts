import type { AbortSignal, Clock } from '@hilo/engine/contract';
import type { HttpFile } from '@hilo/nodes/effects';
import { DriverError, isDialerError } from '../driver-error.ts';
import type { Dialer, DialerResponse } from '../dialer/dialer.ts';
import { createQueue, type Queue } from '../dialer/queue.ts';
import type { RequestBody } from './response-body.ts';

/** The longest file that goes out. */
const maxFileBytes = 10 * 1024 * 1024;
/** Files of one company in memory at once, and calls that wait for one to be released (P22, P23). */
const filesAtOnce = 2;
const filesQueued = 64;

/** Whose call it is, and how long it may take in all. */
interface FileCall {
  readonly scope: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Brings files, to be the body of a call. */
export interface Files {
  /**
   * Fetches a file from a public URL, without credentials, and provides it as a body while `send` runs.
   *
   * @param send - gets the rest of the time
   * @throws {DriverError} when there is no such file, with `wasSent` false: the call itself was not begun
   */
  lend<Result>(file: HttpFile, call: FileCall, send: (body: RequestBody, leftMs: number) => Promise<Result>): Promise<Result>;
}

export function createFiles(dialer: Pick<Dialer, 'request'>, clock: Clock): Files {
  const queues = new Map<string, Queue>();

  const bring = async ({ url }: HttpFile, timeoutMs: number, { scope, signal }: FileCall): Promise<DialerResponse> => {
    const found = await dialer.request({ method: 'GET', url, timeoutMs, maxBytes: maxFileBytes, signal, scope }).catch(notBegun);
    if (found.status < 200 || found.status > 299)
      throw new DriverError('BAD_URL', `The address of the file to send was answered with status ${found.status}`);
    return found;
  };

  return {
    async lend(file, call, send) {
      const startedAtMs = clock.now();
      // The clock may be set back meanwhile, which must not extend the time (P12).
      const leftMs = (): number => Math.max(1, call.timeoutMs - Math.max(0, clock.now() - startedAtMs));
      const queue = queues.get(call.scope) ?? createQueue({ maxConcurrent: filesAtOnce, maxQueued: filesQueued, clock });
      queues.set(call.scope, queue);
      const { leave } = await queue.enter(call);
      try {
        const body = await createBody(file, await bring(file, leftMs(), call));
        return await send(body, leftMs());
      } finally {
        leave();
        if (queue.isIdle()) queues.delete(call.scope);
      }
    },
  };
}

/** The error of a file: fetching it again is harmless. */
function notBegun(error: unknown): never {
  if (!isDialerError(error)) throw error;
  const { code, message, retryAfterMs } = error;
  throw new DriverError(code, `The file to send: ${message}`, { ...(retryAfterMs !== undefined && { retryAfterMs }), cause: error });
}

/** A part of a form where the file has a field, else the file itself. */
async function createBody({ field, name, type, fields = {} }: HttpFile, found: DialerResponse): Promise<RequestBody> {
  const contentType = type ?? found.headers['content-type'] ?? 'application/octet-stream';
  if (field === undefined) return { content: found.body, contentType };
  const form = new FormData();
  for (const [other, value] of Object.entries(fields)) form.set(other, String(value));
  form.set(field, new Blob([Buffer.from(found.body)], { type: contentType }), name ?? readName(found.url));
  const encoded = new Response(form);
  const content = new Uint8Array(await encoded.arrayBuffer());
  return { content, contentType: encoded.headers.get('content-type') ?? '', hasBoundary: true };
}

/** The last segment of a URL's path. */
function readName(url: string): string {
  const last = URL.parse(url)?.pathname.split('/').at(-1)?.slice(-200) ?? '';
  try {
    return decodeURIComponent(last) || 'file';
  } catch {
    return last; // cut within a character, or never encoded
  }
}
