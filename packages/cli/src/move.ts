import { access, constants } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { MoveAnswer, MoveCommand } from '@hilo/server/kit';
import { readTrouble } from '@hilo/server/parts';
import type { Command } from 'commander';
import { sayWhatIsKept } from './interrupt.ts';
import { painter, printable, toSafeJson } from './paint.ts';
import { type AdminFlags, withAdmin } from './service/with-admin.ts';

/** The flags that all commands of `hilo move` have. */
export interface MoveFlags extends Pick<AdminFlags, 'data' | 'databaseUrl' | 'config'> {
  readonly json?: true;
}

/** Takes a company out of service, and writes all that it has into a file. It can be repeated. */
export const moveOut = (command: Command, companyId: string, file: string, flags: MoveFlags): Promise<void> =>
  perform(command, { do: 'out', companyId, file: resolve(file) }, flags, (answer) =>
    'rows' in answer
      ? [`Company ${companyId} has left: ${formatRows(answer.rows)} are in ${file}`, `Next, where it goes: hilo move in ${file}`]
      : [],
  );

/** Brings a company in from its file. */
export const moveIn = (command: Command, file: string, flags: MoveFlags): Promise<void> =>
  perform(command, { do: 'in', file: resolve(file) }, flags, (answer) => {
    if (!('wasHere' in answer)) return [];
    const { companyId, rows, wasHere } = answer;
    return wasHere
      ? [`Company ${companyId} is here already: nothing changed`]
      : [`Company ${companyId} is here: ${formatRows(rows)}`, `Next, where it was: hilo move redirect ${companyId} ADDRESS`];
  });

/** Sends the callers of a company elsewhere. */
export const redirect = (
  command: Command,
  companyId: string,
  url: string,
  { cell, ...flags }: MoveFlags & { readonly cell: string },
): Promise<void> => {
  if (!/^https?:\/\/[^\s?#]+$/.test(url)) return command.error('error: the address is one such as https://b.bots.example');
  if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(cell)) return command.error('error: --cell is 1 to 63 small letters, digits and "-"');
  return perform(command, { do: 'redirect', companyId, cell, url }, flags, () => [
    `Callers of company ${companyId} are sent to ${url}`,
    `Later, when nobody calls here: hilo move forget ${companyId}`,
  ]);
};

/** Serves a company again where it was. */
export const cancel = (
  command: Command,
  companyId: string,
  { importedNowhere = false, ...flags }: MoveFlags & { readonly importedNowhere?: boolean },
): Promise<void> =>
  perform(command, { do: 'cancel', companyId, importedNowhere }, flags, () => [
    `Company ${companyId} is served here: delete the file that it left in, if there is one`,
  ]);

/** Removes what is left of a company where it was. */
export const forget = (command: Command, companyId: string, flags: MoveFlags): Promise<void> =>
  perform(command, { do: 'forget', companyId }, flags, () => [`Company ${companyId} is forgotten`]);

/** Lists moves, one a line. */
export const list = (command: Command, flags: MoveFlags): Promise<void> =>
  perform(command, { do: 'list' }, flags, (answer) =>
    'moves' in answer
      ? answer.moves.map(({ companyId, state, url }) => `${companyId} ${state}${url === null ? '' : ` ${printable(url)}`}`)
      : [],
  );

/** Runs a step of a move, and prints its lines: the first with a check mark, but for a list. */
async function perform(
  command: Command,
  request: MoveCommand,
  { json, ...flags }: MoveFlags,
  draw: (answer: MoveAnswer) => readonly string[],
): Promise<void> {
  if (request.do !== 'list')
    sayWhatIsKept('Where a service runs it goes on there; "hilo move list" shows how far it is, and the command can be given again');
  const answer = await withAdmin(
    command,
    flags,
    request.do === 'in' ? { beforeCreating: () => assertReadable(request.file) } : 'look',
    async (admin) => {
      if (admin.move === undefined) throw new Error('A company is moved on the machines of the two services: leave --url out');
      return admin.move(request);
    },
  );
  const paint = painter(process.stdout);
  const lines = draw(answer).map(
    (line, index) => `${index > 0 || request.do === 'list' ? '' : `${paint('green', '✔')} `}${printable(line)}`,
  );
  const text = json === true ? toSafeJson(answer, 2) : lines.join('\n');
  if (text !== '') process.stdout.write(`${text}\n`);
}

/** @throws {Error} for a file that cannot be read */
async function assertReadable(file: string): Promise<void> {
  await access(file, constants.R_OK).catch((error: unknown) => {
    throw new Error(`${printable(file)} cannot be read: ${readTrouble(error)}`, { cause: error });
  });
}

const formatRows = (rows: number | null): string => `${(rows ?? 0).toLocaleString('en')} rows`;
