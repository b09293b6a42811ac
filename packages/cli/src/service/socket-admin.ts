// Management of a running service by its socket on this machine.
import { request } from 'node:http';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Settings } from '@hilo/server';
import { isNobody, type MoveAnswer, ServedStore, socketEntries, storeName, type WorkspaceFile } from '@hilo/server/kit';
import { z } from 'zod';
import { printable } from '../paint.ts';
import { withProgress } from '../progress.ts';
import { type Admin, createRequest, type PlainRequest, readAnswer, readSummary } from './admin.ts';

/**
 * Connects to a running service of the data directory through its socket. Sockets of killed services are skipped, and so is a service on
 * another database than the named one.
 *
 * @returns `undefined` when none runs
 */
export async function openSocketAdmin(settings: Settings): Promise<Admin | undefined> {
  for (const { address } of await socketEntries(settings.data)) {
    const store = await findStore(address);
    if (store === undefined) continue;
    if (settings.databaseUrl === undefined || store === storeName(settings)) return createAdmin(address, settings.data);
  }
  return undefined;
}

async function findStore(address: string): Promise<string | undefined> {
  try {
    return ServedStore.parse(await readAnswer(await send(address, '/store', createRequest('GET')))).store;
  } catch (error) {
    if (isNobody(error) || isGone(error)) return undefined;
    throw error;
  }
}

function createAdmin(address: string, data: string): Admin {
  const sendTo = (path: string, init: PlainRequest): Promise<Response> =>
    send(address, path, init).catch((error: unknown) => {
      if (!isNobody(error) && !isGone(error)) throw error;
      throw new Error(
        `The service of ${printable(data)} stopped before it answered. Repeat the command when it runs again: what is done already is not done twice`,
        { cause: error },
      );
    });
  const ask = async (method: string, path: string, body?: object): Promise<unknown> =>
    readAnswer(await withProgress(`Asking the service of ${printable(data)}`, sendTo(path, createRequest(method, body))));
  return {
    ask: (method, path, body) => ask(method, `/admin/v1${path}`, body),
    request: (path, init) => sendTo(`/admin/v1${path}`, init),
    importWorkspace: (file, { overwrite }) =>
      readSummary(file, ask('POST', '/import', { file: resolve(file), overwrite } satisfies WorkspaceFile)),
    say: (message) => ask('POST', '/say', message),
    move: async (command) => Answer.parse(await ask('POST', '/moves', command)),
    close: async () => {},
  };
}

const Answer = z.custom<MoveAnswer>((value) => typeof value === 'object' && value !== null);

/** A request over a socket, which `fetch` does not support. */
async function send(address: string, path: string, { method, headers, body }: PlainRequest): Promise<Response> {
  const { promise, resolve: settle, reject } = Promise.withResolvers<Response>();
  const asking = request({ socketPath: address, method, path, headers: { host: 'localhost', ...headers }, agent: false }, (answer) => {
    const { statusCode: status = 500, headers: answered } = answer;
    const { 'content-type': type, etag } = answered;
    const kept = { ...(type !== undefined && { 'content-type': type }), ...(etag !== undefined && { etag }) };
    text(answer).then((content) => settle(new Response(content || null, { status, headers: kept })), reject);
  });
  asking.on('error', reject);
  if (body === undefined || typeof body === 'string') asking.end(body);
  else pipeline(Readable.fromWeb(body), asking).catch(reject);
  return promise;
}

/** Whether the service ended before its answer was complete. */
const isGone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'].includes(String(error.code));
