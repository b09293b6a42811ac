// Moves as commands on the same machine: their files are read and written here.
import { createReadStream } from 'node:fs';
import { open, rename, unlink } from 'node:fs/promises';
import { z } from 'zod';
import { findKind, readTrouble, writeTrouble } from '../../platform/file-trouble.ts';
import { requireFile } from '../../platform/http/require-file.ts';
import { HttpError, invalidRequest } from '../../platform/http/errors.ts';
import type { Arrival } from './arrivals.ts';
import type { Move } from './move-records.ts';
import type { CompanyMoves } from './moves.ts';

const companyId = z.string();

/** What a command on the same machine asks: files are this machine's. */
export const MoveCommand = z.discriminatedUnion('do', [
  z.object({ do: z.literal('list') }),
  z.object({ do: z.literal('out'), companyId, file: z.string() }),
  z.object({ do: z.literal('in'), file: z.string() }),
  z.object({ do: z.literal('redirect'), companyId, cell: z.string(), url: z.string() }),
  z.object({ do: z.literal('cancel'), companyId, importedNowhere: z.boolean().default(false) }),
  z.object({ do: z.literal('forget'), companyId }),
]);
export type MoveCommand = z.output<typeof MoveCommand>;

/** The moves that there are, or the one that was made. */
export type MoveAnswer = { readonly moves: readonly Move[] } | Move | Arrival;

/** Does what a command asks. */
export async function performMove(moves: CompanyMoves, command: MoveCommand): Promise<MoveAnswer> {
  switch (command.do) {
    case 'list':
      return { moves: await moves.list() };
    case 'out':
      return exportCompany(moves, command.companyId, command.file);
    case 'in':
      return importCompany(moves, command.file);
    case 'redirect':
      return moves.redirect(command.companyId, command);
    case 'cancel':
      return cancelMove(moves, command.companyId, command.importedNowhere);
    case 'forget':
      return moves.forget(command.companyId);
  }
}

/**
 * Takes a company out of service and writes its file: whole, or not at all. Its rows stay until the company is forgotten, so that it can be
 * repeated.
 *
 * @throws {HttpError} 400 when the file cannot be written
 * @throws {HttpError} see `CompanyMoves.leave`
 */
async function exportCompany(moves: CompanyMoves, companyId: string, file: string): Promise<Move> {
  const part = `${file}.part`;
  if ((await findKind(file)) === 'folder') throw invalidRequest(`${file} cannot be written: it is a folder, not a file`);
  // Opened before the company leaves: if the file cannot be written, no request is refused for it.
  const handle = await open(part, 'w', 0o600).catch((error: unknown) => refuseWriting(file, error));
  try {
    const move = await moves.leave(companyId);
    const lines = await moves.file(companyId);
    try {
      for await (const line of lines) await handle.appendFile(line);
      await handle.sync();
      await handle.close();
      await rename(part, file);
    } catch (error) {
      refuseWriting(file, error, ` (company ${companyId} has left: repeat the command with another file, or cancel the move)`);
    }
    return move;
  } catch (error) {
    await handle.close();
    await unlink(part).catch(() => undefined);
    throw error;
  }
}

/**
 * Takes a company back into service. This store cannot tell whether its file was imported elsewhere, where it would then run as well.
 *
 * @param importedNowhere - the operator's word that it was not
 * @throws {HttpError} 409 when the company has left, without this word
 * @throws {HttpError} see `CompanyMoves.cancel`
 */
async function cancelMove(moves: CompanyMoves, companyId: string, importedNowhere: boolean): Promise<Move> {
  const move = (await moves.list()).find((one) => one.companyId === companyId);
  if (move?.state === 'left' && move.url === null && !importedNowhere)
    throw new HttpError(
      409,
      'MOVE_REFUSED',
      `Company ${companyId} has left: where its file was imported it would be at work too. Look there with "hilo move list", and repeat the command with --imported-nowhere`,
    );
  return moves.cancel(companyId);
}

/**
 * Brings a company in from its file, which is read to its end before anything is written.
 *
 * @throws {HttpError} 400 when the file cannot be read
 * @throws {HttpError} see `CompanyMoves.arrive`
 */
async function importCompany(moves: CompanyMoves, file: string): Promise<Arrival> {
  await requireFile(file);
  await moves.check(readBytes(file));
  return moves.arrive(readBytes(file));
}

async function* readBytes(file: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of createReadStream(file)) if (chunk instanceof Uint8Array) yield chunk;
  } catch (cause) {
    throw cause instanceof Error && 'code' in cause ? invalidRequest(`${file} cannot be read: ${readTrouble(cause)}`) : cause;
  }
}

function refuseWriting(file: string, cause: unknown, more = ''): never {
  throw invalidRequest(`${file} cannot be written: ${writeTrouble(cause)}${more}`);
}
