import { channels } from '@hilo/engine/contract';
import { userIdProblem } from '@hilo/nodes';
import { Command, InvalidArgumentError, Option } from 'commander';
import { plans } from './talk/company.ts';
import type { RunOptions } from './talk/run-talk.ts';

export const runCommand = (): Command =>
  new Command('run')
    .summary('talk to a canvas in the terminal')
    .description(
      'Runs a canvas and talks to it: in the terminal, from a pipe, or from a script. It runs in memory, or with --data in a directory. Nothing reaches the world: messages are drawn, code runs in its sandbox, and calls are answered by you.',
    )
    .argument('<canvas>', 'canvas file')
    .option('-w, --with <canvas...>', 'further canvases that it may call; those it names are found in its folder anyway')
    .option('--config <file>', 'nodes, drivers and channels of your own; without it hilo.config.ts of this directory, where there is one')
    .option('-s, --script <file>', 'play a script, or a transcript, without a person; - for standard input')
    .option('--check', 'with --script: fail, and show what differs, when the file is not what happens')
    .addOption(new Option('-c, --channel <name>', 'the channel the user is on').choices(channels).default('whatsapp'))
    .option('-u, --user <id>', 'the user who talks: a phone number, or a business-scoped id')
    .addOption(new Option('-p, --plan <name>', "the company's plan; without it the workspace's, else enterprise").choices(plans))
    .option('--workspace <file>', 'whose first company the canvas runs for; a workspace.json beside it, or one folder up, is found')
    .option('--seed <number>', 'what ids and draws derive from', wholeNumber, 1)
    .option('-d, --data <directory>', 'keep the talk there: it survives being killed, and the same command goes on with it')
    .option('--real-time', 'let the clock run; without it, time stands until /time moves it')
    .option('--coverage', 'tell at the end which ports nothing has left by')
    .option('--json', 'print one JSON object for everything that happens')
    .addHelpText(
      'after',
      '\nExit code: 0 when you leave or the script has been played, 1 for a canvas that cannot run or a transcript that differs, 2 for wrong use.',
    )
    .action(async (file: string, options: RunOptions, command: Command) => {
      const problem = contradiction(options);
      if (problem !== undefined) command.error(`error: ${problem}`);
      const { run } = await import('./talk/run-talk.ts'); // the whole simulation: other commands need none of it
      await run(file, options);
    });

function wholeNumber(text: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw new InvalidArgumentError('Give a whole number.');
  return Number(text);
}

/** What is wrong with the options together. */
function contradiction({ check, script, realTime, data, json, user, channel }: RunOptions): string | undefined {
  if (check === true && script === undefined) return '--check needs a --script to compare with';
  if (check === true && json === true) return '--check compares transcripts, so it cannot go with --json';
  if (realTime === true && script !== undefined) return 'a script says itself when time passes, so --real-time cannot go with --script';
  if (data !== undefined && script !== undefined) return 'a script plays a talk from its beginning, so --data cannot go with --script';
  return user === undefined ? undefined : userIdProblem(user, channel, 'strict');
}
