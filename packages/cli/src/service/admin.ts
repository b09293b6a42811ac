import type { ImportSummary } from '@hilo/server';
import type { MoveAnswer, MoveCommand, SaidMessage } from '@hilo/server/kit';

/** The management interface, of this process or of a server. */
export interface Admin {
  /** @throws {AdminRefused} for every answer but 200 */
  ask(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown>;
  /** Brings in the workspace of a file. @throws {HiloError} `WORKSPACE_REFUSED` with every problem */
  importWorkspace(file: string): Promise<ImportSummary>;
  /** Delivers a user's text to a bot, signed; left out where no service runs, since none would answer. */
  say?(message: SaidMessage): Promise<unknown>;
  /** Moves a company by a file of this machine; left out for a server elsewhere. @throws {Error} in words, where it is refused */
  move?(command: MoveCommand): Promise<MoveAnswer>;
  close(): Promise<void>;
}

/** Why the data is opened: `look` reads, `work` also lets executions run, `keep` writes and creates a missing store. */
export type Purpose = 'look' | 'work' | 'keep';
