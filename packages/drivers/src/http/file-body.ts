// Files as the bodies of calls: fetched from their addresses, or brought by their handles, and written as the body or into a form.
import type { AbortSignal, Clock } from '@hilo/engine/contract';
import { type FilePart, type HttpFile, type HttpParts, isFileHandle } from '@hilo/nodes/effects';
import { DriverError, isDialerError } from '../driver-error.ts';
import type { Dialer } from '../dialer/dialer.ts';
import { createQueue, type Queue } from '../dialer/queue.ts';
import { type FileStore, type HandledFile, nameInUrl } from './file-store.ts';
import type { RequestBody } from './response-body.ts';

/** The longest file that goes out from an address. */
const maxFileBytes = 10 * 1024 * 1024;
/** All files of one form. */
const maxFormBytes = 32 * 1024 * 1024;
/** Files of one company in memory at once, and calls that wait for one to be released (P22, P23). */
const filesAtOnce = 2;
const filesQueued = 64;

/** Whose call it is, and how long it may take in all. */
interface FileCall {
  readonly scope: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The body of a call with files in it. */
export type FileBody = { readonly kind: 'file'; readonly file: HttpFile } | { readonly kind: 'multipart'; readonly parts: HttpParts };

/** Brings files, to be the body of a call. */
export interface Files {
  /**
   * Brings the files of a body, by their handles or from public URLs without credentials, and provides it while `send` runs.
   *
   * @param send - gets the rest of the time
   * @throws {DriverError} when there is no such file, with `wasSent` false: the call itself was not begun
   */
  lend<Result>(body: FileBody, call: FileCall, send: (body: RequestBody, leftMs: number) => Promise<Result>): Promise<Result>;
}

/** Brings one file within the time that is left. */
type Bring = (url: string) => Promise<HandledFile>;

/** @param store - has the files of handles; there are none, when undefined */
export function createFiles(dialer: Pick<Dialer, 'request'>, clock: Clock, store: Pick<FileStore, 'read'> | undefined): Files {
  const queues = new Map<string, Queue>();

  const bring = async (url: string, timeoutMs: number, { scope, signal }: FileCall): Promise<HandledFile> => {
    if (isFileHandle(url)) {
      if (store === undefined) throw new DriverError('BAD_URL', 'The file to send has a handle, and files are not kept here');
      return store.read(scope, url, signal).catch(notBegun);
    }
    const found = await dialer.request({ method: 'GET', url, timeoutMs, maxBytes: maxFileBytes, signal, scope }).catch(notBegun);
    if (found.status < 200 || found.status > 299)
      throw new DriverError('BAD_URL', `The address of the file to send was answered with status ${found.status}`);
    const type = found.headers['content-type'] ?? 'application/octet-stream';
    return { content: found.body, type, name: nameInUrl(found.url) };
  };

  return {
    async lend(asked, call, send) {
      const startedAtMs = clock.now();
      // The clock may be set back meanwhile, which must not extend the time (P12).
      const leftMs = (): number => Math.max(1, call.timeoutMs - Math.max(0, clock.now() - startedAtMs));
      const queue = queues.get(call.scope) ?? createQueue({ maxConcurrent: filesAtOnce, maxQueued: filesQueued, clock });
      queues.set(call.scope, queue);
      const { leave } = await queue.enter(call);
      try {
        const bringOne: Bring = (url) => bring(url, leftMs(), call);
        const body = await (asked.kind === 'file' ? createBody(asked.file, bringOne) : createForm(asked.parts, bringOne));
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
async function createBody({ field, fields = {}, ...file }: HttpFile, bring: Bring): Promise<RequestBody> {
  if (field !== undefined) return createForm(new Map<string, Field>([...Object.entries(fields), [field, file]]), bring);
  const found = await bring(file.url);
  return { content: found.content, contentType: file.type ?? found.type };
}

type Field = string | number | boolean | FilePart;

/** A form of fields and files. */
async function createForm(parts: HttpParts | ReadonlyMap<string, Field>, bring: Bring): Promise<RequestBody> {
  const form = new FormData();
  const given: Iterable<readonly [string, Field | readonly Field[]]> = parts instanceof Map ? parts : Object.entries(parts);
  let bytes = 0;
  for (const [name, values] of given)
    for (const value of [values].flat()) {
      const file = typeof value === 'object' ? value : typeof value === 'string' && isFileHandle(value) ? { url: value } : value;
      if (typeof file !== 'object') {
        form.append(name, String(file));
        continue;
      }
      const found = await bring(file.url);
      bytes += found.content.byteLength;
      if (bytes > maxFormBytes) throw new DriverError('TOO_LARGE', `The files of the form are larger than ${maxFormBytes} bytes together`);
      form.append(name, new Blob([Buffer.from(found.content)], { type: file.type ?? found.type }), file.name ?? found.name ?? 'file');
    }
  const encoded = new Response(form);
  const content = new Uint8Array(await encoded.arrayBuffer());
  return { content, contentType: encoded.headers.get('content-type') ?? '', hasBoundary: true };
}
