// What a store keeps of moves: for each company that moves or has moved, where it stands.
import type { Random } from '@hilo/engine/contract';
import type { DurableStore } from '@hilo/stores';
import { HttpError } from '../../platform/http/errors.ts';
import type { FileHeader } from './company-file.ts';
import { selectMoves } from './move-sql.ts';

/** A move of a company, as management shows it. */
export interface Move {
  readonly companyId: string;
  readonly moveId: string;
  /** `closing` and `fenced`: it is leaving. `left`: it can be exported. `here`: it is served here. `gone`: its rows were removed. */
  readonly state: 'closing' | 'fenced' | 'left' | 'here' | 'gone';
  /** Once it has left: how many rows it has. */
  readonly rows: number | null;
  /** Where its callers are sent. */
  readonly url: string | null;
}

/** A row of a move. */
export type MoveRow = FileHeader & { readonly state: Move['state']; readonly rows: number | null; readonly url: string | null };

/** The moves of a store. */
export type MoveRecords = ReturnType<typeof createMoveRecords>;

export function createMoveRecords({ runner }: Pick<DurableStore, 'runner'>) {
  const all = async (): Promise<readonly MoveRow[]> =>
    (await runner.read(selectMoves({}))).map(({ companyId, moveId, number, state, rowsMoved, url }) => ({
      companyId,
      moveId,
      number,
      state: state as MoveRow['state'],
      rows: rowsMoved ?? null,
      url: url ?? null,
    }));
  const find = async (companyId: string): Promise<MoveRow | undefined> => (await all()).find((row) => row.companyId === companyId);
  return {
    all,
    find,
    /** @throws {HttpError} 409 for a company that never left */
    async show(companyId: string): Promise<Move> {
      const row = await find(companyId);
      if (row === undefined) throw notLeft(companyId);
      return showMove(row);
    },
    /** Whether a company came here by this move. */
    async isHere({ companyId, moveId }: FileHeader): Promise<boolean> {
      const row = await find(companyId);
      return row?.state === 'here' && row.moveId === moveId;
    },
    /** @throws {HttpError} 409 for a company that has not left */
    async requireLeft(companyId: string): Promise<MoveRow> {
      const row = await find(companyId);
      if (row?.state !== 'left') throw notLeft(companyId);
      return row;
    },
  };
}

/** A move as management shows it. */
export const showMove = ({ companyId, moveId, state, rows, url }: MoveRow): Move => ({ companyId, moveId, state, rows, url });

/** The rows that wait here to be exported. */
export const nameStage = (moveId: string): string => `left:${moveId}`;

export const newId = (random: Random): string => Buffer.from(random.bytes(16)).toString('hex');

export const conflict = (code: string, message: string): HttpError => new HttpError(409, code, message);

export const notLeft = (companyId: string): HttpError =>
  conflict('MOVE_REFUSED', `Company ${companyId} has not left from here: "hilo move list" shows the state of each company`);
