import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type HostParts, openService, type Settings } from '@hilo/server';
import { createManagement } from '@hilo/server/kit';
import { printable } from '../printable.ts';
import { withProgress } from '../progress.ts';
import type { Admin, Purpose } from './admin.ts';
import { answered, requestOf } from './admin-answer.ts';
import { quietLog } from './quiet-log.ts';

/**
 * Opens the data in this process. Only `work` lets anything go on in it.
 *
 * @throws {StoreRefused} `STORE_LOCKED` when another process has it in use
 * @throws {Error} when there is none
 */
export async function openLocalAdmin(settings: Settings, purpose: Purpose, host: HostParts): Promise<Admin> {
  if (purpose !== 'keep' && settings.databaseUrl === undefined && !existsSync(join(settings.data, 'hilo.db')))
    throw new Error(`There is no store in ${printable(settings.data)}: name its directory with --data, or a server that runs with --url`);
  // A command opens no door and asks nobody: the token that a service makes at its first start is left to it.
  const adminToken = randomBytes(24).toString('hex');
  const opening = openService({ ...settings, ...host, adminToken, workspace: undefined }, { runs: purpose === 'work', log: quietLog });
  const service = await withProgress('Opening the store', opening);
  const management = createManagement(service);
  return {
    ask: async (method, path, body) => answered(await management.request(path, requestOf(method, body))),
    importWorkspace: (file) =>
      withProgress('Importing', (say) =>
        service.importWorkspace(file, ({ step, users }) => say(`${step} users, ${users.toLocaleString('en')} so far`)),
      ),
    close: () => service.close(),
  };
}
