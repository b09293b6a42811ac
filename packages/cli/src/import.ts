import { isHiloError } from '@hilo/engine/contract';
import { type ImportSummary } from '@hilo/server';
import type { Command } from 'commander';
import { makeSingular } from './count.ts';
import { drawRefusal } from './draw-problem.ts';
import { type Paint, painter, printable } from './paint.ts';
import { type AdminFlags, withAdmin } from './service/with-admin.ts';

export interface ImportFlags extends AdminFlags {
  readonly json?: true;
}

/** Brings a workspace file in, or nothing of it where it has a problem. */
export async function importWorkspace(command: Command, file: string, { json, ...flags }: ImportFlags): Promise<void> {
  try {
    const summary = await withAdmin(command, flags, 'keep', (admin) => admin.importWorkspace(file));
    process.stdout.write(
      json === true ? `${JSON.stringify(summary, null, 2)}\n` : `${drawSummary(file, summary, painter(process.stdout))}\n`,
    );
  } catch (error) {
    if (!isHiloError(error, 'WORKSPACE_REFUSED')) throw error;
    if (json === true) process.stdout.write(`${JSON.stringify({ problems: error.details.problems }, null, 2)}\n`);
    else process.stderr.write(`${await drawRefusal(file, error, '--json')}\n`);
    process.exitCode = 1;
  }
}

/** The result of an import, in a few lines. */
function drawSummary(file: string, { counts, workflows, left = [] }: ImportSummary, paint: Paint): string {
  const kinds = Object.entries(counts).filter(([, { given }]) => given > 0);
  const changed = kinds.some(([, { written }]) => written > 0);
  const lines = kinds.map(
    ([kind, { given, written }]) =>
      `  ${String(given).padStart(6)} ${given === 1 ? makeSingular(kind) : kind}${written > 0 ? paint('dim', ` (${written} new or different)`) : ''}`,
  );
  const notes = [
    ...left.map((companyId) => `  Company ${companyId} has left from here, and was left out: see hilo move list`),
    ...workflows.flatMap(({ warnings }) => warnings.map(({ message }) => paint('dim', `  ${printable(message)}`))),
  ];
  const head = changed
    ? `${paint('green', '✔')} ${printable(file)} is imported`
    : `${paint('green', '✔')} ${printable(file)} is imported already: nothing changed`;
  return [head, ...lines, ...(notes.length > 0 ? ['', ...notes] : [])].join('\n');
}
