// The socket by which commands of this machine reach a service.
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rename, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import type { Fetch } from '../http/listen.ts';
import { httpLimits } from '../http/limits.ts';
import { answerUnreadable, endUnread, refuseProxying } from '../http/unread-request.ts';
import { longestPathBytes, prepareSocketFolder, removeEntry, type SocketEntry } from './socket-folder.ts';

/** A service that commands of this machine can reach. */
export interface ListeningOnSocket {
  /** Stops accepting connections, waits for requests in progress up to this limit, then cuts them. */
  close(limitMs: number): Promise<void>;
}

/**
 * Listens for commands of this machine, and of this machine's owner alone: the socket is readable and writable by its owner
 * (0600), in a folder that no other user may enter (0700). It becomes visible only once both hold and it is listening.
 *
 * @throws {Error} where no socket can be made, neither in the data directory nor in the folder for temporary files
 */
export async function listenOnSocket(
  fetch: Fetch,
  data: string,
  { headMs = httpLimits.headMs }: { readonly headMs?: number } = {},
): Promise<ListeningOnSocket> {
  const folder = await prepareSocketFolder(data);
  const answer = getRequestListener(fetch, { hostname: 'localhost', errorHandler: answerUnreadable });
  const server = createServer(
    { headersTimeout: headMs, connectionsCheckingInterval: Math.min(1_000, headMs), requireHostHeader: false },
    (incoming, outgoing) => void answer(incoming, outgoing),
  );
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => endUnread(error, socket));
  server.on('connect', (_incoming, socket) => refuseProxying(socket));
  const id = randomBytes(6).toString('hex');
  const entry = (await bindInFolder(server, folder, id)) ?? (await bindElsewhere(server, folder, id));
  return {
    async close(limitMs) {
      const cut = setTimeout(() => server.closeAllConnections(), limitMs);
      const closed = new Promise((resolve) => server.close(resolve));
      await removeEntry(entry); // a command that starts from now on finds no service, and waits for the store
      await closed;
      clearTimeout(cut);
    },
  };
}

/** @returns `undefined` where the folder can hold no socket */
async function bindInFolder(server: Server, folder: string, id: string): Promise<SocketEntry | undefined> {
  const draft = join(folder, `${id}.new`);
  const address = join(folder, `${id}.sock`);
  if (process.platform === 'win32' || Buffer.byteLength(address) > longestPathBytes) return undefined;
  try {
    await bind(server, draft);
  } catch {
    return undefined; // a file system without sockets
  }
  await chmod(draft, 0o600);
  await rename(draft, address);
  return { file: address, address };
}

/** A named pipe on Windows; elsewhere a socket in a temporary folder. */
async function bindElsewhere(server: Server, folder: string, id: string): Promise<SocketEntry> {
  const address =
    process.platform === 'win32'
      ? String.raw`\\.\pipe\hilo-${randomBytes(16).toString('hex')}`
      : join(await mkdtemp(join(tmpdir(), 'hilo-')), 's.sock');
  await bind(server, address);
  if (process.platform !== 'win32') await chmod(address, 0o600);
  const file = join(folder, `${id}.at`);
  await writeFile(`${file}.new`, address, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return { file, address };
}

const bind = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path }, () => {
      server.off('error', reject);
      resolve();
    });
  });
