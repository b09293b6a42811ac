import type { IncompatibleVersion } from '@hilo/engine';
import type { Command } from 'commander';
import { formatCount, type Paint, painter, printable, printJson } from './paint.ts';
import { openIdle } from './service/open-idle.ts';
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
export async function check(command: Command, { json, ...flags }: CheckDataFlags): Promise<void> {
  const service = await openIdle(command, flags);
  if (service === undefined) return;
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
