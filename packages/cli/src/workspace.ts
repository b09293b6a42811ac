// `hilo import` and `hilo export`.
import { stat } from 'node:fs/promises';
import { isHiloError } from '@hilo/engine/contract';
import { type ImportSummary } from '@hilo/server';
import { readWorkspace } from '@hilo/server/project';
import type { Command } from 'commander';
import { drawRefusal } from './draw-problem.ts';
import { makeSingular, type Paint, painter, printable, printJson } from './paint.ts';
import { type AdminFlags, withAdmin } from './service/with-admin.ts';
import { writeStreamed } from './write-result.ts';

/** The flags of `hilo import` and `hilo export`. */
export interface WorkspaceFlags extends AdminFlags {
  readonly json?: true;
  /** Whether an import replaces workflows that were changed in the service since. */
  readonly overwrite?: boolean;
}

/** Imports a workspace file, or nothing of it when it has a problem: the problems are printed then, and the exit code is 1. */
export async function importWorkspace(command: Command, file: string, { json, overwrite = true, ...flags }: WorkspaceFlags): Promise<void> {
  try {
    const summary = await withAdmin(command, flags, { beforeCreating: () => readOnce(file) }, (admin) =>
      admin.importWorkspace(file, { overwrite }),
    );
    if (json === true) printJson(summary);
    else process.stdout.write(`${drawSummary(file, summary, painter(process.stdout))}\n`);
  } catch (error) {
    if (!isHiloError(error, 'WORKSPACE_REFUSED')) throw error;
    if (json === true) printJson({ problems: error.details.problems });
    else process.stderr.write(`${await drawRefusal(file, error, '--json')}\n`);
    process.exitCode = 1;
  }
}

/**
 * Reads a workspace for its faults alone. A pipe, such as `<(jq … )`, has its content only once: that is for the import.
 *
 * @throws {HiloError} `WORKSPACE_REFUSED` for a file that cannot be read or is no JSON
 */
async function readOnce(file: string): Promise<void> {
  const isPipe = await stat(file).then(
    (found) => found.isFIFO(),
    () => false,
  );
  if (isPipe) return;
  const { users } = await readWorkspace(file);
  users.close();
}

/** The result of an import, in a few lines. */
function drawSummary(file: string, { counts, workflows, warnings = [], left = [] }: ImportSummary, paint: Paint): string {
  const kinds = Object.entries(counts).filter(([, { given }]) => given > 0);
  const changed = kinds.some(([, { written }]) => written > 0);
  const lines = kinds.map(
    ([kind, { given, written }]) =>
      `  ${String(given).padStart(6)} ${given === 1 ? makeSingular(kind) : kind}${written > 0 ? paint('dim', ` (${written} new or different)`) : ''}`,
  );
  const notes = [
    ...left.map((companyId) => `  Company ${companyId} has left from here, and was left out: see hilo move list`),
    ...warnings.map(({ message }) => paint('yellow', `  ${printable(message)}`)),
    ...workflows.flatMap(({ warnings }) => warnings.map(({ message }) => paint('dim', `  ${printable(message)}`))),
  ];
  const head = changed
    ? `${paint('green', '✔')} ${printable(file)} is imported`
    : `${paint('green', '✔')} ${printable(file)} is imported already: nothing changed`;
  return [head, ...lines, ...(notes.length > 0 ? ['', ...notes] : [])].join('\n');
}

/** Writes the whole configuration as a workspace file: to `file`, or to standard output. */
export async function exportWorkspace(command: Command, file: string | undefined, { json, ...flags }: WorkspaceFlags): Promise<void> {
  const workspace = await withAdmin(command, flags, 'look', (admin) => admin.ask('GET', '/workspace'));
  const text = `${JSON.stringify(workspace, null, 2)}\n`;
  if (file === undefined) return void process.stdout.write(text);
  await writeStreamed(file, [text]); // people are in it
  if (json !== true) process.stderr.write(`${painter(process.stderr)('green', '✔')} ${printable(file)}\n`);
}
