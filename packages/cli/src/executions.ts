import { executionStatuses } from '@hilo/engine/contract';
import { Command, InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import { columnsOf, painter } from './paint.ts';
import { printable } from './printable.ts';
import { type AdminFlags, withAdmin, withAdminFlags } from './service/with-admin.ts';
import { drawExecution, drawExecutions, type ShownExecution, type ShownHistory } from './service/draw-executions.ts';

interface ExecutionFlags extends AdminFlags {
  readonly company?: string;
  readonly json?: true;
}

interface ListFlags extends ExecutionFlags {
  readonly workflow?: string;
  readonly status?: string;
  readonly user?: string;
  readonly limit: number;
  readonly cursor?: string;
}

export function executionsCommand(): Command {
  const command = new Command('executions')
    .summary('list, show, cancel and release executions')
    .description('Looks at executions, and steps in: by the service that runs over the data directory, or in its store when none runs.')
    .helpCommand(false);
  command.addCommand(
    flagged('list', 'the newest executions first')
      .option('-w, --workflow <id>', 'only those of a workflow')
      .addOption(new Option('-s, --status <status>', 'only those in a status').choices(executionStatuses))
      .option('-u, --user <id>', 'only those of a user')
      .option('-n, --limit <number>', 'how many: 1 to 200', limit, 20)
      .option('--cursor <cursor>', 'the nextCursor of the page before')
      .action(async function (this: Command, flags: ListFlags) {
        await list(this, flags);
      }),
  );
  command.addCommand(
    flagged('show', 'an execution with its variables and all it did')
      .argument('<execution>', 'the id of an execution')
      .action(async function (this: Command, executionId: string, flags: ExecutionFlags) {
        await show(this, executionId, flags);
      }),
  );
  for (const { verb, summary } of steps) {
    command.addCommand(
      flagged(verb, summary)
        .argument('<execution>', 'the id of an execution')
        .action(async function (this: Command, executionId: string, flags: ExecutionFlags) {
          await step(this, executionId, verb, flags);
        }),
    );
  }
  return command;
}

const steps = [
  { verb: 'cancel', summary: 'end an execution at once, and its children with it' },
  { verb: 'release', summary: 'let a quarantined execution go on where it stood' },
] as const;

const flagged = (name: string, summary: string): Command =>
  withAdminFlags(new Command(name).summary(summary).description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`))
    .option('-c, --company <id>', 'those of a company only')
    .option('--json', 'print what management answers, and nothing else');

function limit(text: string): number {
  const number = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > 200) throw new InvalidArgumentError('Give a number from 1 to 200.');
  return number;
}

async function list(command: Command, { company, workflow, status, user, limit, cursor, json, ...flags }: ListFlags): Promise<void> {
  const query = queryOf({ companyId: company, workflowId: workflow, status, userId: user, limit: String(limit), cursor });
  const answer = await withAdmin(command, flags, 'look', ({ ask }) => ask('GET', `/executions${query}`));
  if (json === true) return print(answer);
  const { results, nextCursor } = ListAnswer.parse(answer);
  const room = { paint: painter(process.stdout), columns: columnsOf(process.stdout) };
  process.stdout.write(`${drawExecutions(results, room)}\n`);
  if (nextCursor !== null) process.stdout.write(room.paint('dim', `There are more: --cursor ${nextCursor}\n`));
}

async function show(command: Command, executionId: string, { company, json, ...flags }: ExecutionFlags): Promise<void> {
  const path = `/executions/${encodeURIComponent(executionId)}`;
  const query = queryOf({ companyId: company });
  const [execution, history] = await withAdmin(command, flags, 'look', async ({ ask }) => [
    ShownExecutionAnswer.parse(await ask('GET', `${path}${query}`)),
    ShownHistoryAnswer.parse(await ask('GET', `${path}/history${query}`)),
  ]);
  if (json === true) return print({ ...execution, history: history.entries });
  process.stdout.write(`${drawExecution(execution, history, { paint: painter(process.stdout), columns: columnsOf(process.stdout) })}\n`);
}

async function step(
  command: Command,
  executionId: string,
  verb: 'cancel' | 'release',
  { company, json, ...flags }: ExecutionFlags,
): Promise<void> {
  const path = `/executions/${encodeURIComponent(executionId)}/${verb}${queryOf({ companyId: company })}`;
  const answer = await withAdmin(command, flags, 'work', ({ ask }) => ask('POST', path));
  if (json === true) return print(answer);
  const { status } = ShownExecutionAnswer.parse(answer);
  process.stdout.write(`${painter(process.stdout)('green', '✔')} ${printable(executionId)} is ${status}\n`);
}

const ShownExecutionAnswer = z.custom<ShownExecution>((value) => isObject(value) && 'executionId' in value);
const ShownHistoryAnswer = z.custom<ShownHistory>((value) => isObject(value) && 'entries' in value);
const ListAnswer = z.object({ results: z.array(ShownExecutionAnswer), nextCursor: z.string().nullable() });

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function queryOf(values: { readonly [name: string]: string | undefined }): string {
  const given = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  const query = new URLSearchParams(given).toString();
  return query === '' ? '' : `?${query}`;
}

const print = (answer: unknown): void => void process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`);
