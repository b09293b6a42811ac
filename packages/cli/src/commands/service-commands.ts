import { Command, InvalidArgumentError } from 'commander';
import type { CapacityFlags } from '../capacity.ts';
import type { ServeFlags } from '../serve.ts';
import { withConfig } from './flags.ts';

/** `hilo init DIRECTORY`. @param version - of Hilo, on which the project is to depend */
export const initCommand = (version: string): Command =>
  new Command('init')
    .summary('make a project')
    .description(
      'Makes a project in a directory: a canvas with its transcripts, a node of your own with a test, a workspace and hilo.config.ts.',
    )
    .argument('<directory>', 'where it goes; it is made, or must be empty')
    .addHelpText('after', '\nExit code: 0 when it is there, 1 when nothing was written, 2 for wrong use.')
    .action(async (directory: string) => {
      const { init } = await import('../init.ts');
      await init(directory, version);
    });

/** `hilo serve`. */
export const serveCommand = (version: string): Command =>
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
      const { serve } = await import('../serve.ts');
      await serve(this, flags, version);
    });

/** `hilo dev`. */
export const devCommand = (): Command =>
  withService(
    new Command('dev')
      .summary('serve a workspace while you work on it')
      .description(
        'Serves a workspace. After each change below this folder it imports the workspace again, which checks and publishes what differs, and plays the transcripts; a change of code begins the service anew.',
      ),
  )
    .addHelpText(
      'after',
      '\nIt needs a workspace: that of --workspace, HILO_WORKSPACE or hilo.config.ts.\n\nExit code: 0 after SIGTERM or Ctrl-C, 2 for wrong use.',
    )
    .action(async function (this: Command, flags: ServeFlags) {
      const { dev } = await import('../dev.ts');
      await dev(this, flags, process.argv.slice(process.argv.indexOf('dev') + 1));
    });

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
    .option(
      '--advertise-url <url>',
      'where other processes of the same database reach this one (HILO_ADVERTISE_URL; they use the database)',
    )
    .option('--cell <name>', 'the cell that this process is of: users of others are refused with 421 (HILO_CELL; everybody is served)')
    .option('--cells <file>', 'which slots each cell serves, the same file for all (HILO_CELLS)')
    .option('--runtime <name>', 'restate: keeps what is under way in Restate; needs @hilo/restate (HILO_RUNTIME)')
    .option('--restate-url <url>', 'a Restate cluster instead of a server of its own (HILO_RESTATE_URL)')
    .option('--restate-service <url>', 'where a cluster calls this process (HILO_RESTATE_SERVICE; http://127.0.0.1:9080)')
    .option('--restate-listen <host:port>', 'where this process listens for it, behind a balancer of several (HILO_RESTATE_LISTEN)')
    .option('--restate-identity <keys>', 'the public keys that a cluster signs its calls with: publickeyv1_…,… (HILO_RESTATE_IDENTITY)')
    .option('--restate-server <file>', 'the restate-server program; that of its npm package, when left out (HILO_RESTATE_SERVER)')
    .option('--workspace <file>', 'a workspace to import at start (HILO_WORKSPACE)')
    .option('--overwrite', 'let the workspace replace workflows that were changed here since (HILO_OVERWRITE; it is refused)')
    .option('--egress-allow <list>', 'host:port,… that outbound calls may reach though they are private (HILO_EGRESS_ALLOW)')
    .option('--egress-ca <file>', 'a PEM file that outbound TLS trusts as well (HILO_EGRESS_CA)')
    .option('--rate-limit <number>', 'requests a second for each credential, or off (HILO_RATE_LIMIT; off)')
    .option(
      '--visitor-messages <number>',
      'messages a day of the anonymous chat visitors of one network, or off (HILO_VISITOR_MESSAGES; 20000)',
    )
    .option(
      '--trusted-proxies <list>',
      'addresses and networks of proxies whose X-Forwarded-For is believed; none, when left out (HILO_TRUSTED_PROXIES)',
    )
    .option('--legacy-hosts <list>', 'host,… that serve the earlier addresses; all, when left out (HILO_LEGACY_HOSTS)')
    .option('--keep-days <number>', 'days that executions are kept after their end (HILO_KEEP_DAYS; 30)')
    .option('--keep-failed-days <number>', 'the same for those that failed (HILO_KEEP_FAILED_DAYS; 90)')
    .option('--keep-audit <days>', 'days that the record of what operators did is kept (HILO_KEEP_AUDIT; 400)')
    .option(
      '--history-outbox <place>',
      'where their histories go before they are removed: a directory, or s3://bucket/prefix (HILO_HISTORY_OUTBOX)',
    )
    .option('--oidc-issuer <url>', 'an OpenID provider that people log in with (HILO_OIDC_ISSUER; secret: HILO_OIDC_CLIENT_SECRET)')
    .option('--oidc-client-id <id>', 'what the provider calls this service (HILO_OIDC_CLIENT_ID)')
    .option('--oidc-claim <name>', 'the claim that says what somebody may do (HILO_OIDC_CLAIM; hilo)')
    .option('--oidc-scope <words>', 'what is asked for (HILO_OIDC_SCOPE; openid profile email)')
    .option('--files <place>', 'where the bytes of files of users are kept: s3://bucket/prefix; in the store, when left out (HILO_FILES)')
    .option('--log <format>', 'pretty or json (HILO_LOG; pretty)');
}

/** `hilo capacity --users N --messages RATE`. */
export const capacityCommand = (): Command =>
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
      const { capacity } = await import('../capacity.ts');
      capacity(flags);
    });

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
