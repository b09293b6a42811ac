// Management of a data directory by a command that opens its store itself.
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type HostParts, type Logger, openService, type Settings } from '@hilo/server';
import { createManagement, nameCommandLine, placeStore, recordAct, recordMove } from '@hilo/server/kit';
import { StoreError } from '@hilo/stores';
import { printable } from '../paint.ts';
import { withProgress } from '../progress.ts';
import { type Admin, createRequest, type Purpose, readAnswer } from './admin.ts';
import { openSocketAdmin } from './socket-admin.ts';

/** The pause before a store in use is tried again: its service may be starting or stopping, or another command may have it. */
const retryMs = 100;

/**
 * Opens the data of a directory: through the service that runs on it, or by opening the store here when none runs.
 *
 * @param host - the project's own nodes, drivers and channels, for opening it here
 * @param timeoutMs - how long to wait for a locked store whose process answers no command
 * @throws {Error} when there is no store, or it stays locked
 */
export async function openDirectoryAdmin(settings: Settings, purpose: Purpose, host: HostParts, timeoutMs = 10_000): Promise<Admin> {
  const deadlineMs = performance.now() + timeoutMs;
  for (;;) {
    const running = await openSocketAdmin(settings);
    if (running !== undefined) return running;
    try {
      return await openLocalAdmin(settings, purpose, host);
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'STORE_LOCKED') throw error;
      if (performance.now() >= deadlineMs)
        throw new Error(
          `${error.message}. What has it answers no commands: it may be starting or stopping, or be a program of yours; with --url it is asked over HTTP`,
          { cause: error },
        );
    }
    await pause(retryMs);
  }
}

/**
 * Opens the store in this process. Executions run only for the purpose `work`.
 *
 * @throws {StoreError} `STORE_LOCKED` when another process has locked it
 * @throws {Error} when there is none
 */
async function openLocalAdmin(settings: Settings, purpose: Purpose, host: HostParts): Promise<Admin> {
  const exists = placeStore(settings).exists();
  if (typeof purpose === 'object') await (exists === true ? undefined : purpose.beforeCreating());
  else if (exists === false)
    throw new Error(`There is no store in ${printable(settings.data)}: name its directory with --data, or a server that runs with --url`);
  // No request reaches this process, so its token is random: the stored one is created by the first `serve`.
  const adminToken = randomBytes(24).toString('hex');
  const opening = openService(
    { ...settings, ...host, adminToken, workspace: undefined, advertiseUrl: undefined },
    { runs: purpose === 'work', givesWay: true, log: quietLog },
  );
  const service = await withProgress('Opening the store', opening);
  const caller = { actor: nameCommandLine(), via: 'store' } as const;
  const management = createManagement(service, caller);
  return {
    ask: async (method, path, body) => readAnswer(await management.request(path, createRequest(method, body))),
    request: async (path, init) => management.request(path, { ...init, duplex: 'half' }),
    importWorkspace: (file, options) =>
      withProgress('Importing', (say) =>
        recordAct(service, { ...caller, action: 'importWorkspace' }, { kind: 'file', id: file }, () =>
          service.importWorkspace(file, ({ step, users }) => say(`${step} users, ${users.toLocaleString('en')} so far`), options),
        ),
      ),
    move: (command) => withProgress('Moving', recordMove(service, caller, command)),
    close: () => service.close(),
  };
}

/** The log of a command whose output is its answer: warnings and errors go to standard error, other lines are dropped. */
export const quietLog: Logger = {
  info: () => {},
  warn: (_fields, message) => void process.stderr.write(`${printable(message)}\n`),
  error: (_fields, message) => void process.stderr.write(`${printable(message)}\n`),
};
