import type { ImportSummary } from '@hilo/server';
import type { SaidMessage } from '@hilo/server/kit';

/** The management interface, of this process or of a server. */
export interface Admin {
  /** @throws {AdminRefused} for every answer but 200 */
  ask(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown>;
  /** Brings in the workspace of a file. @throws {WorkspaceRefused} with every problem */
  importWorkspace(file: string): Promise<ImportSummary>;
  /** Delivers a user's text to a bot, signed; not where no service runs, for nobody would answer it. */
  say?(message: SaidMessage): Promise<unknown>;
  close(): Promise<void>;
}

/** What the data is opened for: to look at what is there, to let go on what is set going, or to keep something, be it in a new store. */
export type Purpose = 'look' | 'work' | 'keep';
