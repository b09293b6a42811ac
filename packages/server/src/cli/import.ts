import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import type { ImportSummary } from '../workspace/import-workspace.ts';
import { WorkspaceRefused } from '../workspace/problems.ts';
import { drawProblem } from './draw-problem.ts';
import { columnsOf, type Paint, painter } from './paint.ts';
import { placesIn } from './place.ts';
import { printable } from './printable.ts';
import { type AdminFlags, withAdmin, withAdminFlags } from './service/with-admin.ts';

interface ImportFlags extends AdminFlags {
  readonly json?: true;
}

export const importCommand = (): Command =>
  withAdminFlags(
    new Command('import')
      .summary('bring a workspace file in')
      .description(
        'Brings a workspace file in, all of it or nothing: companies with their bots, users, templates, workflows and the rest. Twice is the same as once.',
      )
      .argument('<file>', 'workspace file'),
  )
    .option('--json', 'print what was imported as JSON, or { problems }, and nothing else')
    .addHelpText('after', '\nExit code: 0 when it is imported, 1 when it has a problem and nothing was written, 2 for wrong use.')
    .action(async function (this: Command, file: string, { json, ...flags }: ImportFlags) {
      try {
        const summary = await withAdmin(this, flags, 'keep', (admin) => admin.importWorkspace(file));
        process.stdout.write(
          json === true ? `${JSON.stringify(summary, null, 2)}\n` : `${drawSummary(file, summary, painter(process.stdout))}\n`,
        );
      } catch (error) {
        if (!(error instanceof WorkspaceRefused)) throw error;
        if (json === true) process.stdout.write(`${JSON.stringify({ problems: error.problems }, null, 2)}\n`);
        else process.stderr.write(`${await drawRefusal(file, error)}\n`);
        process.exitCode = 1;
      }
    });

/** More problems than anyone reads at once. */
const mostDrawn = 25;

/** Every problem with its place in the file. */
async function drawRefusal(file: string, { problems }: WorkspaceRefused): Promise<string> {
  const paint = painter(process.stderr);
  const text = await readFile(file, 'utf8').catch(() => undefined);
  const placeOf = text === undefined ? undefined : placesIn(text);
  const drawn = problems.slice(0, mostDrawn).map((problem) => {
    const place = placeOf?.(problem);
    const source = text === undefined || place === undefined ? {} : { source: { text, place } };
    return drawProblem({ file, problem, ...source }, paint, columnsOf(process.stderr));
  });
  const more = problems.length > mostDrawn ? [paint('dim', `… and ${problems.length - mostDrawn} more; --json lists all`)] : [];
  return [...drawn, ...more, paint('red', `✖ ${printable(file)} is not imported`)].join('\n\n');
}

/** What an import came to, in a few lines. */
function drawSummary(file: string, { counts, workflows }: ImportSummary, paint: Paint): string {
  const kinds = Object.entries(counts).filter(([, { given }]) => given > 0);
  const changed = kinds.some(([, { written }]) => written > 0);
  const lines = kinds.map(
    ([kind, { given, written }]) =>
      `  ${String(given).padStart(6)} ${kind}${written > 0 ? paint('dim', ` (${written} new or different)`) : ''}`,
  );
  const notes = workflows.flatMap(({ warnings }) => warnings.map(({ message }) => paint('dim', `  ${printable(message)}`)));
  const head = changed
    ? `${paint('green', '✔')} ${printable(file)} is imported`
    : `${paint('green', '✔')} ${printable(file)} is imported already: nothing changed`;
  return [head, ...lines, ...(notes.length > 0 ? ['', ...notes] : [])].join('\n');
}
