import type { Channel, ExecutionStatus } from '@hilo/engine/contract';
import type { Direction } from '@hilo/picture';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { CapacityFlags } from './capacity.ts';
import type { ListFlags, ExecutionFlags } from './executions.ts';
import type { ImportFlags } from './import.ts';
import type { RenderOptions } from './render.ts';
import type { SayFlags } from './say.ts';
import type { ServeFlags } from './serve.ts';
import type { AdminFlags } from './service/with-admin.ts';
import type { Plan } from './run/company.ts';
import type { RunOptions } from './run/run.ts';
import type { CheckFlags } from './channels.ts';
import type { TestOptions } from './test-transcripts.ts';
import type { RevokeFlags, TokenFlags } from './tokens.ts';
import type { ValidateOptions } from './validate.ts';

// Every command with its flags, in the order in which `hilo --help` lists them. An action loads what it does when it is called, so
// that help and wrong use load this file alone. Lists of choices are written here, since those of the engine come with its schemas;
// their types hold them complete.

const channels = keysOf<Channel>({
  whatsapp: true,
  web: true,
  instagram: true,
  facebook: true,
  slack: true,
  teams: true,
  twitter: true,
  custom: true,
});
const plans = keysOf<Plan>({ free: true, builder: true, growth: true, enterprise: true });
const directions = keysOf<Direction>({ right: true, down: true });
const executionStatuses = keysOf<ExecutionStatus>({
  running: true,
  waiting: true,
  completed: true,
  failed: true,
  cancelled: true,
  expired: true,
  quarantined: true,
});

export const createCommands = (version: string): readonly Command[] => [
  initCommand(version),
  serveCommand(version),
  devCommand(),
  runCommand(),
  testCommand(),
  validateCommand(),
  renderCommand(),
  importCommand(),
  exportCommand(),
  sayCommand(),
  executionsCommand(),
  tokensCommand(),
  channelsCommand(),
  capacityCommand(),
];

const initCommand = (version: string): Command =>
  new Command('init')
    .summary('make a project')
    .description(
      'Makes a project in a directory: a canvas with its transcripts, a node of your own with a test, a workspace and hilo.config.ts.',
    )
    .argument('<directory>', 'where it goes; it is made, or must be empty')
    .addHelpText('after', '\nExit code: 0 when it is there, 1 when nothing was written, 2 for wrong use.')
    .action(async (directory: string) => {
      const { init } = await import('./init.ts');
      await init(directory, version);
    });

const serveCommand = (version: string): Command =>
  withService(
    new Command('serve')
      .summary('run the service: webhooks, messages, management')
      .description('Runs the service: the webhook gateway, inbound messages, management, health and metrics, all on one port.'),
  )
    .addHelpText(
      'after',
      `
Secrets are variables only. HILO_ADMIN_TOKEN, at least 16 characters, is what management and the studio ask everybody for;
without it, one is made at the first start, shown once, and kept in the file admin.token of the data directory.
HILO_SECRET_KEY, 32 bytes in base64, encrypts what is secret in the store; without it, the file secret.key beside that.

Exit code: 0 after SIGTERM or Ctrl-C, 1 when it cannot start, 2 for wrong use.`,
    )
    .action(async function (this: Command, flags: ServeFlags) {
      const { serve } = await import('./serve.ts');
      await serve(this, flags, version);
    });

const devCommand = (): Command =>
  withService(
    new Command('dev')
      .summary('serve a workspace while you work on it')
      .description(
        'Serves a workspace. After each change below this folder it imports the workspace again, which checks and publishes what differs, and plays the transcripts; a change of code begins the service anew.',
      ),
  )
    .addHelpText('after', '\nExit code: 0 after SIGTERM or Ctrl-C, 2 for wrong use.')
    .action(async function (this: Command, flags: ServeFlags) {
      const { dev } = await import('./dev.ts');
      await dev(this, flags, process.argv.slice(process.argv.indexOf('dev') + 1));
    });

const runCommand = (): Command =>
  withConfig(
    new Command('run')
      .summary('talk to a canvas in the terminal')
      .description(
        'Runs a canvas and talks to it: in the terminal, from a pipe, or from a script. It runs in memory, and nothing reaches the world: messages are drawn, code runs in its sandbox, and calls are answered by you.',
      )
      .argument('<canvas>', 'canvas file')
      .option('-w, --with <canvas...>', 'further canvases that it may call; those it names are found in its folder anyway'),
  )
    .option('-s, --script <file>', 'play a script, or a transcript, without a person; - for standard input')
    .option('--check', 'with --script: fail, and show what differs, when the file is not what happens')
    .addOption(new Option('-c, --channel <name>', 'the channel the user is on').choices(channels).default('whatsapp'))
    .option('-u, --user <id>', 'the user who talks: a phone number, or a business-scoped id')
    .addOption(new Option('-p, --plan <name>', "the company's plan; without it the workspace's, else enterprise").choices(plans))
    .option('--workspace <file>', 'whose first company the canvas runs for; a workspace.json beside it, or one folder up, is found')
    .option('--seed <number>', 'what ids and draws derive from', wholeNumber, 1)
    .option('--real-time', 'let the clock run; without it, time stands until /time moves it')
    .option('--coverage', 'print at the end which ports were never taken')
    .option('--json', 'print one JSON object for everything that happens')
    .addHelpText(
      'after',
      '\nExit code: 0 when you leave or the script has been played, 1 for a canvas that cannot run or a transcript that differs, 2 for wrong use.',
    )
    .action(async function (this: Command, file: string, options: RunOptions) {
      const { run } = await import('./run/run.ts');
      await run(this, file, options);
    });

const testCommand = (): Command =>
  withConfig(
    new Command('test')
      .summary('play transcripts again and compare')
      .description(
        'Plays every transcript again and compares it, line by line, with what happens now; lists at the end the ports that no transcript left by. NAME.txt and NAME.ANYTHING.txt are conversations with NAME.json.',
      )
      .argument('[files...]', 'transcripts, or folders that are searched for them; this folder, when left out'),
  )
    .addOption(new Option('-c, --channel <name>', 'the channel the user is on').choices(channels).default('whatsapp'))
    .option('--workspace <file>', 'whose first company the canvases run for; a workspace.json beside one, or one folder up, is found')
    .option('-u, --update', 'write what happens into the transcripts that differ')
    .option('--json', 'print { transcripts, coverage } and nothing else')
    .addHelpText('after', '\nExit code: 0 when all are what happens, 1 when one differs or its canvas cannot run, 2 for wrong use.')
    .action(async (files: readonly string[], options: TestOptions) => {
      const { testTranscripts } = await import('./test-transcripts.ts');
      await testTranscripts(files, options);
    });

const validateCommand = (): Command =>
  withConfig(
    new Command('validate')
      .summary('check canvases as publishing would')
      .description('Checks canvases as publishing would, and shows every problem with its place, all at once.')
      .argument('<canvas...>', 'canvas files')
      .option('-c, --channel <name>', 'also hold them to the limits of a channel; can be given several times', oneMoreChannel),
  )
    .option('--workspace <file>', 'the workspace that they are for: its templates, channels, credentials, workflows and the rest')
    .option('--strict', 'let warnings fail too')
    .option('--json', 'print [{ file, ok, problems }] and nothing else')
    .option('-w, --watch', 'check again after each change, until Ctrl-C')
    .addHelpText(
      'after',
      `
With --workspace a canvas is checked as publishing it there would: in the company that names its file, else in the first. Without one,
workflows that a canvas calls are looked for among the files given and the other canvases in their folders, other names are
warnings (REFERENCE_NOT_CHECKED), and the files given are checked as if all of them were published: two may not begin alike.

With --watch the canvases given, the file of --workspace and hilo.config.ts are watched; what hilo.config.ts imports is read once.
With --json each check prints its document in one line: [{ file, ok, problems }]; { problems } where the workspace cannot be read;
{ error } where nothing can be checked.

Exit code: 0 when all can be published, 1 when one cannot, 2 for wrong use. With --watch, 0 after Ctrl-C.`,
    )
    .action(async (files: readonly string[], options: ValidateOptions) => {
      const { validate } = await import('./validate.ts');
      await validate(files, options);
    });

const renderCommand = (): Command =>
  withConfig(
    new Command('render')
      .summary('draw a canvas as a picture')
      .description(
        'Draws a canvas as a picture, SVG or PNG: its nodes where their positions say, or laid out from left to right where some have none; with --direction down, from top to bottom.',
      )
      .argument('<canvas>', 'canvas file'),
  )
    .addOption(
      new Option('--direction <direction>', 'where edges lead; "down" lays out all nodes, whatever their positions')
        .choices(directions)
        .default('right'),
    )
    .option('--png', 'draw a PNG, at twice the size; so does an output whose name ends with .png')
    .option('-o, --output <file>', 'where the picture goes; without it, to standard output')
    .addHelpText('after', '\nA canvas with problems is drawn as far as it goes; the problems are told on standard error.')
    .action(async (file: string, options: RenderOptions) => {
      const { render } = await import('./render.ts');
      await render(file, options);
    });

const importCommand = (): Command =>
  withAdmin(
    new Command('import')
      .summary('bring a workspace file in')
      .description(
        'Brings a workspace file in, all of it or nothing: companies with their bots, users, templates, workflows and the rest. Twice is the same as once.',
      )
      .argument('<file>', 'workspace file'),
  )
    .option('--json', 'print what was imported as JSON, or { problems }, and nothing else')
    .addHelpText('after', '\nExit code: 0 when it is imported, 1 when it has a problem and nothing was written, 2 for wrong use.')
    .action(async function (this: Command, file: string, flags: ImportFlags) {
      const { importWorkspace } = await import('./import.ts');
      await importWorkspace(this, file, flags);
    });

const exportCommand = (): Command =>
  withAdmin(
    new Command('export')
      .summary('write all that is configured as a workspace file')
      .description(
        'Writes all that is configured as a workspace file, canvases inside and secrets left out: imported again, it keeps the secrets that are known.',
      )
      .argument('[file]', 'where it goes; without it, to standard output'),
  )
    .option('--json', 'print JSON and nothing else, as it does anyway without a file')
    .action(async function (this: Command, file: string | undefined, flags: AdminFlags & { readonly json?: true }) {
      const { exportWorkspace } = await import('./export.ts');
      await exportWorkspace(this, file, flags);
    });

const sayCommand = (): Command =>
  withAdmin(
    new Command('say')
      .summary('deliver a message of a user to a bot')
      .description('Delivers a text of a user to a bot of the kind log or custom of the service that runs, signed as its channel signs it.')
      .argument('<bot>', 'the id of a bot')
      .argument('<user>', 'the id of the user who writes')
      .argument('<text...>', 'what the user writes'),
  )
    .option('--json', 'print what the service answers, and nothing else')
    .addHelpText('after', '\nWith --url the appSecret of the bot is read from HILO_APP_SECRET.')
    .action(async function (this: Command, bot: string, user: string, text: readonly string[], flags: SayFlags) {
      const { say } = await import('./say.ts');
      await say(this, bot, user, text, flags);
    });

function executionsCommand(): Command {
  const command = new Command('executions')
    .summary('list, show, cancel and release executions')
    .description('Looks at executions, and steps in: by the service that runs over the data directory, or in its store when none runs.')
    .helpCommand(false);
  const withFlags = (name: string, summary: string): Command =>
    withAdmin(new Command(name).summary(summary).description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`))
      .option('-c, --company <id>', 'those of a company only')
      .option('--json', 'print what management answers, and nothing else');
  command.addCommand(
    withFlags('list', 'the newest executions first')
      .option('-w, --workflow <id>', 'only those of a workflow')
      .addOption(new Option('-s, --status <status>', 'only those in a status').choices(executionStatuses))
      .option('-u, --user <id>', 'only those of a user')
      .option('-n, --limit <number>', 'how many: 1 to 200', pageLimit, 20)
      .option('--cursor <cursor>', 'the nextCursor of the page before')
      .action(async function (this: Command, flags: ListFlags) {
        const { list } = await import('./executions.ts');
        await list(this, flags);
      }),
  );
  command.addCommand(
    withFlags('show', 'an execution with its variables and all it did')
      .argument('<execution>', 'the id of an execution')
      .action(async function (this: Command, executionId: string, flags: ExecutionFlags) {
        const { show } = await import('./executions.ts');
        await show(this, executionId, flags);
      }),
  );
  const steps = {
    cancel: 'end an execution at once, and its children with it',
    release: 'let a quarantined execution go on where it stood',
  };
  for (const verb of ['cancel', 'release'] as const) {
    command.addCommand(
      withFlags(verb, steps[verb])
        .argument('<execution>', 'the id of an execution')
        .action(async function (this: Command, executionId: string, flags: ExecutionFlags) {
          const { step } = await import('./executions.ts');
          await step(this, executionId, verb, flags);
        }),
    );
  }
  return command;
}

/** Runtime tokens of functions (TOK rules). */
function tokensCommand(): Command {
  const command = new Command('tokens')
    .summary('list and revoke runtime tokens of functions')
    .description('Runtime tokens of functions: by the service that runs over the data directory, or in its store when none runs.')
    .helpCommand(false);
  const withFlags = (name: string, description: string): Command =>
    withAdmin(new Command(name).description(description)).option('--json', 'print a list or a token in JSON, and nothing else');
  command.addCommand(
    withFlags('list', 'Lists runtime tokens, never the tokens themselves.')
      .argument('[function]', 'the id of a function; all, when left out')
      .action(async function (this: Command, functionId: string | undefined, flags: TokenFlags) {
        const { list } = await import('./tokens.ts');
        await list(this, functionId, flags);
      }),
  );
  command.addCommand(
    new Command('create')
      .description('Fails always: runtime tokens are deprecated (410 Gone). Functions are called with an API key.')
      .argument('[anything...]')
      .allowUnknownOption() // whatever is asked for: it is gone (TOK-02)
      .action(() => {
        throw new Error('410 Gone: runtime tokens can no longer be created; call functions with an API key');
      }),
  );
  command.addCommand(
    withFlags('revoke', 'Revokes a runtime token, and deploys its function again: the token is refused from then on.')
      .argument('<token>', 'the id of a token')
      .option('-f, --function <id>', 'of which function; needed where several have a token of this id')
      .action(async function (this: Command, tokenId: string, flags: RevokeFlags) {
        const { revoke } = await import('./tokens.ts');
        await revoke(this, tokenId, flags);
      }),
  );
  return command;
}

/** The providers of bots. */
function channelsCommand(): Command {
  const command = new Command('channels')
    .summary("check a bot's provider")
    .description('Providers of bots: by the service that runs over the data directory, or with its store when none runs.')
    .helpCommand(false);
  command.addCommand(
    withAdmin(
      new Command('check').description("Makes the cheapest read of a bot's provider, and says in words what is wrong. Nothing is sent."),
    )
      .option('--json', 'print the answer in JSON, and nothing else')
      .argument('<bot>', 'the id of a bot')
      .action(async function (this: Command, botId: string, flags: CheckFlags) {
        const { check } = await import('./channels.ts');
        await check(this, botId, flags);
      }),
  );
  return command;
}

const capacityCommand = (): Command =>
  new Command('capacity')
    .summary('how many machines so many users take')
    .description(
      'Works out what users and their messages take: processes or cells, commits, log, memory and disk. The model, and what of it was measured, is in docs/scaling.md.',
    )
    .requiredOption('--users <number>', 'how many users in all, such as 250000, 250k or 100M', countFlag)
    .requiredOption('--messages <rate>', 'how many messages, such as 50000/s, 3M/min or 4G/day', rateFlag)
    .option('--json', 'print the figures as JSON, and nothing else')
    .addHelpText('after', '\nExit code: 0, 1 for more than there can be cells, 2 for wrong use.')
    .action(async (flags: CapacityFlags) => {
      const { capacity } = await import('./capacity.ts');
      capacity(flags);
    });

/** Adds the flag that names a project's own nodes, drivers and channels. */
function withConfig(command: Command): Command {
  return command.option(
    '--config <file>',
    'nodes, drivers and channels of your own; without it hilo.config.ts of this directory, where there is one',
  );
}

/** Adds the flags of a service that is started. */
function withService(command: Command): Command {
  return withConfig(
    command
      .option('-p, --port <number>', 'where to listen; 0 takes any free port (HILO_PORT; 3000)')
      .option('--host <address>', 'on which address; 0.0.0.0 for all of this machine (HILO_HOST; 127.0.0.1)')
      .option('--public-url <url>', 'where people reach it, for links to its own pages (HILO_PUBLIC_URL; where it listens)'),
  )
    .option('-d, --data <directory>', 'what holds hilo.db (HILO_DATA; ./data)')
    .option('--database-url <url>', 'PostgreSQL instead of SQLite (HILO_DATABASE_URL)')
    .option('--runtime <name>', 'restate: keeps what is under way in Restate; needs @hilo/restate (HILO_RUNTIME)')
    .option('--restate-url <url>', 'a Restate cluster instead of a server of its own (HILO_RESTATE_URL)')
    .option('--restate-service <url>', 'where a cluster calls this process (HILO_RESTATE_SERVICE; http://127.0.0.1:9080)')
    .option('--restate-listen <host:port>', 'where this process listens for it, behind a balancer of several (HILO_RESTATE_LISTEN)')
    .option('--restate-server <file>', 'the restate-server program; that of its npm package, when left out (HILO_RESTATE_SERVER)')
    .option('--workspace <file>', 'a workspace to import at start (HILO_WORKSPACE)')
    .option('--egress-allow <list>', 'host:port,… that outbound calls may reach though they are private (HILO_EGRESS_ALLOW)')
    .option('--egress-ca <file>', 'a PEM file that outbound TLS trusts as well (HILO_EGRESS_CA)')
    .option('--rate-limit <number>', 'requests a second for each credential, or off (HILO_RATE_LIMIT; off)')
    .option('--legacy-hosts <list>', 'host,… that serve the earlier addresses; all, when left out (HILO_LEGACY_HOSTS)')
    .option('--keep-days <number>', 'days that executions are kept after their end (HILO_KEEP_DAYS; 30)')
    .option('--keep-failed-days <number>', 'the same for those that failed (HILO_KEEP_FAILED_DAYS; 90)')
    .option(
      '--history-outbox <place>',
      'where their histories go before they are removed: a directory, or s3://bucket/prefix (HILO_HISTORY_OUTBOX)',
    )
    .option('--log <format>', 'pretty or json (HILO_LOG; pretty)');
}

/** Adds the flags that say where the data is. */
function withAdmin(command: Command): Command {
  return withConfig(
    command
      .option('-d, --data <directory>', 'the data directory (HILO_DATA; ./data)')
      .option('--database-url <url>', 'a PostgreSQL database instead (HILO_DATABASE_URL)'),
  ).option('--url <address>', 'a service on another machine, or with other data; its token is read from HILO_ADMIN_TOKEN');
}

/** A channel by name, added to those given before it. */
function oneMoreChannel(name: string, before: readonly Channel[] = []): readonly Channel[] {
  const channel = channels.find((known) => known === name);
  if (channel === undefined) throw new InvalidArgumentError(`There are: ${channels.join(', ')}.`);
  return [...before, channel];
}

function wholeNumber(text: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw new InvalidArgumentError('Give a whole number.');
  return Number(text);
}

const multiples = { '': 1, k: 1e3, M: 1e6, G: 1e9, B: 1e9 } as const;
const perSecond = { s: 1, min: 60, h: 3_600, day: 86_400 } as const;

/** Reads `250k` or `1.5M`. */
function countFlag(text: string): number {
  const [, digits, multiple = ''] = /^(\d{1,15}(?:\.\d{1,6})?)([kMGB]?)$/.exec(text) ?? [];
  const count = Number(digits) * multiples[multiple as keyof typeof multiples];
  if (digits === undefined || count < 1 || count > 1e12)
    throw new InvalidArgumentError('Give a number from 1 to 1000G, such as 250000, 250k or 1.5M.');
  return Math.round(count);
}

/** Reads `50000/s`, `3M/min`, `20k/h` or `4G/day`; without a unit, a second's. */
function rateFlag(text: string): number {
  const [, digits, multiple = '', unit = 's'] = /^(\d{1,15}(?:\.\d{1,6})?)([kMGB]?)(?:\/(s|min|h|day))?$/.exec(text) ?? [];
  const rate = (Number(digits) * multiples[multiple as keyof typeof multiples]) / perSecond[unit as keyof typeof perSecond];
  if (digits === undefined || !(rate > 0) || rate > 1e9)
    throw new InvalidArgumentError('Give messages in a time, such as 50000/s, 50k/s, 3M/min, 20k/h or 4G/day.');
  return rate;
}

function pageLimit(text: string): number {
  const number = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > 200) throw new InvalidArgumentError('Give a number from 1 to 200.');
  return number;
}

/** The members of a union of texts, none left out. */
function keysOf<Key extends string>(keys: Record<Key, true>): Key[] {
  return Object.keys(keys) as Key[];
}
