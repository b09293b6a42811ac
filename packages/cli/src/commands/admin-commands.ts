// The commands of management: of a service that runs, or of the store that it left.
import { Command, Option } from 'commander';
import type { JobFlags, JobListFlags } from '../jobs.ts';
import type { ScheduleFlags, StartListFlags } from '../schedules.ts';
import type { AuditFlags, AuditListFlags } from '../audit.ts';
import type { AgainFlags, CheckFlags, FlowKeyFlags } from '../channels.ts';
import type { AddFlags, DeliveryFlags, EventFlags, ReplayFlags } from '../event-subscriptions.ts';
import type { CheckDataFlags } from '../check.ts';
import type { MoveFlags } from '../move.ts';
import type { SayFlags } from '../say.ts';
import type { PauseFlags, WorkflowFlags, WorkflowListFlags } from '../workflows.ts';
import type { WorkspaceFlags } from '../workspace.ts';
import type { McpFlags } from '../mcp/mcp.ts';
import { apart, pageLimit, readPermissions, versionNumber, withAdmin, withCompany, withData } from './flags.ts';

/** `hilo check`. */
export const checkCommand = (): Command =>
  withData(
    new Command('check')
      .summary('check that the nodes here can run what is open in a store')
      .description(
        'Compiles every version that executions are open in with the nodes of this project: what was published with those of an earlier release may no longer run. Run it before a new release starts over the store; a service logs the same at its start.',
      ),
  )
    .option('--json', 'print { versions } as JSON, and nothing else')
    .addHelpText('after', '\nExit code: 0 when all can be run, 1 when a version cannot, 2 for wrong use.')
    .action(async function (this: Command, flags: CheckDataFlags) {
      const { check } = await import('../check.ts');
      await check(this, flags);
    });

/** `hilo import FILE`. */
export const importCommand = (): Command =>
  withAdmin(
    new Command('import')
      .summary('bring a workspace file in')
      .description(
        'Brings a workspace file in: companies with their bots, users, templates, workflows and the rest. Nothing is written where it has a problem; twice is the same as once, and completes what was cut off.',
      )
      .argument('<file>', 'workspace file'),
  )
    .option('--no-overwrite', 'refuse a file that would replace a workflow which was changed in the service since its last import')
    .option('--json', 'print what was imported as JSON, or { problems }, and nothing else')
    .addHelpText('after', '\nExit code: 0 when it is imported, 1 when it has a problem and nothing was written, 2 for wrong use.')
    .action(async function (this: Command, file: string, flags: WorkspaceFlags) {
      const { importWorkspace } = await import('../workspace.ts');
      await importWorkspace(this, file, flags);
    });

/** `hilo export [FILE]`. */
export const exportCommand = (): Command =>
  withAdmin(
    new Command('export')
      .summary('write all that is configured as a workspace file')
      .description(
        'Writes all that is configured as a workspace file, canvases inside and secrets left out: imported again, it keeps the secrets that are known.',
      )
      .argument('[file]', 'where it goes; without it, to standard output'),
  )
    .option('--json', 'print JSON and nothing else, as it does anyway without a file')
    .action(async function (this: Command, file: string | undefined, flags: WorkspaceFlags) {
      const { exportWorkspace } = await import('../workspace.ts');
      await exportWorkspace(this, file, flags);
    });

/** A company from one store to another. */
export function moveCommand(): Command {
  const command = new Command('move')
    .summary('move a company to another store, with all that is under way')
    .description(
      'Moves one company to the store of another service, while both serve others: docs/scaling.md has the steps in order. By the service that runs over the data directory, or in its store when none runs.',
    )
    .helpCommand(false);
  const withFlags = (name: string, description: string): Command =>
    withData(new Command(name).description(description)).option('--json', 'print the answer in JSON, and nothing else');
  const moving = (name: string, description: string): Command => withFlags(name, description).argument('<company>', 'the id of a company');
  command.addCommand(
    moving(
      'out',
      'Takes a company out of service, and writes all that it has into a file: its callers get 503 from then on, and repeat. It can be repeated.',
    )
      .argument('<file>', 'where it goes')
      .action(async function (this: Command, companyId: string, file: string, flags: MoveFlags) {
        const { moveOut } = await import('../move.ts');
        await moveOut(this, companyId, file, flags);
      }),
  );
  command.addCommand(
    withFlags('in', 'Brings a company in from its file, all of it or nothing, and serves it at once. Twice is the same as once.')
      .argument('<file>', 'what "hilo move out" wrote')
      .action(async function (this: Command, file: string, flags: MoveFlags) {
        const { moveIn } = await import('../move.ts');
        await moveIn(this, file, flags);
      }),
  );
  command.addCommand(
    moving('redirect', 'Sends callers of a company that has left to where it is now: they get 421 with this address.')
      .argument('<url>', 'the address of the service that it moved to')
      .option('--cell <name>', 'the name of the cell that it moved to, for the header X-Hilo-Cell', 'elsewhere')
      .action(async function (this: Command, companyId: string, url: string, flags: MoveFlags & { readonly cell: string }) {
        const { redirect } = await import('../move.ts');
        await redirect(this, companyId, url, flags);
      }),
  );
  command.addCommand(
    moving('cancel', 'Serves a company that was to leave here again. Not where its file was imported: it would be at work in both.')
      .option('--imported-nowhere', 'its file was imported nowhere: needed once the company has left')
      .action(async function (this: Command, companyId: string, flags: MoveFlags & { readonly importedNowhere?: boolean }) {
        const { cancel } = await import('../move.ts');
        await cancel(this, companyId, flags);
      }),
  );
  command.addCommand(
    moving('forget', 'Removes what is left of a company that has left: its callers get 401 or 404 from then on.').action(async function (
      this: Command,
      companyId: string,
      flags: MoveFlags,
    ) {
      const { forget } = await import('../move.ts');
      await forget(this, companyId, flags);
    }),
  );
  command.addCommand(
    withFlags('list', 'Lists companies that came, are about to leave or have left.').action(async function (
      this: Command,
      flags: MoveFlags,
    ) {
      const { list } = await import('../move.ts');
      await list(this, flags);
    }),
  );
  return command;
}

/** `hilo say BOT USER TEXT…`. */
export const sayCommand = (): Command =>
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
      const { say } = await import('../say.ts');
      await say(this, bot, user, text, flags);
    });

/** `hilo mcp`. */
export function mcpCommand(): Command {
  const command = withAdmin(
    new Command('mcp')
      .summary('let a coding agent write canvases')
      .description(
        'Serves the Model Context Protocol over standard input and output: tools by which a coding agent writes, checks, tests and publishes canvases. On the service that runs over the data directory, on that of --url, or, where none runs, on the canvases of this folder.',
      ),
  )
    .option('--folder <directory>', 'work on the canvases of a folder, even where a service runs')
    .addOption(
      new Option('--can <permissions>', 'what the client may do: view, edit, publish, with commas between')
        .argParser(readPermissions)
        .default(['view', 'edit'], 'view,edit'),
    )
    .option('-c, --company <id>', 'the company, where the service has several')
    .addHelpText(
      'after',
      '\nIt ends when the client closes its standard input. docs/agents.md has what a client writes into its configuration.',
    )
    .action(async function (this: Command, flags: McpFlags) {
      const { mcp } = await import('../mcp/mcp.ts');
      await mcp(this, flags);
    });
  return apart(command, 'folder', ['url', 'data', 'databaseUrl', 'company']);
}

/** `hilo jobs list`, `show`, `watch`, `pause`, `resume`, `cancel` and `undo`. */
export function jobsCommand(): Command {
  const command = new Command('jobs')
    .summary('list, watch, pause and undo jobs')
    .description(
      'Looks at durable work over many executions, such as migrations, and steps in: by the service that runs over the data directory, or in its store when none runs.',
    )
    .helpCommand(false);
  const withFlags = (name: string, summary: string): Command =>
    withAdmin(new Command(name).summary(summary).description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`))
      .option('-c, --company <id>', 'those of a company only')
      .option('--json', 'print what management answers, and nothing else');
  command.addCommand(
    withFlags('list', 'the newest jobs first')
      .option('-s, --status <status>', 'only those in a status')
      .option('-k, --kind <kind>', 'only those of a kind, such as migrate')
      .option('-n, --limit <number>', 'how many: 1 to 200', pageLimit, 20)
      .option('--cursor <cursor>', 'the nextCursor of the page before')
      .action(async function (this: Command, flags: JobListFlags) {
        const { list } = await import('../jobs.ts');
        await list(this, flags);
      }),
  );
  command.addCommand(
    withFlags('show', 'a job with what it has done, and its problems')
      .argument('<job>', 'the id of a job')
      .action(async function (this: Command, jobId: string, flags: JobFlags) {
        const { show } = await import('../jobs.ts');
        await show(this, jobId, flags);
      }),
  );
  command.addCommand(
    withFlags('watch', 'how far a job is, until it has ended or is paused')
      .argument('<job>', 'the id of a job')
      .action(async function (this: Command, jobId: string, flags: JobFlags) {
        const { watch } = await import('../jobs.ts');
        await watch(this, jobId, flags);
      }),
  );
  const steps = {
    pause: 'let a job act no more until it is resumed',
    resume: 'let a paused job go on where it stopped',
    cancel: 'end a job where it stands',
  };
  for (const verb of ['pause', 'resume', 'cancel'] as const)
    command.addCommand(
      withFlags(verb, steps[verb])
        .argument('<job>', 'the id of a job')
        .action(async function (this: Command, jobId: string, flags: JobFlags) {
          const { step } = await import('../jobs.ts');
          await step(this, jobId, verb, flags);
        }),
    );
  command.addCommand(
    withFlags('undo', 'take back what a job has done, where that can be')
      .argument('<job>', 'the id of a job')
      .action(async function (this: Command, jobId: string, flags: JobFlags) {
        const { undoJob } = await import('../jobs.ts');
        await undoJob(this, jobId, flags);
      }),
  );
  return command;
}

/** `hilo events list`, `add`, `deliveries`, `pause`, `resume`, `replay` and `remove`. */
export function eventsCommand(): Command {
  const command = new Command('events')
    .summary('who is told of what happens')
    .description(
      'Subscriptions to the events of a company, and what is on its way to them: by the service that runs over the data directory, or in its store when none runs.',
    )
    .helpCommand(false);
  const withFlags = (name: string, summary: string): Command =>
    withCompany(
      withAdmin(new Command(name).summary(summary).description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`)),
      'the company',
    ).option('--json', 'print what management answers, and nothing else');
  command.addCommand(
    withFlags('list', 'the subscriptions of a company').action(async function (this: Command, flags: EventFlags) {
      const { list } = await import('../event-subscriptions.ts');
      await list(this, flags);
    }),
  );
  command.addCommand(
    withFlags('add', 'subscribe an address, and print the secret that is drawn for it')
      .argument('<url>', 'what is called')
      .requiredOption('-e, --events <names...>', 'what it hears, such as message.* execution.ended')
      .action(async function (this: Command, url: string, flags: AddFlags) {
        const { add } = await import('../event-subscriptions.ts');
        await add(this, url, flags);
      }),
  );
  command.addCommand(
    withFlags('deliveries', 'what was to be told to a subscription, the newest first')
      .argument('<subscription>', 'the id of a subscription')
      .addOption(new Option('-s, --state <state>', 'only those in a state').choices(['pending', 'delivered', 'parked']))
      .option('-n, --limit <number>', 'how many: 1 to 200', pageLimit, 20)
      .option('--cursor <cursor>', 'the nextCursor of the page before')
      .action(async function (this: Command, id: string, flags: DeliveryFlags) {
        const { deliveries } = await import('../event-subscriptions.ts');
        await deliveries(this, id, flags);
      }),
  );
  for (const [verb, summary] of [
    ['pause', 'let nothing be sent to a subscription until it is resumed'],
    ['resume', 'send again to a paused subscription'],
  ] as const)
    command.addCommand(
      withFlags(verb, summary)
        .argument('<subscription>', 'the id of a subscription')
        .action(async function (this: Command, id: string, flags: EventFlags) {
          const { step } = await import('../event-subscriptions.ts');
          await step(this, id, verb, flags);
        }),
    );
  command.addCommand(
    withFlags('replay', 'send what happened since an instant once more')
      .argument('<subscription>', 'the id of a subscription')
      .requiredOption('--from <instant>', 'such as 2031-03-01T09:00:00Z')
      .action(async function (this: Command, id: string, flags: ReplayFlags) {
        const { replay } = await import('../event-subscriptions.ts');
        await replay(this, id, flags);
      }),
  );
  command.addCommand(
    withFlags('remove', 'remove a subscription with all that is on its way to it')
      .argument('<subscription>', 'the id of a subscription')
      .action(async function (this: Command, id: string, flags: EventFlags) {
        const { remove } = await import('../event-subscriptions.ts');
        await remove(this, id, flags);
      }),
  );
  return command;
}

/** `hilo schedules`, `starts` and `cancel`. */
export function schedulesCommand(): Command {
  const withFlags = (command: Command, summary: string): Command =>
    withCompany(
      withAdmin(command.summary(summary).description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`)),
      'the company',
    ).option('--json', 'print what management answers, and nothing else');
  const command = withFlags(new Command('schedules'), 'list what begins by the clock, what waits, and what was missed')
    .helpCommand(false)
    .action(async function (this: Command, flags: ScheduleFlags) {
      const { list } = await import('../schedules.ts');
      await list(this, flags);
    });
  command.addCommand(
    withFlags(new Command('starts'), 'starts that wait, were made, or were missed')
      .option('-s, --status <status>', 'only those in a status, such as missed')
      .option('-w, --workflow <id>', 'only those of a workflow')
      .option('-n, --limit <number>', 'how many: 1 to 200', pageLimit, 20)
      .option('--cursor <cursor>', 'the nextCursor of the page before')
      .action(async function (this: Command, _flags: StartListFlags) {
        const { listStarts } = await import('../schedules.ts');
        await listStarts(this, this.optsWithGlobals<StartListFlags>());
      }),
  );
  command.addCommand(
    withFlags(new Command('cancel'), 'cancel a start that waits, or the rest of one that is made for many')
      .argument('<start>', 'the id of a start')
      .action(async function (this: Command, startId: string) {
        const { cancel } = await import('../schedules.ts');
        await cancel(this, startId, this.optsWithGlobals<ScheduleFlags>());
      }),
  );
  return command;
}

/** `hilo workflows pause`, `unpause`, `unpublish` and `roll-back`. */
export function workflowsCommand(): Command {
  const command = new Command('workflows')
    .summary('list, pause, unpause, unpublish and roll back workflows')
    .description(
      'Lists workflows, stops what would start, and goes back to earlier versions; what is open goes on. By the service that runs over the data directory, or in its store when none runs.',
    )
    .helpCommand(false);
  const withFlags = (name: string, description: string): Command =>
    withAdmin(new Command(name).description(description))
      .argument('<workflow>', 'the id of a workflow')
      .option('-c, --company <id>', 'the company, where several have such a workflow')
      .option('--json', 'print what management answers, and nothing else');
  command.addCommand(
    withAdmin(new Command('list').description('Lists the workflows of a company, with what is published and what waits.'))
      .summary('the workflows of a company')
      .option('-c, --company <id>', 'the company, where there are several')
      .option('-q, --query <text>', 'only those with this in their name or id')
      .option('--archived', 'the archived ones instead of the others')
      .option('-n, --limit <number>', 'how many: 1 to 200', pageLimit, 100)
      .option('--cursor <cursor>', 'the nextCursor of the page before')
      .option('--json', 'print what management answers, and nothing else')
      .action(async function (this: Command, flags: WorkflowListFlags) {
        const { list } = await import('../workflows.ts');
        await list(this, flags);
      }),
  );
  command.addCommand(
    withFlags('pause', 'Lets nothing start a workflow until it is unpaused. What waits goes on.')
      .summary('let nothing start a workflow')
      .option('--says <text>', 'what users who would begin it are told; without it, their messages are unmatched')
      .option('--until <instant>', 'when the pause ends by itself, such as 2031-03-01T09:00:00Z')
      .addOption(
        new Option('--children <what>', 'whether other workflows may still call it: run, when left out').choices(['run', 'refuse']),
      )
      .action(async function (this: Command, workflowId: string, flags: PauseFlags) {
        const { pause } = await import('../workflows.ts');
        await pause(this, workflowId, flags);
      }),
  );
  command.addCommand(
    withFlags('unpause', 'Lets a paused workflow be started again, in exactly the version that was the latest.')
      .summary('let a paused workflow start')
      .action(async function (this: Command, workflowId: string, flags: WorkflowFlags) {
        const { unpause } = await import('../workflows.ts');
        await unpause(this, workflowId, flags);
      }),
  );
  command.addCommand(
    withFlags('unpublish', 'Takes a workflow out of publication until it is published again. What waits goes on.')
      .summary('take a workflow out')
      .action(async function (this: Command, workflowId: string, flags: WorkflowFlags) {
        const { unpublish } = await import('../workflows.ts');
        await unpublish(this, workflowId, flags);
      }),
  );
  command.addCommand(
    withFlags('roll-back', 'Publishes the content of an earlier version as the next one. The draft stays as it is.')
      .summary('go back to a version')
      .argument('<version>', 'the number of the version to go back to', versionNumber)
      .option('--note <text>', 'what is kept beside the new version')
      .action(async function (this: Command, workflowId: string, version: number, flags: WorkflowFlags & { readonly note?: string }) {
        const { rollBack } = await import('../workflows.ts');
        await rollBack(this, workflowId, version, flags);
      }),
  );
  return command;
}

/** `hilo audit list` and `export`. */
export function auditCommand(): Command {
  const command = new Command('audit')
    .summary('read the record of what operators did')
    .description(
      'Reads the record of what operators did: by the service that runs over the data directory, or in its store when none runs.',
    )
    .helpCommand(false);
  const withFilter = (name: string, summary: string): Command =>
    withAdmin(new Command(name).summary(summary).description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`))
      .option('-c, --company <id>', 'only what was done to a company')
      .option('--actor <name>', 'only what one did, such as "operator maria" or "admin token"')
      .option('--action <operation>', 'only one operation, such as publishWorkflow')
      .option('--object <kind:id>', 'only what was done to one thing, such as workflow:order-status')
      .option('--request <id>', 'only the rows of one request')
      .option('--from <instant>', 'from this instant on, such as 2031-03-01T00:00:00Z')
      .option('--to <instant>', 'up to this instant');
  command.addCommand(
    withFilter('list', 'the newest acts first')
      .option('-n, --limit <number>', 'how many rows: 1 to 200', pageLimit, 20)
      .option('--cursor <cursor>', 'the nextCursor of the page before')
      .option('--json', 'print what management answers, and nothing else')
      .action(async function (this: Command, flags: AuditListFlags) {
        const { list } = await import('../audit.ts');
        await list(this, flags);
      }),
  );
  command.addCommand(
    withFilter('export', 'every row that fits, as lines of JSON, the newest first')
      .argument('[file]', 'where they go; without it, to standard output')
      .action(async function (this: Command, file: string | undefined, flags: AuditFlags) {
        const { exportLines } = await import('../audit.ts');
        await exportLines(this, file, flags);
      }),
  );
  return command;
}

/** The providers of bots. */
export function channelsCommand(): Command {
  const command = new Command('channels')
    .summary("check a bot's provider, and make the key of its forms")
    .description('Providers of bots: by the service that runs over the data directory, or with its store when none runs.')
    .helpCommand(false);
  command.addCommand(
    withAdmin(
      new Command('check').description("Makes the cheapest read of a bot's provider, and describes what is wrong. Nothing is sent."),
    )
      .option('--json', 'print the answer in JSON, and nothing else')
      .argument('<bot>', 'the id of a bot')
      .action(async function (this: Command, botId: string, flags: CheckFlags) {
        const { check } = await import('../channels.ts');
        await check(this, botId, flags);
      }),
  );
  command.addCommand(
    withAdmin(
      new Command('flow-key').description(
        "Makes the key that a WhatsApp bot's forms are sealed for, keeps it in the service, and registers its public half at the provider. A key that is there is registered again.",
      ),
    )
      .option('--rotate', 'make another key; the one before is tried for 7 days')
      .option('--print', 'print the public key')
      .option('--json', 'print the answer in JSON, and nothing else')
      .argument('<bot>', 'the id of a bot')
      .action(async function (this: Command, botId: string, flags: FlowKeyFlags) {
        const { flowKey } = await import('../channels.ts');
        await flowKey(this, botId, flags);
      }),
  );
  command.addCommand(
    withAdmin(
      new Command('again').description(
        'Hands a message of a user in again that could not be processed and was set aside (NOT_PROCESSABLE), after its cause was mended. Once: of two at the same time one is a duplicate.',
      ),
    )
      .option('--company <id>', 'the company of the bot; needed where there are several')
      .option('--json', 'print the answer in JSON, and nothing else')
      .argument('<bot>', 'the id of a bot')
      .argument('<message>', 'the id of the message, as the log and the list of messages have it')
      .action(async function (this: Command, botId: string, messageId: string, flags: AgainFlags) {
        const { again } = await import('../channels.ts');
        await again(this, botId, messageId, flags);
      }),
  );
  return command;
}
