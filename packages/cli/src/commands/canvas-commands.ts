// The commands that work on files of canvases: run, test, new, cover, validate and render.
import type { Direction } from '@hilo/picture';
import { Command, Option } from 'commander';
import type { CoverOptions } from '../cover.ts';
import type { Like } from '../new.ts';
import type { RenderOptions } from '../render.ts';
import type { Plan } from '../run/company.ts';
import type { RunOptions } from '../run/run.ts';
import type { SchemaOptions } from '../schema.ts';
import type { TestAgentsOptions } from '../test-agents.ts';
import type { TestOptions } from '../test-transcripts.ts';
import type { ValidateOptions } from '../validate.ts';
import { apart, channels, goesWith, listKeys, oneMoreChannel, wholeNumber, withConfig } from './flags.ts';

const plans = listKeys<Plan>({ free: true, builder: true, growth: true, enterprise: true });
const directions = listKeys<Direction>({ right: true, down: true });

/** `hilo run CANVAS`. */
export const runCommand = (): Command =>
  withConfig(
    new Command('run')
      .summary('talk to a canvas in the terminal')
      .description(
        'Runs a canvas and talks to it: in the terminal, from a pipe, or from a script. It runs in memory, and nothing reaches the world: messages are drawn, code runs in its sandbox, and calls are answered by you.',
      )
      .argument('<canvas>', 'canvas file')
      .option('-w, --with <canvas...>', 'further canvases that run beside it; those it names are found in its folder anyway'),
  )
    .option('-s, --script <file>', 'play a script, or a transcript, without a person; - for standard input')
    .option('--check', 'with --script: fail, and show what differs, when the file is not what happens')
    .addOption(new Option('-c, --channel <name>', 'the channel the user is on').choices(channels).default('whatsapp'))
    .option('-u, --user <id>', 'the user who talks: a phone number, or a business-scoped id')
    .addOption(new Option('-p, --plan <name>', "the company's plan; without it the workspace's, else enterprise").choices(plans))
    .option('--workspace <file>', 'whose first company the canvas runs for; a workspace.json beside it, or one folder up, is found')
    .option('--seed <number>', 'what ids and draws derive from', wholeNumber, 1)
    .option('--unchecked', 'run a canvas with errors, as far as it goes: a simulation that publishing would refuse')
    .option('--real-time', 'let the clock run; without it, time stands still until /time moves it')
    .option('--coverage', 'print at the end which ports were never taken')
    .option('--json', 'print one JSON object for everything that happens')
    .addHelpText(
      'after',
      '\nExit code: 0 when you leave or the script has been played, 1 for a canvas that cannot run or a transcript that differs, 2 for wrong use.',
    )
    .action(async function (this: Command, file: string, options: RunOptions) {
      const { run } = await import('../run/run.ts');
      await run(this, file, options);
    });

/** `hilo test [PLACE…]`. */
export function testCommand(): Command {
  const command = withConfig(
    new Command('test')
      .summary('play transcripts again and compare')
      .description(
        'Plays every transcript again and compares it, line by line, with what happens now; lists at the end the ports that no transcript left by. NAME.txt and NAME.ANYTHING.txt are conversations with NAME.json.',
      )
      .argument('[files...]', 'transcripts, or folders that are searched for them; this folder, when left out')
      .option('-w, --with <canvas...>', 'further canvases that run beside each; those it names are found in its folder anyway'),
  )
    .addOption(new Option('-c, --channel <name>', 'the channel the user is on').choices(channels).default('whatsapp'))
    .option('--workspace <file>', 'whose first company the canvases run for; a workspace.json beside one, or one folder up, is found')
    .option('-u, --update', 'write what happens into the transcripts that differ')
    .option('--agents', 'in place of transcripts: try every answer that the models of agents may give, a line for each agent')
    .option('--depth <number>', 'with --agents: how many answers in a row', wholeNumber, 2)
    .option('--json', 'print { transcripts, coverage }, or { agents }, and nothing else')
    .addHelpText('after', '\nExit code: 0 when all are what happens, 1 when one differs, breaks a law or cannot run, 2 for wrong use.')
    .action(async function (
      this: Command,
      files: readonly string[],
      options: TestOptions & TestAgentsOptions & { readonly agents?: true },
    ) {
      if (options.agents === true) {
        const { depth = 2 } = options;
        if (depth < 1 || depth > 4) return this.error('error: --depth is 1 to 4');
        const { testAgents } = await import('../test-agents.ts');
        return testAgents(files, options);
      }
      const { testTranscripts } = await import('../test-transcripts.ts');
      return testTranscripts(files, options);
    });
  apart(command, 'agents', ['with', 'channel', 'workspace', 'update']);
  return goesWith(command, 'depth', 'agents');
}

/** `hilo new ID --like EXAMPLE`. */
export const newCommand = (): Command =>
  new Command('new')
    .summary('begin a workflow with an example')
    .description(
      'Writes an example with its transcripts into canvases/ and transcripts/ of this folder, under an id of its own, with the workflows that it calls.',
    )
    .argument('<id>', 'the id of the new workflow, such as order-desk')
    .addOption(
      new Option('--like <example>', 'what it begins as')
        .choices(listKeys<Like>({ booking: true, orders: true, faq: true, survey: true, agent: true }))
        .makeOptionMandatory(),
    )
    .addHelpText('after', '\nExit code: 0 when it is there, 1 when nothing was written, 2 for wrong use.')
    .action(async (id: string, { like }: { readonly like: Like }) => {
      const { createLike } = await import('../new.ts');
      await createLike(id, like, '.');
    });

/** `hilo cover CANVAS…`. */
export const coverCommand = (): Command =>
  withConfig(
    new Command('cover')
      .summary('find conversations for the ports that no transcript takes')
      .description(
        'Looks for conversations that take the ports of canvases that no transcript takes yet: as few as possible, each played before it is shown. With --write they become transcripts for hilo test; run again, it writes nothing.',
      )
      .argument('<canvas...>', 'canvas files')
      .option('-w, --with <canvas...>', 'further canvases that run beside each; those it names are found in its folder anyway'),
  )
    .option('--write <folder>', 'write them there, as NAME.PORT.txt: in the folder of the canvas, below it, or beside canvases/')
    .option('--max-ms <number>', 'how long to search for one canvas', wholeNumber, 30_000)
    .addOption(new Option('-c, --channel <name>', 'the channel the user is on').choices(channels).default('whatsapp'))
    .option('--workspace <file>', 'whose first company the canvases run for; a workspace.json beside one, or one folder up, is found')
    .option('--json', 'print { canvases } and nothing else')
    .addHelpText('after', '\nExit code: 0 when all canvases were searched, 1 when one cannot run, 2 for wrong use.')
    .action(async (files: readonly string[], options: CoverOptions) => {
      const { cover } = await import('../cover.ts');
      await cover(files, options);
    });

/** `hilo validate CANVAS…`. */
export const validateCommand = (): Command =>
  withConfig(
    new Command('validate')
      .summary('check canvases as publishing would')
      .description('Checks canvases as publishing would, and shows every problem with its place, all at once.')
      .argument('<canvas...>', 'canvas files')
      .option('-c, --channel <name>', 'also hold them to the limits of a channel; can be given several times', oneMoreChannel),
  )
    .option('--workspace <file>', 'the workspace that they are for: its templates, channels, credentials, workflows and the rest')
    .option('--strict', 'let warnings fail too')
    .option('--fix', 'take each fix that says the same in another way, such as the right name of a field, and write the files')
    .option('--dialogues', 'show each error that has a way as a conversation that leads there, which hilo run --unchecked --script plays')
    .option('--json', 'print [{ file, ok, problems }] and nothing else')
    .option('-w, --watch', 'check again after each change, until Ctrl-C')
    .addHelpText(
      'after',
      `
With --workspace a canvas is checked as publishing it there would: in the company that names its file, else in the first. Without one,
workflows that a canvas calls are looked for among the files given and the other canvases in their folders, other names are
warnings (REFERENCE_NOT_CHECKED), and the files given are checked as if all of them were published: two that begin with the same word are warnings, or errors where both interrupt.

With --fix a file in which something was mended is written with an indent of two blanks. What would remove something, add a node or a way, or
can be done in several ways, stays a problem with its fixes; a file with whole numbers of 16 digits or more stays as it is.

With --watch the canvases given, the file of --workspace and hilo.config.ts are watched; what hilo.config.ts imports is read once.
With --json each check prints its document in one line: [{ file, ok, problems }]; { problems } where the workspace cannot be read;
{ error } where nothing can be checked.

Exit code: 0 when all can be published, 1 when one cannot, 2 for wrong use. With --watch, 0 after Ctrl-C.`,
    )
    .action(async (files: readonly string[], options: ValidateOptions) => {
      const { validate } = await import('../validate.ts');
      await validate(files, options);
    });

/** `hilo render CANVAS`. */
export const renderCommand = (): Command =>
  withConfig(
    new Command('render')
      .summary('draw a canvas as a picture')
      .description(
        'Draws a canvas as a picture, SVG or PNG: its nodes where their positions say, or laid out from left to right where some have none; with --direction down, from top to bottom.',
      )
      .argument('<canvas>', 'canvas file'),
  )
    .addOption(
      new Option('--direction <direction>', 'where edges lead; "down" lays out all nodes, ignoring their positions')
        .choices(directions)
        .default('right'),
    )
    .option('--png', 'draw a PNG, at twice the size; so does an output whose name ends with .png')
    .option('-o, --output <file>', 'where the picture goes; without it, to standard output')
    .addHelpText('after', '\nA canvas with problems is drawn as far as possible; the problems are listed on standard error.')
    .action(async function (this: Command, file: string, options: RenderOptions) {
      const { render } = await import('../render.ts');
      await render(this, file, options);
    });

/** `hilo schema`. */
export const schemaCommand = (): Command =>
  withConfig(
    new Command('schema')
      .summary('print the JSON Schema of canvases, or of workspaces')
      .description(
        'Prints the JSON Schema, draft 2020-12, of a canvas with the nodes of Hilo and those of hilo.config.ts, for editors and validators; with --workspace that of a workspace file.',
      ),
  )
    .option('-o, --output <file>', 'where the schema goes; without it, to standard output')
    .option('--workspace', 'the schema of a workspace file, with the channels of Hilo and those of hilo.config.ts')
    .addHelpText('after', '\nA canvas or a workspace whose "$schema" is the path of that file is completed and checked as it is written.')
    .action(async (options: SchemaOptions) => {
      const { schema } = await import('../schema.ts');
      await schema(options);
    });

/** `hilo docs [PAGE]`. */
export const docsCommand = (): Command =>
  new Command('docs')
    .summary('print a page of the documentation')
    .description('Prints a page of the documentation of this release in Markdown; without a page, all of them with a sentence each.')
    .argument('[page]', 'such as expressions or nodes/ask')
    .action(async function (this: Command, page: string | undefined) {
      const { printDocs } = await import('../docs.ts');
      printDocs(this, page);
    });
