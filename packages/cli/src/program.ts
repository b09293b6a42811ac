import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { executionsCommand } from './executions.ts';
import { exportCommand } from './export.ts';
import { importCommand } from './import.ts';
import { renderCommand } from './render.ts';
import { runCommand } from './run.ts';
import { serveCommand } from './serve.ts';
import { AdminRefused } from './service/admin-answer.ts';
import { tokensCommand } from './tokens.ts';
import { validateCommand } from './validate.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { readonly version: string };

/**
 * Runs the command line.
 *
 * @param args - what stands behind the name of the program
 * @returns the exit code of wrong use and of failures; a command sets that of its findings itself
 */
export async function runProgram(args: readonly string[] = process.argv.slice(2)): Promise<number | undefined> {
  const program = new Command('hilo')
    .description('Hilo, a workflow engine for bots: runs the service, and runs, checks and draws canvases.')
    .version(version, '-V, --version')
    .helpCommand(false);
  for (const command of createCommands()) program.addCommand(command);
  for (const command of [program, ...program.commands.flatMap(withItsOwn)]) command.exitOverride().showHelpAfterError();
  try {
    await program.parseAsync(args, { from: 'user' });
    return undefined;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    process.stderr.write(`hilo: ${told(error)}\n`);
    return error instanceof AdminRefused && error.isWrongUse ? 2 : 1;
  }
}

const createCommands = (): readonly Command[] => [
  serveCommand(version),
  runCommand(),
  validateCommand(),
  renderCommand(),
  importCommand(),
  exportCommand(),
  executionsCommand(),
  tokensCommand(),
];

const withItsOwn = (command: Command): readonly Command[] => [command, ...command.commands];

/** A failure in one line, or with its stack for those who look for a bug. */
function told(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return process.env['HILO_DEBUG'] === '1' ? (error.stack ?? error.message) : (error.message.split('\n', 1)[0] ?? '');
}
