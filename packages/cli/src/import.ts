import { type ImportSummary, WorkspaceRefused } from '@hilo/server';
import { Command } from 'commander';
import { drawRefusal } from './draw-refusal.ts';
import { type Paint, painter } from './paint.ts';
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
        else process.stderr.write(`${await drawRefusal(file, error, '--json')}\n`);
        process.exitCode = 1;
      }
    });

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
