// `hilo upgrade --check`: whether the histories of a store lead to the same with the release that is installed here; and `hilo upgrade`, which
// writes what earlier releases wrote anew, in the format of this one.
import type { StoreReplay } from '@hilo/engine';
import { rewriteRows, type RowsAnew } from '@hilo/stores';
import type { Command } from 'commander';
import { formatCount, type Paint, painter, printable, printJson } from './paint.ts';
import { withProgress } from './progress.ts';
import { openIdle } from './service/open-idle.ts';
import type { AdminFlags } from './service/with-admin.ts';

/** The flags of `hilo upgrade`. */
export interface UpgradeFlags extends Omit<AdminFlags, 'url'> {
  readonly check?: true;
  readonly json?: true;
}

/**
 * With `--check` replays every history of a store with the release and the nodes that are installed here, and changes nothing: the exit code
 * is 1 where one leads elsewhere. Without it, brings tables and rows into the format of this release; stopped, it goes on where it is begun
 * again.
 *
 * @throws {StoreError} `STORE_LOCKED` while a service runs over the data directory
 */
export async function upgrade(command: Command, { check, json, ...flags }: UpgradeFlags): Promise<void> {
  const service = await openIdle(command, flags);
  if (service === undefined) return;
  const paint = painter(process.stdout);
  try {
    if (check === true) {
      const found = await service.engine.replayStore();
      if (found.differs > 0) process.exitCode = 1;
      if (json === true) printJson(found);
      else process.stdout.write(`${drawReplays(found, paint)}\n`);
    } else {
      const { runner } = service.store;
      const anew = await withProgress('Reading executions', (say) => rewriteRows(runner, (read) => say(formatCount(read, 'executions'))));
      if (json === true) printJson(anew);
      else process.stdout.write(`${drawRows(anew, paint)}\n`);
    }
  } finally {
    await service.close();
  }
}

function drawRows({ executions, rewritten, unreadable }: RowsAnew, paint: Paint): string {
  const rest = unreadable === 0 ? '' : `; ${formatCount(unreadable, 'rows')} cannot be read, and stayed as they were`;
  const done = rewritten === 0 ? 'are in the format of this release already' : `were read, ${formatCount(rewritten, 'rows')} written anew`;
  return `${paint('green', '✔')} ${formatCount(executions, 'executions')} ${done}${rest}`;
}

function drawReplays({ read, equal, differs, unreadable, different }: StoreReplay, paint: Paint): string {
  const others = unreadable === 0 ? '' : `; ${unreadable} cannot be compared (masked values, or a canvas or nodes that are not there)`;
  if (differs === 0)
    return `${paint('green', '✔')} ${equal} of ${formatCount(read, 'histories')} lead to the same with this release${others}`;
  const head = `${paint('red', '✖')} ${differs} of ${formatCount(read, 'histories')} lead elsewhere with this release${others}. Keep the earlier one, and report it`;
  const lines = different.map(
    ({ companyId, executionId, workflowId, version, status }) =>
      `    ${printable(executionId)} ${printable(workflowId)} version ${version} of company ${printable(companyId)}, ${status}`,
  );
  return [head, ...lines].join('\n');
}
