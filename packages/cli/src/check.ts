import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { IncompatibleVersion } from '@hilo/engine';
import { openService } from '@hilo/server';
import { hostOf, loadConfig } from '@hilo/server/project';
import type { Command } from 'commander';
import { formatCount, type Paint, painter, printable, printJson } from './paint.ts';
import { readSettings } from './serve/settings.ts';
import { quietLog } from './service/directory-admin.ts';
import type { AdminFlags } from './service/with-admin.ts';

/** The flags of `hilo check`. */
export interface CheckDataFlags extends Omit<AdminFlags, 'url'> {
  readonly json?: true;
}

/**
 * Checks whether the nodes of this project can run every version that executions of a store are open in: before a new release is started
 * over it. Reads only; the exit code is 1 where one cannot be run.
 *
 * @throws {StoreError} `STORE_LOCKED` while a service runs over the data directory
 */
export async function check(command: Command, { json, data, databaseUrl, config }: CheckDataFlags): Promise<void> {
  const parts = await loadConfig(config);
  const read = readSettings({ data, databaseUrl }, process.env, parts.settings);
  if (read.kind === 'refused') return command.error(read.reasons.map((reason) => `error: ${reason}`).join('\n'));
  const { settings } = read;
  if (settings.databaseUrl === undefined && !existsSync(join(settings.data, 'hilo.db')))
    throw new Error(`There is no store in ${printable(settings.data)}: name its directory with --data`);
  // No request reaches this process.
  const adminToken = randomBytes(24).toString('hex');
  const options = { ...settings, ...hostOf(parts), adminToken, workspace: undefined, advertiseUrl: undefined };
  const service = await openService(options, { runs: false, givesWay: true, log: quietLog });
  try {
    const found = await service.engine.incompatibleVersions();
    if (json === true) printJson({ versions: found });
    else process.stdout.write(`${draw(found, painter(process.stdout))}\n`);
    if (found.length > 0) process.exitCode = 1;
  } finally {
    await service.close();
  }
}

function draw(found: readonly IncompatibleVersion[], paint: Paint): string {
  if (found.length === 0) return `${paint('green', '✔')} The nodes here can run every version that executions are open in`;
  return found
    .map(({ companyId, workflowId, version, executions, sinceMs, problems }) => {
      const open = `${formatCount(executions, 'executions')} since ${new Date(sinceMs).toISOString()}`;
      const head = `${paint('red', '✖')} ${printable(workflowId)} version ${version} of company ${printable(companyId)}: ${open}`;
      return [head, ...problems.map(({ message, pointer }) => `    ${printable(pointer)} ${printable(message)}`)].join('\n');
    })
    .join('\n');
}
