import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { createCommands } from './commands/commands.ts';
import { findContradiction, ofOneCompany } from './commands/flags.ts';
import { printableLines, toSafeJson } from './paint.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { readonly version: string };

/**
 * Runs the command line.
 *
 * @param args - the arguments after the name of the program
 * @returns the exit code of wrong usage and of failures; commands set the exit codes of their findings themselves
 */
export async function runProgram(args: readonly string[] = process.argv.slice(2)): Promise<number | undefined> {
  const program = new Command('hilo')
    .description('Hilo, a workflow engine for bots: runs the service, and runs, checks and draws canvases.')
    .version(version, '-V, --version')
    .enablePositionalOptions() // after the name of a command, options are that command's: some have a --version of their own
    .helpCommand('help [command]', 'describe a command with its options')
    .hook('preAction', async (_program, command) => {
      refuseEmpty(command);
      const contradiction = findContradiction(command);
      if (contradiction !== undefined) command.error(`error: ${contradiction}`);
      if (!ofOneCompany.has(command) || command.optsWithGlobals<{ company?: string }>().company !== undefined) return;
      const { takeOnlyCompany } = await import('./service/only-company.ts');
      await takeOnlyCompany(command);
    })
    .addHelpText('after', '\n"hilo <command> --help" describes a command with its options.');
  for (const command of createCommands(version)) program.addCommand(command);
  const isJson = hasFlag(args, '--json');
  let refusing = program; // the command that was used wrongly
  for (const command of [program, ...program.commands.flatMap(withSubcommands)]) {
    command.exitOverride((error) => {
      refusing = command;
      throw error;
    });
    command.configureOutput(isJson ? { writeErr: () => undefined } : { outputError: () => undefined });
  }
  try {
    await program.parseAsync(isHelpWithNothing(program, args) ? args.slice(1) : args, { from: 'user' });
    return undefined;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    if (error instanceof CommanderError) {
      const { describeWrongUse } = await import('./wrong-use.ts');
      const said = describeWrongUse(error, refusing);
      if (isJson) process.stdout.write(`${toSafeJson({ error: said.sentence.replace(/^error: /, '') })}\n`);
      else if (error.code !== 'commander.help') process.stderr.write(`${printableLines(said.sentence)}\n\n${said.usage}\n`);
      return 2;
    }
    if (isJson) process.stdout.write(`${toSafeJson({ error: describeFailure(error) })}\n`);
    else process.stderr.write(`hilo: ${printableLines(describeFailure(error))}\n`);
    return isWrongUse(error) ? 2 : 1;
  }
}

/** Whether help is asked for with a command that there is not: read as that command, it is refused by its name. */
const isHelpWithNothing = ({ commands }: Command, [help, asked]: readonly string[]): boolean =>
  help === 'help' && asked !== undefined && commands.every((command) => command.name() !== asked);

/** Ends a command that was given an empty text, as an unset variable of a shell gives one: no argument and no flag of Hilo has a use for it. */
function refuseEmpty(command: Command): void {
  for (const [index, { variadic }] of command.registeredArguments.entries()) {
    const given = variadic ? command.args.slice(index) : command.args.slice(index, index + 1);
    if (given.includes('')) command.error(`error: the ${command.registeredArguments[index]?.name() ?? 'argument'} is empty`);
  }
  const options = command.opts<Record<string, unknown>>();
  for (const option of command.options)
    if ([options[option.attributeName()]].flat().includes(''))
      command.error(`error: ${option.long ?? option.flags} is empty: give a value, or leave it out`);
}

/** Whether a flag is given; what follows `--` is no flag. */
const hasFlag = (args: readonly string[], flag: string): boolean => args.slice(0, [...args, '--'].indexOf('--')).includes(flag);

const withSubcommands = (command: Command): readonly Command[] => [command, ...command.commands];

/** Whether management refused the request as invalid; an `AdminRefused` says so. */
const isWrongUse = (error: unknown): boolean => error instanceof Error && 'isWrongUse' in error && error.isWrongUse === true;

/** A failure in one line, or with its stack for debugging. */
function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return process.env['HILO_DEBUG'] === '1' ? (error.stack ?? error.message) : (error.message.split('\n', 1)[0] ?? '');
}
