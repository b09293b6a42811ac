import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { StoreRefused } from '@hilo/stores';
import { createManagement } from '../../management/create-management.ts';
import { openService } from '../../service/open-service.ts';
import type { Settings } from '../../service/settings.ts';
import { printable } from '../printable.ts';
import { withProgress } from '../progress.ts';
import type { Admin, Purpose } from './admin.ts';
import { answered, requestOf } from './admin-answer.ts';
import { quietLog } from './quiet-log.ts';

/**
 * Opens the data in this process. Only `work` lets anything go on in it.
 *
 * @throws {Error} when a server has it in use, or there is none
 */
export async function openLocalAdmin(settings: Settings, purpose: Purpose): Promise<Admin> {
  if (purpose !== 'keep' && settings.databaseUrl === undefined && !existsSync(join(settings.data, 'hilo.db')))
    throw new Error(`There is no store in ${printable(settings.data)}: name its directory with --data, or a server that runs with --url`);
  const opening = openService({ ...settings, workspace: undefined }, { runs: purpose === 'work', log: quietLog });
  const service = await withProgress('Opening the store', opening.catch(toldOfServer));
  const management = createManagement(service);
  return {
    ask: async (method, path, body) => answered(await management.request(path, requestOf(method, body))),
    importWorkspace: (file) => withProgress('Importing', service.importWorkspace(file)),
    close: () => service.close(),
  };
}

/** Whoever has the store can be asked instead. */
function toldOfServer(error: unknown): never {
  if (!(error instanceof StoreRefused) || error.code !== 'STORE_LOCKED') throw error;
  throw new Error(`${error.message}, or ask the server that has it: --url http://127.0.0.1:3000, with HILO_ADMIN_TOKEN where it has one`, {
    cause: error,
  });
}
