// The commands that look at executions, and bring them on: continued, copied, migrated, replayed, one by one and in bulk.
import type { ExecutionStatus } from '@hilo/engine/contract';
import { Argument, Command, Option } from 'commander';
import type { BulkFlags, BulkVerb } from '../bulk.ts';
import type { MigrateFlags } from '../migrate.ts';
import type { ExecutionFlags, ForkFlags, ListFlags, RetryFlags } from '../executions.ts';
import type { ReplayFlags } from '../replay.ts';
import type { UpgradeFlags } from '../upgrade.ts';
import {
  apart,
  collectValue,
  eventIndex,
  goesWith,
  listKeys,
  pageLimit,
  versionName,
  versionNumber,
  withAdmin,
  withData,
} from './flags.ts';

const executionStatuses = listKeys<ExecutionStatus>({
  running: true,
  waiting: true,
  completed: true,
  failed: true,
  cancelled: true,
  expired: true,
  quarantined: true,
});

/** `hilo executions list`, `show`, `cancel`, `release`, `retry` and `fork`. */
export function executionsCommand(): Command {
  const command = new Command('executions')
    .summary('list, show, cancel, release, retry and copy executions')
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
        const { list } = await import('../executions.ts');
        await list(this, flags);
      }),
  );
  command.addCommand(
    withFlags('show', 'an execution with its variables and all it did')
      .argument('<execution>', 'the id of an execution')
      .action(async function (this: Command, executionId: string, flags: ExecutionFlags) {
        const { show } = await import('../executions.ts');
        await show(this, executionId, flags);
      }),
  );
  const steps = {
    cancel: 'end an execution at once, and its children with it',
    release: 'resume a quarantined execution where it stopped',
  };
  for (const verb of ['cancel', 'release'] as const) {
    command.addCommand(
      withFlags(verb, steps[verb])
        .argument('<execution>', 'the id of an execution')
        .action(async function (this: Command, executionId: string, flags: ExecutionFlags) {
          const { step } = await import('../executions.ts');
          await step(this, executionId, verb, flags);
        }),
    );
  }
  for (const one of continuingCommands(withFlags)) command.addCommand(one);
  command.addCommand(bulkCommand(withFlags));
  return command;
}

const setOption = (verb = ''): Option =>
  new Option(
    '--set <path=value>',
    `${verb}a value for a variable that it does not have, such as $context.brand=Acme; several times`,
  ).argParser(collectValue);

const effectOption = (verb = ''): Option =>
  new Option('--effect <what>', `${verb}whether its last effect is performed again: where its node failed by it, when left out`).choices([
    'auto',
    'repeat',
    'keep',
  ]);

const keysOption = (verb = ''): Option =>
  new Option(
    '--keys <which>',
    `${verb}the key of an effect that is performed again: the same where it may have happened, when left out`,
  ).choices(['auto', 'new', 'same']);

/** `hilo executions retry` and `fork`. */
function continuingCommands(withFlags: (name: string, summary: string) => Command): readonly Command[] {
  const continuing = (name: string, summary: string): Command =>
    withFlags(name, summary)
      .argument('<execution>', 'the id of an execution')
      .option(
        '--version <version>',
        'the version of its workflow that it goes on in: a number, latest or same; same, when left out',
        versionName,
      )
      .addOption(setOption());
  return [
    continuing('retry', 'continue a failed, expired or cancelled execution as a new one')
      .addOption(effectOption())
      .addOption(keysOption())
      .option('--again', 'once more, where it was continued before')
      .action(async function (this: Command, executionId: string, flags: RetryFlags) {
        const { goOnFrom } = await import('../executions.ts');
        await goOnFrom(this, executionId, 'retry', flags);
      }),
    continuing('fork', 'begin a copy of an execution where it stood before an event of its history')
      .requiredOption('--before <event>', 'the index of the event, as hilo executions show --json names it', eventIndex)
      .option('--enter <node>', 'the node at which the copy goes on; where it stood, when left out')
      .option('--ends', 'cancel the original in the same commit')
      .action(async function (this: Command, executionId: string, flags: ForkFlags) {
        const { goOnFrom } = await import('../executions.ts');
        await goOnFrom(this, executionId, 'fork', flags);
      }),
  ];
}

/** `hilo executions bulk ACTION`. */
function bulkCommand(withFlags: (name: string, summary: string) => Command): Command {
  const command = withFlags('bulk', 'what would be done to all executions that a filter names; with --apply, do it as a job')
    .addArgument(new Argument('<action>', 'what is done to each').choices(['cancel', 'release', 'retry', 'migrate', 'signal']))
    .option('-w, --workflow <id>', 'of a workflow')
    .option('--of-version <version>', 'in a version; draft for tests')
    .addOption(new Option('-s, --status <status>', 'in a status').choices(executionStatuses))
    .option('--cause <cause>', 'failed or cancelled by a cause')
    .option('--node <id>', 'waiting at a node')
    .option('--failed-node <id>', 'failed at a node')
    .option('--from <instant>', 'started at this instant or later, such as 2031-03-01T00:00:00Z')
    .option('--to <instant>', 'started before this instant')
    .option('--channel <channel>', 'of a channel')
    .option('--bot <id>', 'of a bot')
    .option('-u, --user <id>', 'of a user')
    .option('--older-than <duration>', 'unchanged for so long, such as P30D')
    .option('--reason <text>', 'cancel: why')
    .option('--version <version>', 'retry: the version to continue in; latest, or same when left out')
    .addOption(setOption('retry: '))
    .addOption(effectOption('retry: '))
    .addOption(keysOption('retry: '))
    .option('--skip <what>', 'retry: whom to leave; talking,windowClosed when left out, "" for nobody')
    .option('--name <event>', 'signal: the event; --node says where it is waited for')
    .option('--payload <json>', 'signal: an object')
    .option('--map <file>', 'migrate: the mapping with both versions')
    .option('--accept <verdicts>', 'migrate: what may happen; same when left out')
    .option('--rate <number>', 'executions a second; 500, when left out', Number)
    .option('--apply', 'do it, after planning')
    .addHelpText('after', '\nExit code: 0 when it is planned or done, 1 when one was refused, 2 for wrong use.')
    .action(async function (this: Command, verb: BulkVerb, flags: BulkFlags) {
      const { bulk } = await import('../bulk.ts');
      await bulk(this, verb, flags);
    });
  return goesWith(command, 'rate', 'apply');
}

/** `hilo migrate WORKFLOW`. */
export function migrateCommand(): Command {
  const command = withAdmin(
    new Command('migrate')
      .summary('plan, do and undo the migration of waiting executions to another version')
      .description('Says what becomes of the executions that wait in a version when they go on in another; with --apply, does it.')
      .argument('<workflow>', 'the id of a workflow'),
  )
    .option('--from <version>', 'the version to leave; any for every other')
    .option('--to <version>', 'the published version to come to', versionNumber)
    .option('--map <file>', 'the mapping: renamed nodes, choices, values; migrations/WORKFLOW.FROM-TO.json, where it is there')
    .option('--write-map [file]', 'write a mapping with one entry to fill in for each group that needs one')
    .option('--apply', 'migrate, after planning')
    .option('--accept <verdicts>', 'what may happen, such as same,changed,enters,cancels; same alone, when left out')
    .option('--rate <number>', 'executions a second; when left out, as users leave room; 500 with enters', Number)
    .option('--undo <job>', 'take back what a migration has done, where nothing has happened since')
    .option('-c, --company <id>', 'the company of the workflow')
    .option('--json', 'print what management answers, and nothing else')
    .action(async function (this: Command, workflowId: string, flags: MigrateFlags) {
      const { migrate } = await import('../migrate.ts');
      await migrate(this, workflowId, flags);
    });
  apart(command, 'undo', ['from', 'to', 'map', 'writeMap', 'apply', 'accept', 'rate']);
  apart(command, 'writeMap', ['apply', 'json']);
  return goesWith(command, 'accept', 'apply');
}

/** `hilo replay WORKFLOW`. */
export function replayCommand(): Command {
  const command = withAdmin(
    new Command('replay')
      .summary('what recorded conversations would hear by the draft')
      .description(
        'Replays the newest ended conversations of the published version on the draft, with the answers that they had, and groups those that go otherwise. Nothing is performed, and nothing is kept.',
      )
      .argument('<workflow>', 'the id of a workflow'),
  )
    .option('--draft', 'on the draft, which is the default')
    .option('--canvas <file>', 'on the canvas of a file')
    .option('--against <version>', 'on a published version', versionNumber)
    .option('--last <number>', 'the newest conversations, at most so many: 1,000 when left out, at most 10,000', eventIndex)
    .option('--since <instant>', 'those that ended then or later, such as 2031-03-01T09:00:00Z; seven days ago, when left out')
    .option('--ignore <groups...>', 'groups of an earlier report that do not count')
    .option('-c, --company <id>', 'the company of the workflow')
    .option('--json', 'print what management answers, and nothing else')
    .addHelpText('after', '\nExit code: 0 when all go as before, 1 when one goes otherwise, 2 for wrong use.')
    .action(async function (this: Command, workflowId: string, flags: ReplayFlags) {
      const { replay } = await import('../replay.ts');
      await replay(this, workflowId, flags);
    });
  apart(command, 'draft', ['canvas', 'against']);
  return apart(command, 'canvas', ['against']);
}

/** `hilo upgrade`, and `hilo upgrade --check`. */
export const upgradeCommand = (): Command =>
  withData(
    new Command('upgrade')
      .summary('bring a store to this release, or check that this release replays its histories')
      .description(
        'Brings the tables and rows of a store into the format of the release that is installed here, with no service over it. A service does the same as it goes: this does it for what nobody touches any more. With --check, replays every history with the release and the nodes that are installed here instead, and says which lead elsewhere: before the process of the earlier release is stopped for good.',
      ),
  )
    .option('--check', 'replay all histories, and write none')
    .option(
      '--json',
      'print { executions, rewritten, unreadable }, or with --check { read, equal, differs, unreadable, different }, and nothing else',
    )
    .addHelpText('after', '\nExit code: 0 when it is done or all lead to the same, 1 when one leads elsewhere, 2 for wrong use.')
    .action(async function (this: Command, flags: UpgradeFlags) {
      const { upgrade } = await import('../upgrade.ts');
      await upgrade(this, flags);
    });
