// Management of a running service by its socket on this machine.
import { request } from 'node:http';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Settings } from '@hilo/server';
import { isNobody, type MoveAnswer, ServedStore, placeStore, socketEntries, type WorkspaceFile } from '@hilo/server/kit';
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
    if (settings.databaseUrl === undefined || store === placeStore(settings).name) return createAdmin(address, settings.data);
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
  const explain = (error: unknown): unknown =>
    !isNobody(error) && !isGone(error)
      ? error
      : new Error(
          `The service of ${printable(data)} stopped before it answered. Repeat the command when it runs again: what is done already is not done twice`,
          { cause: error },
        );
  const sendTo = (path: string, init: PlainRequest): Promise<Response> => send(address, path, init, explain);
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

/**
 * A request over a socket, which `fetch` does not support. Its answer is read as it comes: the results of a campaign have no bound.
 *
 * @param explain - what is thrown for an error on the way, before the answer and in it
 */
async function send(
  address: string,
  path: string,
  { method, headers, body }: PlainRequest,
  explain: (error: unknown) => unknown = (error) => error,
): Promise<Response> {
  const { promise, resolve: settle, reject } = Promise.withResolvers<Response>();
  const fail = (error: unknown): void => reject(explain(error));
  const asking = request({ socketPath: address, method, path, headers: { host: 'localhost', ...headers }, agent: false }, (answer) => {
    const { statusCode: status = 500, headers: answered } = answer;
    const { 'content-type': type, etag } = answered;
    const kept = { ...(type !== undefined && { 'content-type': type }), ...(etag !== undefined && { etag }) };
    const isEmpty = [204, 205, 304].includes(status);
    if (isEmpty) answer.resume();
    settle(new Response(isEmpty ? null : ReadableStream.from(readPieces(answer, explain)), { status, headers: kept }));
  });
  asking.on('error', fail);
  if (body === undefined || typeof body === 'string') asking.end(body);
  else pipeline(Readable.fromWeb(body), asking).catch(fail);
  return promise;
}

async function* readPieces(answer: AsyncIterable<Uint8Array>, explain: (error: unknown) => unknown): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of answer) yield new Uint8Array(piece);
  } catch (error) {
    throw explain(error);
  }
}

/** Whether the service ended before its answer was complete. */
const isGone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'].includes(String(error.code));
